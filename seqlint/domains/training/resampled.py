"""Rows that are multiplied before they are split: copies of one row come to both sides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.draws import contents
from seqlint.domains.training.feeds import argument
from seqlint.run import Result
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run

_SPLIT = "sklearn.model_selection.train_test_split"
_OVER = ("imblearn.over_sampling.", "imblearn.combine.")
_OTHERS = ("sklearn.", "imblearn.", "xgboost.", "lightgbm.", "catboost.")
_RESAMPLES = ("fit_resample", "fit_sample")


@dataclass(frozen=True, eq=False)
class Multiplied:
    """A call that adds copies of rows, or rows between rows, before these are split.

    Attributes:
        split: the split after it.
        fit: a training on one of its sides.
    """

    made: Result
    split: Call
    fit: Call


class MultipliedRows:
    """Such calls of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[Multiplied, ...]:
        """Each call once, in running order."""
        found: dict[Result, Multiplied] = {}
        trained = self._trained
        for split in self._run.called(_SPLIT):
            fit = trained.get(split.result)
            for made in self._multiplied(split) if fit is not None else ():
                if fit is not None:
                    found.setdefault(made, Multiplied(made, split, fit))
        return tuple(found.values())

    @cached_property
    def _trained(self) -> dict[Object, Call]:
        """What the data of all trainings are made of, with the first of these."""
        found: dict[Object, Call] = {}
        for call in self._run.methods("fit", "fit_generator"):
            given = argument(call, "x") if call.name.startswith("keras.") or not _is_foreign(call) else None
            for each in contents(self._run, given) if given is not None else ():
                found.setdefault(each, call)
        return found

    def _multiplied(self, split: Call) -> Iterator[Result]:
        for value in split.result.args[:1]:
            for each in contents(self._run, value):
                if isinstance(each, Result) and each.op == "call" and _adds_copies(each):
                    yield each


def _is_foreign(call: Call) -> bool:
    """Whether an estimator of another library is fitted."""
    receiver = call.result.receiver
    return isinstance(receiver, Result) and receiver.name.startswith(_OTHERS)


def _adds_copies(made: Result) -> bool:
    receiver = made.receiver
    if made.method in _RESAMPLES and isinstance(receiver, Result):
        return receiver.name.startswith(_OVER)
    if made.name != "sklearn.utils.resample":
        return False
    replace = made.keyword("replace")
    return made.keyword("n_samples") is not None and (replace is None or constant(replace) is True)
