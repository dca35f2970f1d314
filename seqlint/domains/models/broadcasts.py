"""Labels with one axis that are subtracted from outputs with two: the difference of n rows has n times n numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.models.fit_labels import FitLabels
from seqlint.domains.models.heads import Heads
from seqlint.domains.models.targets import Targets
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.knowledge.losses import OF_NUMBERS, plain
from seqlint.run import Instance, Result, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Run, Value

_PREDICTS = frozenset({"predict", "predict_on_batch"})
_SUBTRACTS = frozenset({"subtract", "squared_difference"})


@dataclass(frozen=True, eq=False)
class Broadcast:
    """A difference, or a loss of Keras that is called.

    Attributes:
        result: the operator or the call.
        output: the call that gives the outputs.
        by_loss: whether a loss of Keras takes the difference.
    """

    result: Result
    output: Result
    by_loss: bool


class Broadcasts:
    """The differences of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._heads = run.domain(Heads)
        self._targets = run.domain(Targets)
        self._labels = run.domain(FitLabels)
        self._pipelines = run.domain(Pipelines)

    @cached_property
    def all(self) -> tuple[Broadcast, ...]:
        """Each, in running order."""
        return tuple(self._all())

    def _all(self) -> Iterator[Broadcast]:
        for result in self._run.results:
            by_loss = _is_loss(result)
            if len(result.args) != 2 or not (by_loss or _is_difference(result)):
                continue
            outputs = [self._output(value) for value in result.args]
            for output, other in zip(outputs, reversed(result.args), strict=True):
                if output is not None and self._has_one_axis(other):
                    yield Broadcast(result, output, by_loss)

    def _output(self, value: Value) -> Result | None:
        """The call of a model that gives one column with two axes."""
        only = value.only
        if (
            not isinstance(only, Result)
            or only.op != "call"
            or not (only.args or only.keyword("x"))
            or not isinstance(only.receiver, (Result, Instance))
        ):
            return None
        call = self._run.call_of.get(only)
        if call is None or not (only.method in _PREDICTS or only.name.endswith("()")):
            return None
        head = self._heads.of(only.receiver, call.context)
        if head is None or head.units != 1 or head.reshaped_by is not None:
            return None
        inputs = only.args[0] if only.args else only.keyword("x")
        by_inputs = head.table == "inputs" and inputs is not None and self._rank(inputs) == 2
        return only if head.table == "yes" or by_inputs else None

    def _has_one_axis(self, value: Value) -> bool:
        found = self._targets.of(value)
        return self._rank(value) == 1 and not found.is_column

    def _rank(self, value: Value) -> int | None:
        """How many axes an array has, or a part of a batch that a loop gets."""
        only = value.only
        if (
            isinstance(only, Result)
            and only.op == "item"
            and isinstance(only.receiver, Result)
            and only.receiver.op == "each"
        ):
            data = only.receiver.receiver
            number = constant(only.args[0]) if only.args else None
            if not isinstance(data, Result) or not self._pipelines.is_dataset(data) or number not in (0, 1):
                return None
            return self._labels.rank_of_part(data, 1 if number == 1 else 0)
        return self._targets.of(value).rank


def _is_difference(result: Result) -> bool:
    if result.op == "operator":
        return result.name == "-"
    return (
        result.op == "call"
        and result.method in _SUBTRACTS
        and result.name.startswith(("tensorflow.", "keras.ops.", "numpy."))
    )


def _is_loss(result: Result) -> bool:
    """Whether a loss of Keras is called by the program itself."""
    name = result.name.removesuffix("()")
    return (
        result.op == "call"
        and name.startswith("keras.losses.")
        and plain(name) in OF_NUMBERS
        and (result.receiver is None or result.name.endswith("()"))
    )
