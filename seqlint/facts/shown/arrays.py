"""What a run knows of an array or list, in words: its rows, their order and why, its shape, type and range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.counts.counts import Counts
from seqlint.domains.rows.rows import RowOrders
from seqlint.domains.rows.steps import Moment, Move
from seqlint.domains.values.arrays import Arrays
from seqlint.domains.values.ranges import Ranges
from seqlint.run import Container, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.rows.steps import Rows, Step
    from seqlint.run import Run
    from seqlint.run.trace import Watched


class ArraysShown:
    """The words for the arrays and lists of one run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._counts = run.domain(Counts)
        self._arrays = run.domain(Arrays)
        self._ranges = run.domain(Ranges)
        self._rows = run.domain(RowOrders)

    def of(self, watched: Watched) -> Iterator[str]:
        """What is known of a value at the moment at which it was there; nothing where it is neither array nor list."""
        only = watched.value.only
        if not isinstance(only, (Result, Container)):
            return
        count, array = self._counts.rows(only), self._arrays.of(watched.value)
        if count is not None:
            yield "1 row" if count == 1 else f"{count} rows"
        if array is not None:
            yield f"array of {array.dtype}" + (f", {_axes(array.rank)}" if array.rank else "")
        reach = self._ranges.of(watched.value)
        if reach is not None:
            yield f"from {reach.low:g} to {reach.high:g}" if reach.low < reach.high else f"{reach.low:g} everywhere"
        rows = self._rows.of(watched.value, Moment(watched.clock, watched.way))
        yield from self._steps(rows) if rows is not None else ()

    def _steps(self, rows: Rows) -> Iterator[str]:
        for step in rows.steps:
            what = self._text(step)
            yield f"{'in another order' if isinstance(step, Move) else 'a part of the rows'}{what}"

    def _text(self, step: Step) -> str:
        """What makes a step, with its line."""
        node = step.made.node if step.made is not None else None
        if node is None or step.made is None or step.made.module is not self._run.machine.main:
            return ""
        text = " ".join(self._run.text(node).split())
        return f": {text if len(text) <= 60 else text[:59] + '…'}, line {self._run.position(node).line}"


def _axes(rank: int) -> str:
    return "1 axis" if rank == 1 else f"{rank} axes"
