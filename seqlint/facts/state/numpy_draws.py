"""Random numbers that code on the way to a batch draws from a generator of NumPy that outlives the batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.project.base_attributes import makers_in_bases
from seqlint.facts.project.callee_summaries import CalleeSummaries
from seqlint.knowledge.array_constructors import GENERATORS

if TYPE_CHECKING:
    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.flow.call_frames import Frame

_NO_DRAWS = frozenset({
    "seed", "default_rng", "RandomState", "Generator", "SeedSequence", "get_state", "set_state", "MT19937", "PCG64", "Philox",
    "BitGenerator",
})  # fmt: skip
_SEEDS = frozenset({"numpy.random.seed", "keras.utils.set_random_seed"})
_SEED_WORDS = frozenset({"seed", "set_random_seed"})
# What draws from NumPy's global generator unless it is given one.
_LIBRARIES = frozenset({"sklearn.utils.shuffle", "sklearn.utils.resample"})
_KERAS = "keras.preprocessing.image.random_"
_AUGMENTER = "keras.preprocessing.image.ImageDataGenerator"
_TRANSFORMS = frozenset({"random_transform", "get_random_transform"})


@dataclass(frozen=True, eq=False)
class NumpyDraw:
    """One place.

    Attributes:
        method: the last name of what is called, such as "uniform".
        kept: whether it draws from a generator of the user, kept on `self` or in the module, and not from the global one.
        direct: whether it is `np.random.NAME(...)` itself, and not a library or a function of another file that draws.
        seeded: whether a generator that is kept was made with a seed.
        above: whether a base in another file made it.
    """

    node: cst.Call
    frame: Frame
    method: str
    kept: bool = False
    direct: bool = False
    seeded: bool = False
    above: bool = False


class NumpyDraws:
    """The draws of one file."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self._flow = batches.flow
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._callees = CalleeSummaries(batches.flow.names.project)

    def of(self, maker: Maker) -> tuple[NumpyDraw, ...]:
        """The draws on the way to a batch, in reading order; none from the global generator where it is seeded on the way."""
        frames = self._batches.frames(maker)
        calls = {
            call: frame
            for frame in reversed(frames)
            if frame.function is not None
            for call in self._tree.inside(frame.function.body, cst.Call)
        }
        words: frozenset[str] = maker.template_method.asked.words if maker.template_method is not None else frozenset()
        seeded = any(map(self._seeds, calls)) or not _SEED_WORDS.isdisjoint(words)
        found = (self._draw(call, frame, frames) for call, frame in calls.items() if _kept_as(call) not in words)
        draws = (draw for draw in found if draw is not None and (draw.kept or not seeded))
        return self._tree.order.sorted(draws, lambda draw: draw.node)

    def _is_made_by_base(self, held: cst.BaseExpression, frame: Frame) -> bool:
        """Whether a base in another file makes the generator of an attribute once, and nothing here replaces it."""
        owner, project = frame.runtime or frame.owner, self._names.project
        if not isinstance(held, cst.Attribute) or owner is None or project is None:
            return False
        stored = any(self._flow.values.stored(node) for node in self._tree.attributes(held.attr.value))
        if stored or self._flow.values.self_class(held.value) is None:
            return False
        bases = [
            base for holder in owner.lineage for each in holder.bases if isinstance(base := holder.base(each), str)
        ]
        made = makers_in_bases(project, bases[0], held.attr.value) if len(bases) == 1 else frozenset()
        return bool(made) and made <= GENERATORS

    def _seeds(self, call: cst.Call) -> bool:
        name = self._names.qualified(call.func)
        return name in _SEEDS or any(far.name in _SEEDS for far in self._callees.calls(name, b"seed"))

    def _draws_externally(self, name: str) -> bool:
        """Whether a function of another file surely draws from NumPy's global generator."""
        found = (far.name.rpartition(".") for far in self._callees.calls(name, b"random"))
        return any(library == "numpy.random" and method not in _NO_DRAWS for library, _, method in found)

    def _draw(self, call: cst.Call, frame: Frame, frames: tuple[Frame, ...]) -> NumpyDraw | None:
        name = self._names.qualified(call.func) or ""
        library, _, method = name.rpartition(".")
        if library == "numpy.random" and method not in _NO_DRAWS:
            return NumpyDraw(call, frame, method, direct=True)
        if name.startswith(_KERAS) or (name in _LIBRARIES and not _has_state(call)) or self._draws_externally(name):
            return NumpyDraw(call, frame, method)
        func = call.func
        if name or not isinstance(func, cst.Attribute) or func.attr.value in _NO_DRAWS:
            return None
        makers = [value for value in self._flow.values.of(func.value) if isinstance(value, cst.Call)]
        made = {self._names.qualified(value.func) for value in makers}
        if made == {_AUGMENTER} and func.attr.value in _TRANSFORMS:
            return NumpyDraw(call, frame, func.attr.value)
        if not made and self._is_made_by_base(func.value, frame):
            return NumpyDraw(call, frame, func.attr.value, kept=True, above=True)
        if not made or not made <= GENERATORS:
            return None
        inside = any(self._tree.holds(f.function, value) for f in frames if f.function is not None for value in makers)
        seeded = any(value.args for value in makers)
        return None if inside else NumpyDraw(call, frame, func.attr.value, kept=True, seeded=seeded)


def _kept_as(call: cst.Call) -> str:
    """The attribute that holds a generator: "rng" for `self.rng.normal()`."""
    kept = call.func.value if isinstance(call.func, cst.Attribute) else None
    return kept.attr.value if isinstance(kept, cst.Attribute) else ""


def _has_state(call: cst.Call) -> bool:
    return any(argument.keyword is not None and argument.keyword.value == "random_state" for argument in call.args)
