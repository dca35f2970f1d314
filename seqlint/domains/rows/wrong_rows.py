"""Indexes that take other rows than intended, or none."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from seqlint.domains.rows.pairs import Pairs, is_target
from seqlint.domains.rows.rows import RowOrders
from seqlint.domains.rows.steps import Moment
from seqlint.domains.rows.terms import is_count, is_slice
from seqlint.domains.values.random import Draws
from seqlint.knowledge.orders import LISTS
from seqlint.run import Container, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.rows.pairs import Pair
    from seqlint.domains.rows.steps import Cut, Rows
    from seqlint.run import Call, Instance, Object, Run, Value

How = Literal["list by array", "past the index", "by the counter"]
"""*list by array*: a list that is given an array of numbers.
*past the index*: a part of a batch is taken by its place where another is taken through a shuffled index.
*by the counter*: a part is taken by the number of a loop's round over the rows that the index gives."""
_ARRAYS = frozenset({"numpy.arange", "numpy.random.permutation", "numpy.random.Generator.permutation", "numpy.random.RandomState.permutation"})  # fmt: skip


@dataclass(frozen=True, eq=False)
class WrongRows:
    """A place of this file where rows are taken wrongly.

    Attributes:
        index: what they are taken by, or should be.
        through: the other part, whose rows are taken through the index.
        source: the Sequence whose batch has both.
        names: what holds them.
    """

    how: How
    node: ast.Subscript
    index: str
    through: str = ""
    source: Instance | None = None
    names: tuple[str, ...] = ()

    @property
    def by_sum(self) -> bool:
        """Whether a row is taken at a sum: `y[start + n]`."""
        return isinstance(self.node.slice, ast.BinOp)


class RowTakers:
    """The places of a run where rows are taken by a shuffled index, or past it."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._rows = run.domain(RowOrders)
        self._pairs = run.domain(Pairs)

    @cached_property
    def all(self) -> tuple[WrongRows, ...]:
        """In reading order, each place once."""
        if not self._run.domain(Draws).any:
            return ()
        past = (found for pair in self._pairs.all() if pair.source is not None for found in self._past_index(pair))
        found = {each.node: each for each in (*self._by_arrays(), *past)}
        return tuple(sorted(found.values(), key=lambda each: self._run.span(each.node)))

    def _by_arrays(self) -> Iterator[WrongRows]:
        taken: dict[ast.Subscript, list[bool]] = {}
        for each in self._run.results:
            if each.op == "item" and each.receiver is not None and (node := self._node(each.node, each.module)):
                taken.setdefault(node, []).append(_is_list(each.receiver) and _is_order(each.args[0]))
        for read in self._run.reads:
            if read.kind == "index" and (node := self._node(read.node, read.context.module)):
                taken.setdefault(node, []).append(_is_order(read.value))
        for node, answers in taken.items():
            if all(answers):
                yield WrongRows("list by array", node, self._run.text(node.slice))

    def _past_index(self, pair: Pair) -> Iterator[WrongRows]:
        moment = Moment(pair.context.clock, pair.context.guards)
        one, other = self._rows.of(pair.inputs, moment), self._rows.of(pair.targets, moment)
        if one is None or other is None or one.alike or other.alike or self._pairs.may_be_aligned(pair):
            return
        for through, still, name in ((one, other, pair.names[0]), (other, one, pair.names[1])):
            cut = still.cuts[-1] if still.cuts else None
            draw = _taken_in(pair, through)
            if cut is None or cut.made is None or draw is None or still.moves or still.since >= draw.context.clock:
                continue
            node = self._node(cut.made.node, cut.made.module)
            how = self._how(through, still, cut)
            if how is not None and node is not None:
                index = self._index(draw)
                yield WrongRows(how, node, index, name, pair.source, (*pair.names, index))

    def _how(self, through: Rows, still: Rows, cut: Cut) -> How | None:
        if [each.key for each in through.cuts] == [each.key for each in still.cuts]:
            return "past the index" if cut.key[0] == "slice" else None
        if (
            cut.over is None
            or cut.made is None
            or cut.over.steps[-len(still.cuts) :] != through.steps[-len(still.cuts) :]
        ):
            return None
        return "by the counter" if any(map(is_target, self._words(cut.made))) else None

    def _index(self, draw: Call) -> str:
        """What the program calls the index that a draw makes or moves."""
        moved = draw.result.args[0].only if draw.result.args else None
        for each in (draw.result, moved):
            name = self._pairs.named(each) if isinstance(each, (Result, Container)) else ""
            if name:
                return name
        return self._run.text(draw.node)

    def _words(self, taken: Result) -> Iterator[str]:
        """The names in `self.table["y"].iloc[n]` and `self.table.iloc[n].label`."""
        for part in ast.walk(taken.node) if taken.node is not None else ():
            if isinstance(part, ast.Attribute):
                yield part.attr
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value
        for each in self._run.results:
            if each.receiver is taken and each.op in ("attribute", "item"):
                yield str(each.args[0].constant) if each.args else each.method

    def _node(self, node: ast.AST | None, module: object) -> ast.Subscript | None:
        return node if isinstance(node, ast.Subscript) and module is self._run.machine.main else None


def _taken_in(pair: Pair, rows: Rows) -> Call | None:
    """What draws the order of an index by which the batch itself takes its rows."""
    last = rows.moves[-1] if rows.moves else None
    if last is None or last.draw is None or any(move.draw is None for move in rows.moves):
        return None
    taken = last.made is not last.draw.call.result and pair.start is not None and last.clock >= pair.start
    return last.draw.call if taken else None


def _is_list(found: Object) -> bool:
    if isinstance(found, Container):
        return found.kind == "list"
    if not isinstance(found, Result) or found.op not in ("call", "item"):
        return False
    if found.op == "item":
        return found.receiver is not None and is_slice(found.args[0]) and _is_list(found.receiver)
    return found.name in LISTS or (found.receiver is not None and found.method in LISTS)


def _is_order(index: Value) -> bool:
    """Whether an index surely is an array of row numbers, or a slice of one."""
    return bool(index.options) and all(_is_numbers(each) for each in index)


def _is_numbers(found: Object) -> bool:
    while isinstance(found, Result) and found.op == "item" and found.receiver is not None and is_slice(found.args[0]):
        found = found.receiver
    if not isinstance(found, Result) or found.name not in _ARRAYS or not found.args:
        return False
    return found.name == "numpy.arange" or is_count(found.args[0])
