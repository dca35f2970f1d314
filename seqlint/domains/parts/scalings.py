"""How the inputs of a model are scaled on their way to it, and whether two ways scale alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from seqlint.domains.parts.parts import Parts
from seqlint.domains.sources.flows import Flows
from seqlint.knowledge.rows_kept import SUMMARIES
from seqlint.knowledge.scalings import DRAWING, LEARNERS, NEUTRAL, OF_ALL, OF_EACH, PASSES_THROUGH
from seqlint.run import Constant, Result, Setting, Tuple, Value

if TYPE_CHECKING:
    from seqlint.domains.parts.part import Part
    from seqlint.domains.rows.steps import Moment
    from seqlint.run import Object, Run

_DEEPEST, _DIGITS = 30, 7
_SWITCHES = (
    "rescale", "featurewise_center", "featurewise_std_normalization", "samplewise_center", "samplewise_std_normalization", "zca_whitening",
)  # fmt: skip
Unlike = Literal["missing", "added", "own", "other"]
"""What a second way does: it does *not* scale, it *alone* scales, it learns a scale of its *own* rows, it scales in *another* way."""
_SMALL = 1 / 100


@dataclass(frozen=True)
class Scale:
    """One change of scale.

    Attributes:
        kind: "times" (`factor * x + shift`), "each" (a function of each row), "learned" (numbers that were learned from rows).
        key: what makes two of a kind the same.
        made: the operation, or what learns.
        learns: whether this very operation learns its numbers from the rows that it gets.
    """

    kind: Literal["times", "each", "learned"]
    key: tuple[object, ...]
    made: Result
    learns: bool = False
    factor: float = 1.0


class Scalings:
    """The scales of a run's inputs."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._parts = run.domain(Parts)

    def of(self, part: Part, at: Moment) -> tuple[Scale, ...] | None:
        """What scales rows on their way, in order; None where something on the way is not known."""
        found: list[Scale] = []
        for way in part.ways:
            scales = self._of_way(way, at)
            if scales is None:
                return None
            found += scales
        return tuple(found)

    def _of_way(self, way: Result, at: Moment) -> list[Scale] | None:
        flow = self._run.domain(Flows).all.get(way)
        if flow is not None:
            return self._of_generator(flow.generator)
        if way.method == "map" and way.args and way.name.startswith("tensorflow"):
            return self._of_map(way, at)
        if way.op == "operator":
            scale = self._of_operator(way, at)
            return None if scale is None else [scale]
        return self._of_call(way, at)

    def _of_call(self, way: Result, at: Moment) -> list[Scale] | None:
        method, receiver = way.method, way.receiver
        if method in ("transform", "fit_transform") and isinstance(receiver, Result):
            if receiver.name not in LEARNERS:
                return None if not receiver.name.startswith("sklearn.preprocessing.") else []
            return [Scale("learned", (receiver.name, receiver.serial), way, method == "fit_transform")]
        if method in OF_ALL:
            return [Scale("learned", (way.name, way.serial), way, learns=True)]
        if method in OF_EACH:
            passes = method == "preprocess_input" and any(f".{name}." in way.name for name in PASSES_THROUGH)
            return [] if passes else [Scale("each", (way.name.removeprefix("tensorflow."),), way)]
        if method.endswith("()"):
            return self._of_layer(way)
        return [] if method in NEUTRAL or method.startswith(DRAWING) else None

    def _of_layer(self, way: Result) -> list[Scale] | None:
        """`Rescaling(1 / 255)(x)`: a layer that is called."""
        layer = way.receiver
        if not isinstance(layer, Result) or layer.op != "call":
            return (
                []
                if any(part in way.name for part in ("layers.Random", "layers.Resizing", "layers.CenterCrop"))
                else None
            )
        if layer.method.startswith("Random") or layer.method in ("Resizing", "CenterCrop"):
            return []
        scale = self.of_layer(layer, way)
        return None if scale is None else [scale]

    def of_layer(self, layer: Result, way: Result) -> Scale | None:
        """The scale of a `Rescaling` layer; None for others."""
        if layer.method != "Rescaling":
            return None
        factor = _number(layer.args[0] if layer.args else layer.keyword("scale"))
        shift = _number(layer.args[1] if len(layer.args) > 1 else layer.keyword("offset")) or 0.0
        return None if factor is None else Scale("times", (factor, shift), way, factor=factor)

    def _of_operator(self, way: Result, at: Moment) -> Scale | None:
        """`x / 255`, `(x - mean) / std`."""
        if len(way.args) != 2 or way.name not in ("+", "-", "*", "/"):
            return None
        left, right = (_number(value) for value in way.args)
        if right is not None:
            factor = {"/": 1 / right if right else 1.0, "*": right}.get(way.name, 1.0)
            shift = {"+": right, "-": -right}.get(way.name, 0.0)
            return Scale("times", (factor, shift), way, factor=factor)
        if left is not None and way.name in ("*", "+"):
            factor, shift = (left, 0.0) if way.name == "*" else (1.0, left)
            return Scale("times", (factor, shift), way, factor=factor)
        subject = next((each for value in way.args if (each := self._summed(value.only, at)) is not None), None)
        return Scale("learned", (way.name, subject.base, subject.steps), way) if subject is not None else None

    def _summed(self, found: Object | None, at: Moment, depth: int = 6) -> Part | None:
        """The rows that a mean or a maximum is taken of."""
        if not isinstance(found, Result) or depth == 0:
            return None
        if found.op == "call" and found.method in SUMMARIES:
            rows: Value | Object | None = (
                found.args[0] if found.args and found.name.startswith(("numpy", "tensorflow")) else found.receiver
            )
            return self._parts.of(rows, at)
        inner = [value.only for value in found.args] if found.op == "operator" else [found.receiver]
        return next((part for each in inner if (part := self._summed(each, at, depth - 1)) is not None), None)

    # -- flows and maps ---------------------------------------------------------------------------------------------

    def _of_generator(self, made: Result) -> list[Scale] | None:
        """What an `ImageDataGenerator` does to each picture; None where a function of the program does."""
        if made.args or any(name in ("*", "**", "preprocessing_function") for name, _ in made.keywords):
            function = made.keyword("preprocessing_function")
            name = getattr(function.only, "name", "") if function is not None else ""
            if not name.endswith("preprocess_input") or made.args or made.keyword("**") is not None:
                return None
            passes = any(f".{each}." in name for each in PASSES_THROUGH)
            own = [] if passes else [Scale("each", (name.removeprefix("tensorflow."),), made)]
            switched = self._of_switches(made)
            return None if switched is None else [*own, *switched]
        return self._of_switches(made)

    def _of_switches(self, made: Result) -> list[Scale] | None:
        """What the options of an `ImageDataGenerator` do, after its function."""
        found = []
        for switch in _SWITCHES:
            value = made.keyword(switch)
            if value is None or value.constant in (None, False, 0):
                continue
            factor = _number(value) if switch == "rescale" else None
            if switch == "rescale" and factor is None:
                return None
            key = (factor, 0.0) if factor is not None else (switch,)
            found.append(Scale("times" if factor is not None else "each", key, made, factor=factor or 1.0))
        return found

    def _of_map(self, way: Result, at: Moment) -> list[Scale] | None:
        """What the function of a `map` does to its first part."""
        given = self._run.returned(way)
        only = given[0].only if len(given) == 1 else None
        if isinstance(only, Tuple) and only.items:
            only = only.items[0].only
        return self.since_element(only, at)

    def since_element(self, only: Object | None, at: Moment) -> list[Scale] | None:
        """What scales a value in the function of a `map`, since it was an element of the dataset; None where something on the way is not known."""
        found: list[Scale] = []
        for _ in range(_DEEPEST):
            if not isinstance(only, Result):
                return None
            if only.op == "element" or (only.op == "item" and isinstance(only.receiver, Result)):
                return found if only.op == "element" else None
            scales = self._of_way(only, at)
            if scales is None:
                return None
            found = [*scales, *found]
            only = _input(only)
        return None


