"""Inputs and targets that go together row by row, but were moved separately."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.rows.pairs import Pairs
from seqlint.domains.rows.rows import RowOrders
from seqlint.domains.rows.steps import Moment, Move, Rows
from seqlint.domains.rows.terms import identity
from seqlint.domains.values.random import Draws
from seqlint.run.heap import excluded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.rows.pairs import Pair
    from seqlint.run import Run
    from seqlint.run.objects import Guards


@dataclass(frozen=True, eq=False)
class Misalignment:
    """A pair of which only one is moved, or each in its own order.

    Attributes:
        second: the last move of the other; None where the other keeps its order.
        names: what the program calls the two, that of the first move first.
        places: where a reader of this file sees the moves.
        several: whether more than these two belong together.
    """

    pair: Pair
    first: Move
    second: Move | None
    names: tuple[str, str]
    places: tuple[ast.AST | None, ast.AST | None] = (None, None)
    several: bool = False


class Misalignments:
    """The moved pairs of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._rows = run.domain(RowOrders)

    @cached_property
    def all(self) -> tuple[Misalignment, ...]:
        """In running order; two uses of one pair are two."""
        found = (
            [each for pair in self._run.domain(Pairs).all() for each in self._of_pair(pair)]
            if self._run.domain(Draws).any
            else []
        )
        together: dict[object, set[str]] = {}
        for each in found:
            for place in each.places:
                together.setdefault(place, set()).update(each.names)
        return tuple(
            replace(
                each,
                several=each.pair.several
                or any(len(together[each_]) > 2 for each_ in each.places if each_ is not None),
            )
            for each in found
        )

    # -- places -----------------------------------------------------------------------------------------------------

    def _place(self, move: Move, other: Move | None) -> ast.AST | None:
        """Where a reader of this file sees a move: where it differs from the other, which the same helper may make."""
        path, beside = _path(move), _path(other) if other is not None else []
        if beside and beside[-1] is path[-1]:
            for number in range(len(path) - 1, -1, -1):
                if number >= len(beside) or path[number] is not beside[number]:
                    path = path[: number + 1]
                    break
        return next((node for node in reversed(path) if node in self._here), None)

    @cached_property
    def _here(self) -> frozenset[ast.AST]:
        return frozenset(ast.walk(self._run.machine.main.tree))

    # -- judgement --------------------------------------------------------------------------------------------------

    def _of_pair(self, pair: Pair) -> Iterator[Misalignment]:
        moment = Moment(pair.context.clock, pair.context.guards)
        one, other = self._rows.of(pair.inputs, moment), self._rows.of(pair.targets, moment)
        if one is None or other is None or one.alike or other.alike or not (one.moves or other.moves):
            return
        if (
            not (pair.surely or pair.named or self._are_sliced_alike(pair, one, other))
            or not _same_rows(one, other)
            or self._run.domain(Pairs).may_be_aligned(pair)
        ):
            return
        if not pair.alone and not all(_is_from(pair, move) for move in (*one.moves, *other.moves)):
            return
        for guards in _scenarios(one, other):
            found = self._judged(pair, one, other, moment.way | guards)
            if found is not None:
                yield found
                return

    def _are_sliced_alike(self, pair: Pair, one: Rows, other: Rows) -> bool:
        """Whether one batch of a Sequence takes both by one slice: so they belong together, whatever their names; noise fits all rows."""
        cuts = [cut.key for cut in one.cuts]
        alike = pair.source is not None and cuts == [cut.key for cut in other.cuts]
        drawn = {identity(each) for each in self._run.domain(Draws).results}
        return alike and bool(cuts) and cuts[-1][0] == "slice" and drawn.isdisjoint((one.base, other.base))

    def _judged(self, pair: Pair, one: Rows, other: Rows, way: Guards) -> Misalignment | None:
        left, right = _happened(one, way), _happened(other, way)
        while left and right and _compared(left[0], right[0]) == "same":
            left, right = left[1:], right[1:]
        if any(move.draw is None for move in (*left, *right)) or not (left or right):
            return None
        if left and right:
            if _compared(left[0], right[0]) != "different":
                return None
            first, second = sorted((left[-1], right[-1]), key=lambda move: move.clock)
            if first.clock == second.clock:
                return None
            names = pair.names if first is left[-1] else pair.names[::-1]
            return self._found(pair, first, second, names)
        moves, still, names = (left, other, pair.names) if left else (right, one, pair.names[::-1])
        if not pair.alone or still.since >= moves[0].clock or _is_taken_in(pair, moves[-1]):
            return None
        return self._found(pair, moves[-1], None, names)

    def _found(self, pair: Pair, first: Move, second: Move | None, names: tuple[str, str]) -> Misalignment:
        places = (self._place(first, second), self._place(second, first) if second is not None else None)
        return Misalignment(pair, first, second, names, places)


def _is_from(pair: Pair, move: Move) -> bool:
    """Whether the code that passes a pair on is the one that moves it."""
    return move.draw is not None and move.draw.call.context.phases[-1] is pair.context.phases[-1]


def _is_taken_in(pair: Pair, move: Move) -> bool:
    """Whether the batch itself takes its rows through a shuffled index."""
    taken = move.made is not None and move.draw is not None and move.made is not move.draw.call.result
    return pair.start is not None and taken and move.clock >= pair.start


def _path(move: Move) -> list[ast.AST]:
    """The calls that lead to a move, and what moves."""
    assert move.made is not None
    assert move.made.node is not None
    stack = move.draw.call.context.stack if move.draw is not None else ()
    return [*stack, move.made.node]


def _compared(one: Move, other: Move) -> str:
    if one.draw is None or other.draw is None:
        return "same" if one.key == other.key else "unsure"
    return one.draw.compared(other.draw)


def _same_rows(one: Rows, other: Rows) -> bool:
    """Whether two values hold the same rows; `y[: len(x)]` are those of x."""
    left = [cut.key for cut in one.cuts if cut.upto is None or cut.upto not in (other.base, *other.holders)]
    right = [cut.key for cut in other.cuts if cut.upto is None or cut.upto not in (one.base, *one.holders)]
    return left == right


def _scenarios(one: Rows, other: Rows) -> list[Guards]:
    """The conditions to look at: those of each move that may have happened, and none."""
    found = {move.guards for move in (*one.moves, *other.moves)}
    return sorted(found, key=len) or [frozenset()]


def _happened(rows: Rows, way: Guards) -> list[Move]:
    return [move for move in rows.moves if move.guards <= way and not excluded(move.guards, way)]
