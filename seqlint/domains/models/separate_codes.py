"""Labels for training and for scoring that are encoded separately."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.models.objectives import Objective, Objectives
from seqlint.domains.models.targets import Targets
from seqlint.knowledge.labels import ENCODERS, ONE_HOT, SKLEARN
from seqlint.run import Container, Result, Tuple, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run, Value

Fault = Literal["width", "codes"]
"""*width*: rows are as long as the highest class of their own labels; *codes*: a class can have another number, or column, in each of the two."""
_DEEPEST, _MOST = 6, 60


@dataclass(frozen=True, eq=False)
class SeparateCodes:
    """Two encodings of labels of one model.

    Attributes:
        trained, scored: the calls that encode the labels that the model is trained and scored on.
    """

    compiled: Objective
    trained: Result
    scored: Result
    fault: Fault


class LabelCodes:
    """The encodings of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._compiles = run.domain(Objectives)
        self._targets = run.domain(Targets)

    @cached_property
    def separate(self) -> tuple[SeparateCodes, ...]:
        """Those that are made separately for training and scoring."""
        return tuple(self._separate())

    def _separate(self) -> Iterator[SeparateCodes]:
        for compiled in self._compiles.all:
            trained = [
                value for use in compiled.uses if use.result.method == "fit" for value in self._labels(use.result, 1)
            ]
            scored = [
                value
                for use in compiled.uses
                if use.result.method == "evaluate"
                for value in self._labels(use.result, 1)
            ]
            scored += [
                value for use in compiled.uses if use.result.method == "fit" for value in self._validated(use.result)
            ]
            for one in trained:
                for other in scored:
                    yield from self._compared(compiled, one, other)

    def _compared(self, compiled: Objective, one: Value, other: Value) -> Iterator[SeparateCodes]:
        for made in self._makers(one):
            for again in self._makers(other):
                fault = _fault(made, again)
                if made is again or fault is None or _is_of(made.args[0], again.args[0]):
                    continue
                if not self._has_all_classes(again.args[0]):
                    yield SeparateCodes(compiled, made, again, fault)

    def _labels(self, use: Result, place: int) -> list[Value]:
        given = use.keyword("y") or (use.args[place] if len(use.args) > place else None)
        return [given] if given is not None else []

    def _validated(self, use: Result) -> list[Value]:
        given = use.keyword("validation_data")
        items = (
            self._run.items(given.only) if given is not None and isinstance(given.only, (Tuple, Container)) else None
        )
        return [items[1]] if items is not None and len(items) > 1 else []

    def _makers(self, value: Value) -> Iterator[Result]:
        """The encoders that labels have gone through, the last one first."""
        for _ in range(_DEEPEST):
            made = self._targets.of(value).made
            if made is None or not made.args:
                return
            yield made
            value = made.args[0]

    def _has_all_classes(self, value: Value) -> bool:
        """Whether labels surely have each class: they are those of a known data set, or a split that keeps the classes."""
        for each in _made_of(value):
            stratify = each.keyword("stratify")
            if each.name.startswith("keras.datasets.") or each.method in SKLEARN:
                return True
            if stratify is not None and constant(stratify) is not None:
                return True
        return False


def _made_of(value: Value) -> Iterator[Result]:
    """The terms that a value is made of, itself among them."""
    waiting: list[Object] = [*value]
    for _ in range(_MOST):
        if not waiting:
            return
        each = waiting.pop()
        if isinstance(each, Result):
            yield each
            waiting += [each.receiver] if each.receiver is not None else []
            waiting += [part for argument in each.args for part in argument]


def _fault(made: Result, again: Result) -> Fault | None:
    if made.name != again.name:
        return None
    if made.name in ONE_HOT and made.method == "to_categorical":
        open_ones = all(
            len(each.args) == 1 and not {"num_classes", "**", "*"} & {name for name, _ in each.keywords}
            for each in (made, again)
        )
        return "width" if open_ones else None
    if made.name == "pandas.get_dummies":
        return "codes"
    if made.method != "fit_transform" or not (isinstance(made.receiver, Result) and isinstance(again.receiver, Result)):
        return None
    same = made.receiver.name == again.receiver.name and ENCODERS.get(made.receiver.name) in (
        "classes",
        "one-hot",
        "several",
    )
    fixed = any(name in ("categories", "classes") for each in (made, again) for name, _ in each.receiver.keywords)  # type: ignore[union-attr]
    return "codes" if same and not fixed else None


def _is_of(part: Value, whole: Value) -> bool:
    """Whether some labels are others, or a part of them."""
    return any(each.term == whole.term for each in _made_of(part))