def unlike(train: tuple[Scale, ...], other: tuple[Scale, ...]) -> tuple[Unlike, Scale] | None:
    """What the second way does otherwise, and the operation that shows it; None where both scale alike."""
    shared = next(
        (n for n, (a, b) in enumerate(zip(train, other, strict=False)) if a.made is not b.made),
        min(len(train), len(other)),
    )
    train, other = train[shared:], other[shared:]  # done to all rows before they were split
    if not train and not other:
        return None
    if not other:
        return "missing", train[-1]
    if not train:
        return "added", other[-1]
    for here in other:
        if here.kind == "learned" and here.learns and any(each.kind == "learned" for each in train):
            return "own", here
    both = (*train, *other)
    if all(scale.kind == "times" for scale in both):
        return None if total(train) == total(other) else ("other", other[-1])
    if all(scale.kind == "each" for scale in both) and [each.key for each in train] != [each.key for each in other]:
        return "other", other[-1]
    return None


def twice(scales: tuple[Scale, ...]) -> Scale | None:
    """The second of two changes that each make small numbers of those of a picture."""
    shrunk = False
    for scale in scales:
        is_division = scale.kind == "times" and 0 < scale.factor <= _SMALL
        shrinks = is_division or (scale.kind == "each" and str(scale.key[0]).endswith("preprocess_input"))
        if shrinks and shrunk:
            return scale
        shrunk = shrunk or shrinks
    return None


def total(scales: tuple[Scale, ...]) -> tuple[float, float]:
    """The factor and the shift of changes of the kind "times", one after the other."""
    factor, shift = 1.0, 0.0
    for scale in scales:
        by, plus = scale.key
        factor, shift = factor * by, shift * by + plus  # type: ignore[operator]
    return round(factor, _DIGITS), round(shift, _DIGITS)


def _number(value: Value | None) -> float | None:
    only = value.only if value is not None else None
    if isinstance(only, Setting):
        only = only.default
    found = only.value if isinstance(only, Constant) else None
    return float(found) if isinstance(found, (int, float)) and not isinstance(found, bool) else None


def _input(found: Result) -> Object | None:
    """What an operation is done to."""
    if found.op == "operator":
        return next((value.only for value in found.args if isinstance(value.only, Result)), None)
    if found.args and isinstance(found.args[0].only, Result):
        return found.args[0].only
    return found.receiver
