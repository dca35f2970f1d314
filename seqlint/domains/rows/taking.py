"""Rows that an index takes: a slice, a mask, a shuffled index, a column, one of several collections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.domains.rows.steps import NUMBERS, Cut, Move, made_at
from seqlint.domains.rows.terms import are_names, counted, root, slice_of, zipped
from seqlint.domains.values.random import Draws
from seqlint.run import Constant, Result, Tuple, Unknown
from seqlint.run.objects import ALWAYS

if TYPE_CHECKING:
    from seqlint.domains.rows.steps import Key, Moment, Of, Rows
    from seqlint.run import Object, Run, Value


class Taking:
    """The rows of items."""

    def __init__(self, run: Run, of: Of) -> None:
        self._run = run
        self._draws = run.domain(Draws)
        self._of = of

    def item(self, found: Result, at: Moment, depth: int) -> Rows | None:
        """The rows of `x[index]`."""
        holder, index = found.receiver, found.args[0]
        if holder is None:
            return None
        cut = slice_of(index)
        if cut is not None:
            rows = self._of(holder, at, depth - 1)
            return rows if rows is None or cut.key == ("all",) else _cut(rows, cut, found)
        key = index.constant
        if isinstance(key, int) and not isinstance(key, bool):
            return self._component(found, holder, key, at, depth)
        if isinstance(key, str) or are_names(self._run, index):
            return self._column(found, holder, at, depth)
        rows = self._of(holder, made_at(found, at), depth - 1)
        only = index.only
        if isinstance(only, Tuple) and only.items:
            index = only.items[0]
        return self.by_index(found, rows, index, at, depth)

    def _column(self, found: Result, holder: Object, at: Moment, depth: int) -> Rows | None:
        """A column may be a view of its frame: a move of the frame may be in it or not."""
        rows = self._of(holder, made_at(found, at), depth - 1)
        now = self._of(holder, at, depth - 1)
        return rows if rows == now else None

    def _component(self, found: Result, holder: Object, key: int, at: Moment, depth: int) -> Rows | None:
        """One of several collections that a call gives, or one item of each row of a loop over `zip`."""
        if isinstance(holder, Result) and holder.op == "call":
            when = made_at(holder, at)
            if holder.name == "sklearn.utils.shuffle" and key < len(holder.args) > 1:
                return self.drawn(holder, self._of(holder.args[key], when, depth - 1))
            if holder.name == "sklearn.model_selection.train_test_split" and key // 2 < len(holder.args):
                rows = self._of(holder.args[key // 2], when, depth - 1)
                cut = Cut(("split", holder.serial, key % 2))
                return replace(rows, steps=(*rows.steps, cut)) if rows is not None else None
            star = holder.keyword("*") if holder.name == "builtins.zip" else None
            if star is not None:
                return self._of(star, when, depth - 1)
        if isinstance(holder, Result) and holder.op == "each":
            part = zipped(holder, key)
            rows = self._of(part, at, depth - 1) if part is not None else root(found)
            return replace(rows, by_row=True, single=True) if rows is not None else None
        return root(found)

    def by_index(self, found: Result, rows: Rows | None, index: Value, at: Moment, depth: int) -> Rows | None:
        """`x[order]`: the rows of x, taken in the way that the index was made."""
        if rows is None:
            return None
        only = index.only
        counter, start = counted(index)
        if counter is not None:
            return self._by_counter(found, rows, counter, start, at, depth)
        own = self._of(index, made_at(found, at), depth - 1)
        if rows.single and own is not None and own.moves and not own.single:
            return rows
        if own is not None and own.base == NUMBERS:
            steps = tuple(
                replace(step, made=found, clock=max(step.clock, found.clock)) if isinstance(step, Move) else step
                for step in own.steps
            )
            single = rows.single or own.single
            return replace(rows, steps=(*rows.steps, *steps), by_row=rows.by_row or own.by_row, single=single)
        if isinstance(only, (Unknown, Constant)) or only is None:
            return None
        steps = own.steps if own is not None else ()
        base = own.base if own is not None else ("index", index.term)
        if isinstance(only, Result) and only.op == "operator":
            base = ("index", index.term)
        return replace(rows, steps=(*rows.steps, Cut(("index", base)), *steps))

    def _by_counter(
        self, found: Result, rows: Rows, counter: Result, start: Value | None, at: Moment, depth: int
    ) -> Rows | None:
        """`y[n]` and `y[start + n]` in `for n, row in enumerate(rows)`: by the place of the row, not by what it holds."""
        over = self._of(counter.args[0], made_at(counter, at), depth - 1)
        last = over.cuts[-1] if over is not None and over.cuts else None
        if over is None or (start is not None and (last is None or last.key[:2] != ("slice", start.term))):
            return None
        if last is None:
            return replace(rows, by_row=True, single=True)
        cut = last if start is not None else Cut(("counter", counter.serial), over=over)
        return replace(_cut(rows, cut, found), by_row=True, single=True)

    def drawn(self, found: Result, rows: Rows | None) -> Rows | None:
        """Rows in the order that a call draws."""
        draw = self._draws.of(found)
        if rows is None or rows.single:
            return rows
        key: Key = ("draw", draw) if draw is not None else ("move", found.serial)
        return replace(rows, steps=(*rows.steps, Move(draw, key, ALWAYS, found.clock, found)))


def _cut(rows: Rows, cut: Cut, found: Result) -> Rows:
    return replace(rows, steps=(*rows.steps, replace(cut, made=found)))
