"""Flows of an `ImageDataGenerator`: what they draw, which are read in pairs, and which a model is validated on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.sources.subsets import surely_differ
from seqlint.run import Constant, Container, Generator, Result, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

PARAMETERS: dict[str, tuple[str, ...]] = {
    "flow": ("x", "y", "batch_size", "shuffle", "sample_weight", "seed"),
    "flow_from_directory": (
        "directory", "target_size", "color_mode", "classes", "class_mode", "batch_size", "shuffle", "seed",
    ),
    "flow_from_dataframe": (
        "dataframe", "directory", "x_col", "y_col", "weight_col", "target_size", "color_mode", "classes", "class_mode", "batch_size",
        "shuffle", "seed",
    ),
}  # fmt: skip
RANDOM = (
    "rotation_range", "width_shift_range", "height_shift_range", "brightness_range", "shear_range", "zoom_range", "channel_shift_range",
    "horizontal_flip", "vertical_flip",
)  # fmt: skip
"""The options of an `ImageDataGenerator` that draw numbers."""
_GENERATOR = "keras.preprocessing.image.ImageDataGenerator"
Difference = Literal["seed", "no seed", "shuffle"]


@dataclass(frozen=True, eq=False)
class Flow:
    """A call that makes a flow, and the one that made its generator."""

    call: Call
    generator: Result

    def argument(self, name: str) -> Value | None:
        """An argument by the name of its parameter; None where it is left out."""
        given = self.call.result.keyword(name)
        names, args = PARAMETERS[self.call.result.method], self.call.result.args
        place = names.index(name) if name in names else -1
        return args[place] if given is None and 0 <= place < len(args) else given

    def constant(self, name: str, default: object) -> object:
        """The constant that an argument surely is; `...` where nobody knows."""
        value = self.argument(name)
        if value is None:
            return default
        only = value.only
        return only.value if isinstance(only, Constant) else ...

    @property
    def is_hidden(self) -> bool:
        """Whether stars hide arguments of the flow or of its generator."""
        keywords = (*self.call.result.keywords, *self.generator.keywords)
        return any(name in ("*", "**") for name, _ in keywords) or bool(self.generator.args)

    @property
    def has_labels(self) -> bool:
        """Whether its batches hold more than images, or may do so."""
        if self.call.result.method == "flow":
            y = self.argument("y")
            return y is not None and not (isinstance(y.only, Constant) and y.only.value is None)
        return self.constant("class_mode", "categorical") is not None

    def draws(self, option: str) -> bool | None:
        """Whether an option of the generator is switched on; None where nobody knows."""
        value = self.generator.keyword(option)
        if value is None:
            return False
        only = value.only
        if isinstance(only, Constant):
            return bool(only.value)
        return True if isinstance(only, (Tuple, Container)) else None

    @property
    def surely_draws(self) -> tuple[str, ...]:
        """The random options that are switched on."""
        return tuple(option for option in RANDOM if self.draws(option))


@dataclass(frozen=True, eq=False)
class Pair:
    """Two flows that are read together, in the order of their calls."""

    first: Flow
    second: Flow

    @property
    def differs(self) -> Difference | None:
        """Why the two draw separately; None where they draw alike, or may do so."""
        flows = (self.first, self.second)
        if any(flow.is_hidden for flow in flows):
            return None
        shuffles = [flow.constant("shuffle", True) for flow in flows]
        if not all(isinstance(each, bool) for each in shuffles):
            return None
        if shuffles[0] is not shuffles[1]:
            return "shuffle"
        if not shuffles[0] and not any(flow.surely_draws for flow in flows):
            return None
        seeds = [flow.constant("seed", None) for flow in flows]
        if seeds == [None, None]:
            return "no seed"
        if None in seeds:
            return "seed" if ... not in seeds else None
        return "seed" if surely_differ(self.first.argument("seed"), self.second.argument("seed")) else None

    @property
    def other_draws(self) -> tuple[str, ...]:
        """The random options that the two have unlike, where they have one seed."""
        seeds = [flow.argument("seed") for flow in (self.first, self.second)]
        if self.differs or any(flow.is_hidden for flow in (self.first, self.second)):
            return ()
        if seeds[0] is None or seeds[1] is None or seeds[0].term != seeds[1].term:
            return ()
        return tuple(option for option in RANDOM if self._is_unlike(option))

    def _is_unlike(self, option: str) -> bool:
        on = [flow.draws(option) for flow in (self.first, self.second)]
        if None in on:
            return False
        values = [flow.generator.keyword(option) for flow in (self.first, self.second)]
        return on[0] is not on[1] or (on == [True, True] and self._are_other_numbers(*values))

    def _are_other_numbers(self, one: Value | None, other: Value | None) -> bool:
        """Whether two options that are switched on surely have unlike values."""
        sides = [value.only if value is not None else None for value in (one, other)]
        return (
            all(isinstance(each, Constant) for each in sides)
            and one is not None
            and other is not None
            and one.term != other.term
        )


class Flows:
    """The flows of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> dict[Result, Flow]:
        """Every flow, by what its call gives."""
        return {
            call.result: Flow(call, call.result.receiver)
            for call in self._run.methods(*PARAMETERS)
            if isinstance(call.result.receiver, Result) and call.result.receiver.name == _GENERATOR
        }

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The flows of images without labels that are read together, each pair once."""
        found: dict[tuple[Result, Result], Pair] = {}
        for one, other in self._read_together():
            if one is not other and not one.has_labels and not other.has_labels:
                first, second = sorted((one, other), key=lambda flow: flow.call.context.clock)
                found[first.call.result, second.call.result] = Pair(first, second)
        return tuple(found.values())

    def _read_together(self) -> Iterator[tuple[Flow, Flow]]:
        for call in self._run.called("builtins.zip"):
            yield from self._two([value.only for value in call.result.args])
        for call in self._run.methods("fit", "fit_generator", "from_generator"):
            for value in (*call.result.args[:1], *(value for _, value in call.result.keywords)):
                for each in value:
                    if isinstance(each, Generator):
                        for given in each.frame.yields:
                            yield from self._yielded(given.value.only)

    def _yielded(self, found: Object | None) -> Iterator[tuple[Flow, Flow]]:
        """The flows that the two parts of a batch are taken from."""
        items = self._run.items(found) if found is not None else None
        if items is not None and len(items) == 2:
            yield from self._two([self._taken_from(item.only) for item in items])

    def _taken_from(self, found: Object | None) -> Object | None:
        """The flow that `next(flow)`, `flow.next()` or a part of it is taken from."""
        for _ in range(8):
            if not isinstance(found, Result):
                return None
            if found in self.all:
                return found
            given = [value.only for value in found.args if not isinstance(value.only, Constant)]
            through = found.name == "builtins.next" or (found.op == "operator" and len(given) == 1)
            found = given[0] if through and given else found.receiver
        return None

    def _two(self, found: list[Object | None]) -> Iterator[tuple[Flow, Flow]]:
        flows = [self.all.get(each) for each in found if isinstance(each, Result)]
        if len(found) == 2 and len(flows) == 2 and flows[0] is not None and flows[1] is not None:
            yield flows[0], flows[1]
