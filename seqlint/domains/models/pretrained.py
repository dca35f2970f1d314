"""Models with weights of ImageNet that get other numbers than these were trained on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.models.made_of import made_of
from seqlint.domains.parts.counted import Counted, Reader
from seqlint.domains.parts.fed import moment
from seqlint.domains.parts.preprocessed import is_picture, is_plain
from seqlint.domains.parts.scalings import Scale, Scalings, total
from seqlint.knowledge.pretrained import PRETRAINED
from seqlint.run import Result
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.parts.part import Part
    from seqlint.run import Object, Run

Numbers = Literal["0 to 1", "-1 to 1", "0 to 255"]
_GIVEN: dict[Numbers, tuple[float, float]] = {
    "0 to 1": (1 / 255, 0.0),
    "-1 to 1": (1 / 127.5, -1.0),
    "0 to 255": (1.0, 0.0),
}
_TAKEN: dict[str, tuple[Numbers, ...]] = {
    "own": ("0 to 255",),
    "centred": ("-1 to 1",),
    "caffe": ("0 to 255",),
    "torch": (),
}
"""What comes near enough: caffe's numbers lie around 0, but are as wide as those of a picture."""
_CLOSE = 0.03
_SCALES = ("Rescaling", "Lambda", "Normalization", "preprocess_input", "LayerNormalization")


@dataclass(frozen=True, eq=False)
class Mismatched:
    """A model with weights of ImageNet in a training.

    Attributes:
        made: the call that makes it.
        kind: what its weights want, one of `knowledge.pretrained.Inputs`.
        numbers: what it gets.
    """

    made: Result
    kind: str
    numbers: Numbers
    reader: Reader


class Pretrained:
    """Such models of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._counted = run.domain(Counted)
        self._scalings = run.domain(Scalings)

    @cached_property
    def mismatched(self) -> tuple[Mismatched, ...]:
        """Each model once."""
        found: dict[object, Mismatched] = {}
        for reader in self._counted.readers:
            if reader.role == "train" and reader.own:
                for each in self._of(reader):
                    found.setdefault(each.made.node, each)
        return tuple(found.values())

    def _of(self, reader: Reader) -> Iterator[Mismatched]:
        model = reader.call.result.receiver
        inside = made_of(self._run, model, reader.call.context) if model is not None else []
        bases = {each for each in inside if _is_pretrained(each)}
        if len(bases) != 1:
            return
        base = bases.pop()
        numbers = self._numbers(reader, inside)
        if isinstance(base, Result) and numbers is not None and numbers not in _TAKEN[PRETRAINED[base.method]]:
            yield Mismatched(base, PRETRAINED[base.method], numbers, reader)

    def _numbers(self, reader: Reader, inside: list[Object]) -> Numbers | None:
        """What reaches the weights; None where that is not known."""
        part = reader.own[0]
        scales = self._scalings.of(part, moment(reader.call)) if is_plain(reader) else None
        own = self._own_scales(inside)
        if scales is None or own is None or any(scale.kind != "times" for scale in (*scales, *own)):
            return None
        if not scales and not own and not _is_of_files(part):
            return None
        factor, shift = total((*scales, *own))
        for numbers, (by, plus) in _GIVEN.items():
            if abs(factor / by - 1) < _CLOSE and abs(shift - plus) < _CLOSE:
                return numbers
        return None

    def _own_scales(self, inside: list[Object]) -> list[Scale] | None:
        """The scale that a model begins with: one `Rescaling`; None where something else may scale."""
        results = [each for each in inside if isinstance(each, Result)]
        layers = [each for each in results if each.method in _SCALES and not each.name.endswith("()")]
        if any(each.op == "operator" and each.name in ("+", "-", "*", "/") for each in results) or len(layers) > 1:
            return None
        scales = [self._scalings.of_layer(layer, layer) for layer in layers]
        return [scale for scale in scales if scale is not None] if all(scales) else None


def _is_pretrained(found: Object) -> bool:
    """Whether an object is a model of `keras.applications` with the weights of ImageNet."""
    if not isinstance(found, Result) or found.op != "call" or not found.name.startswith("keras.applications."):
        return False
    given = found.argument("weights", 1)
    own = found.keyword("include_preprocessing")
    hidden = found.keyword("**") is not None
    return (
        found.method in PRETRAINED and own is None and not hidden and (given is None or constant(given) == "imagenet")
    )


def _is_of_files(part: Part) -> bool:
    """Whether rows are pictures as their files hold them: 0 to 255."""
    return part.base[:1] == ("folder",) or is_picture(part.source)
