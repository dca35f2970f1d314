"""Windows of time series: which rows and columns of one array are inputs, and which are targets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Constant, Result, Tuple, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

_SAME = frozenset({"to_numpy", "astype", "copy", "squeeze", "ravel", "flatten", "reshape"})
"""Methods of arrays and data frames that keep each row at its place."""
_SAME_OF = frozenset(
    {"numpy.array", "numpy.asarray", "numpy.squeeze", "numpy.ravel", "numpy.expand_dims", "numpy.float32"}
)
_ALL: frozenset[object] = frozenset({...})
"""Every column."""


@dataclass(frozen=True)
class Part:
    """A part of an array.

    Attributes:
        whole: the array, as a term.
        first: the row that it begins with.
        columns: those that it has, by name or number; `_ALL` for all of them, None where nobody knows.
    """

    whole: int
    first: int = 0
    columns: frozenset[object] | None = _ALL


@dataclass(frozen=True, eq=False)
class Inside:
    """A call whose windows hold their targets.

    Attributes:
        shift: by how many rows the targets are moved.
        span: how many rows a window reaches over; None where that is not known.
    """

    call: Call
    shift: int
    span: int | None


class Windows:
    """The windows that `timeseries_dataset_from_array` makes."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @cached_property
    def inside(self) -> tuple[Inside, ...]:
        """The calls whose targets are among the inputs, for sure."""
        return tuple(self._inside())

    def _inside(self) -> Iterator[Inside]:
        for call in self._run.calls:
            step = call.result
            if step.method != "timeseries_dataset_from_array" or not self._pipelines.is_step(step):
                continue
            data, targets = (self._part(self._pipelines.argument(step, name)) for name in ("data", "targets"))
            if data is None or targets is None or data.whole != targets.whole or not _holds(data, targets):
                continue
            shift, span = targets.first - data.first, self._span(step)
            if shift == 0 or (span is not None and 0 < shift < span):
                yield Inside(call, shift, span)

    def _span(self, step: Result) -> int | None:
        """How many rows there are from the first row of a window to its last."""
        length, rate = self._number(step, "sequence_length", None), self._number(step, "sampling_rate", 1)
        return (length - 1) * rate + 1 if length is not None and rate is not None else None

    def _number(self, step: Result, name: str, default: int | None) -> int | None:
        value = self._pipelines.argument(step, name)
        found = constant(value) if value is not None else default
        return found if isinstance(found, int) else None

    # -- parts of arrays --------------------------------------------------------------------------------------------

    def _part(self, value: Value | None) -> Part | None:
        only = value.only if value is not None else None
        if only is None or (isinstance(only, Constant) and only.value is None):
            return None
        return self._of(only)

    def _of(self, found: Object) -> Part:
        """What an object is a part of."""
        if not isinstance(found, Result):
            return Part(found.term)
        inner = found.receiver
        if found.op == "call" and inner is None and found.name in _SAME_OF and found.args:
            inner = found.args[0].only
            return self._of(inner) if inner is not None else Part(found.term)
        if inner is None:
            return Part(found.term)
        if (found.op == "call" and found.method in _SAME) or (found.op == "attribute" and found.method == "values"):
            return self._of(inner)
        if found.op == "item" and len(found.args) == 1:
            return self._item(self._of(inner), found.args[0].only) or Part(found.term)
        return Part(found.term)

    def _item(self, part: Part, index: Object | None) -> Part | None:
        """A part of a part; None where nobody can say which rows it has."""
        if isinstance(index, Tuple) and len(index.items) == 2:
            rows, columns = (item.only for item in index.items)
            moved = self._item(part, rows) if _is_slice(rows) else None
            return replace(moved, columns=self._columns(part, columns)) if moved is not None else None
        if isinstance(index, Result) and _is_slice(index):
            first, step = (constant(index.args[place]) for place in (0, 2))
            first = 0 if first is None else first
            if not isinstance(first, int) or first < 0 or step is not None:
                return None
            return replace(part, first=part.first + first)
        names = self._names(index)
        return replace(part, columns=names) if names is not None else None

    def _names(self, index: Object | None) -> frozenset[object] | None:
        """The columns of a data frame that an index names."""
        given = [index] if isinstance(index, Constant) else [item.only for item in self._run.items(index) or ()]
        names = [each.value for each in given if isinstance(each, Constant) and isinstance(each.value, str)]
        return frozenset(names) if names and len(names) == len(given) else None

    def _columns(self, part: Part, index: Object | None) -> frozenset[object] | None:
        """The columns that the second index of an array takes."""
        if _is_slice(index) and isinstance(index, Result):
            return part.columns if all(constant(each) is None for each in index.args) else None
        if isinstance(index, Constant) and isinstance(index.value, int) and part.columns is _ALL:
            return frozenset({index.value})
        return None


def _is_slice(index: Object | None) -> bool:
    return isinstance(index, Result) and index.op == "operator" and index.name == "slice"


def _holds(data: Part, targets: Part) -> bool:
    """Whether all columns of the targets surely are among those of the inputs."""
    if data.columns is None or targets.columns is None:
        return False
    return data.columns is _ALL or targets.columns <= data.columns
