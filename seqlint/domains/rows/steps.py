"""Which rows of which collection, in which order: a base, and the steps that were taken from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seqlint.run.objects import ALWAYS

if TYPE_CHECKING:
    from seqlint.domains.values.random import Draw
    from seqlint.run import Call, Object, Result, Value
    from seqlint.run.objects import Guards

Key = tuple[object, ...]
NUMBERS: Key = ("numbers",)
"""The base of `np.arange(n)`: an index whose rows are their own places."""


@dataclass(frozen=True)
class Cut:
    """Some of the rows: a slice, a mask, one side of a split. Those of two values are the same if their keys are.

    Attributes:
        upto: the collection that a slice from the start is as long as: `y[: len(x)]`.
        made: the expression that takes them.
        over: for rows that the counter of a loop takes, those that the loop goes through.
    """

    key: Key
    upto: Key | None = field(default=None, compare=False)
    made: Result | None = field(default=None, compare=False)
    over: Rows | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Move:
    """All rows, in another order.

    Attributes:
        draw: what draws the order; None where it is not random, or nobody knows.
        guards: the conditions that are left open.
        made: the call that moves, or the expression that takes rows by an index.
    """

    draw: Draw | None
    key: Key
    guards: Guards = field(default=ALWAYS, compare=False)
    clock: int = field(default=0, compare=False)
    made: Result | None = field(default=None, compare=False)


Step = Cut | Move


@dataclass(frozen=True)
class Rows:
    """Rows of a collection.

    Attributes:
        base: the collection; `("numbers",)` for row numbers.
        steps: how they were taken from it, in order.
        since: the last moment at which code that is not followed has made them from others: a move before it may be in them.
        alike: whether they are all the same, so that any order is as good.
        holders: the collections on the way.
        by_row: whether they are taken one by one.
        single: whether it is one of them: an order of what is in it moves no row.
    """

    base: Key
    steps: tuple[Step, ...] = ()
    since: int = 0
    alike: bool = False
    holders: tuple[Key, ...] = field(default=(), compare=False)
    by_row: bool = field(default=False, compare=False)
    single: bool = field(default=False, compare=False)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """Which rows, whatever their order."""
        return tuple(step for step in self.steps if isinstance(step, Cut))

    @property
    def moves(self) -> tuple[Move, ...]:
        """In which order."""
        return tuple(step for step in self.steps if isinstance(step, Move))


@dataclass(frozen=True)
class Moment:
    """When a value is looked at, and on which way the reader came there."""

    clock: int
    way: Guards


Of = Callable[["Value | Object", Moment, int], "Rows | None"]
"""Gives the rows of a value at a moment; the number limits how deep its term is followed."""


def made_at(found: Result, at: Moment) -> Moment:
    """The moment at which a copy was made."""
    return Moment(min(found.clock, at.clock), at.way)


def moved_by(call: Call, draw: Draw | None) -> Move:
    """The move of a call that changes the order of its argument."""
    key: Key = ("draw", draw) if draw is not None else ("move", call.result.serial)
    return Move(draw, key, ALWAYS, call.context.clock, call.result)
