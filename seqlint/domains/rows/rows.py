"""Which rows of which collection a value holds, and in which order, at a moment of the run.

Every collection that nothing here derives from another has rows of its own. From there on a value is a sequence of steps: slices and
masks that take some rows, draws that move them. Two values that went the same way hold rows that belong together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.domains.rows.in_place import InPlace
from seqlint.domains.rows.making import Making
from seqlint.domains.rows.steps import Cut, Moment, Rows, made_at
from seqlint.domains.rows.taking import Taking
from seqlint.domains.rows.terms import identity, is_nothing, root, shown
from seqlint.knowledge.orders import MEASURES
from seqlint.run import Container, Result, Value
from seqlint.run.heap import excluded

if TYPE_CHECKING:
    from seqlint.run import Object, Run
    from seqlint.run.machine import Piece

_DEEPEST = 24


class RowOrders:
    """The rows of the values of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._in_place = run.domain(InPlace)
        self._taking = Taking(run, self._of)
        self._making = Making(run, self._of, self._taking, self._in_place)

    def of(self, found: Value | Object, at: Moment) -> Rows | None:
        """The rows of a value; None where that is not known, or the value has no rows."""
        return self._of(found, at, _DEEPEST)

    def _of(self, found: Value | Object, at: Moment, depth: int) -> Rows | None:
        if depth <= 0:
            return None
        if isinstance(found, Value):
            return self._of_options(found, at, depth)
        if isinstance(found, Result):
            return self._moved(found, self._of_result(found, at, depth), found.clock, at)
        if isinstance(found, Container):
            rows, made = self._of_container(found, at, depth)
            return self._moved(found, rows, made, at)
        return None

    def _of_options(self, value: Value, at: Moment, depth: int) -> Rows | None:
        """All that the way leaves open must agree."""
        found: list[Rows | None] = []
        for option in value.options:
            if not excluded(option.guards, at.way) and not is_nothing(option.object):
                found.append(self._of(option.object, at, depth - 1))
        first = found[0] if found else None
        return first if first is not None and all(each == first for each in found) else None

    def _moved(self, found: Result | Container, rows: Rows | None, made: int, at: Moment) -> Rows | None:
        """Rows with the moves that happened to their collection since it was made."""
        if rows is None or rows.single:
            return rows
        own = identity(found)
        moves = [
            replace(each.move, guards=each.guards - at.way)
            for each in self._in_place.moves.get(own, ())
            if made < each.move.clock <= at.clock and not excluded(each.guards, at.way) and not each.cut
        ]
        if any(each.cut and made < each.move.clock <= at.clock for each in self._in_place.moves.get(own, ())):
            return None
        return replace(rows, steps=(*rows.steps, *moves), holders=(*rows.holders, own))

    def _of_result(self, found: Result, at: Moment, depth: int) -> Rows | None:
        if found.op == "item":
            return self._taking.item(found, at, depth)
        if found.op == "attribute":
            if found.method in MEASURES:
                return None
            seen = shown(found)
            return self._of(seen, at, depth - 1) if seen is not None else self._of_part(found, at, depth)
        if found.op == "call":
            return self._making.call(found, at, depth)
        if found.op == "operator":
            return self._making.operator(found, at, depth)
        if found.op == "each" and isinstance(found.receiver, (Result, Container)):
            rows = self._of(found.receiver, made_at(found, at), depth - 1)
            return replace(rows, by_row=True, single=True) if rows is not None else None
        return root(found)

    def _of_part(self, found: Result, at: Moment, depth: int) -> Rows:
        """`frame.iloc[row].label`: a part of a row is of that row."""
        of_item = isinstance(found.receiver, Result) and found.receiver.op == "item"
        rows = self._of(found.receiver, at, depth - 1) if of_item and found.receiver is not None else None
        return rows if rows is not None and rows.by_row else root(found)

    def _of_container(self, found: Container, at: Moment, depth: int) -> tuple[Rows | None, int]:
        """What a list that is filled in a loop holds: a row for each that the loop goes through; and when it was made."""
        pieces = [each for each in self._run.pieces(found) if each.context.clock <= at.clock]
        log = self._run.machine.heap.log.get((found.serial, "len"), ())
        made = log[0].clock if log else 0
        if not pieces:
            return Rows(identity(found)), made
        last = pieces[-1]
        if last.how == "extend" and len({each.value.term for each in pieces}) == 1:
            return self._of(last.value, Moment(last.context.clock, at.way), depth - 1), last.context.clock
        loops = {each.loops[-1].node for each in pieces if each.loops}
        if len(loops) != 1 or any(each.how != "append" or not each.loops for each in pieces):
            return Rows(identity(found), since=last.context.clock), last.context.clock
        rows = self._of_round(last, at, depth)
        return (rows if rows is not None else Rows(identity(found), since=last.context.clock)), last.context.clock

    def _of_round(self, piece: Piece, at: Moment, depth: int) -> Rows | None:
        when = Moment(piece.context.clock, at.way | piece.context.guards)
        found = self._making.sources([piece.value], when, depth - 1)
        if found is None or len(found) != 1:
            return None
        tests = tuple(sorted(str(guard) for guard in piece.context.guards if guard[0][0] != "round"))
        cut = (Cut(("tests", *tests)),) if tests and not {*piece.context.guards} <= at.way else ()
        return replace(found[0], steps=(*found[0].steps, *cut), single=False)
