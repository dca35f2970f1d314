"""Some rows of a collection, as a set, and how two such sets relate."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from seqlint.run import Object, Result

Key = tuple[object, ...]
Relation = Literal["same", "part", "whole", "overlap", "disjoint", "unknown"]
"""What the second of two parts is for the first: the *same* rows; a *part* of them; the *whole* that the first is a part of; *overlap*: other
rows, but some are in both; *disjoint*: none is in both; unknown."""


@dataclass(frozen=True)
class Take:
    """Some of the rows. The takes of one family are those that divide the rows among them.

    Attributes:
        family: ("split", 7): the sides of one call of `train_test_split`; ("slice",): all slices of the rows.
        side: which of them.
    """

    family: Key
    side: Key


@dataclass(frozen=True)
class Mix:
    """All rows in another order, so that takes after it are others."""

    key: Key


Step = Take | Mix


@dataclass(frozen=True)
class Part:
    """Some rows of a collection.

    Attributes:
        base: the collection; the same file is the same collection.
        steps: how they were taken from it, in order.
        source: what stands for the collection.
        ways: what was done to the rows on the way, in order.
        made_up: whether the rows are random numbers, or constants of the program.
        joined: the parts that a collection was put together from.
        windows: for a collection of windows over rows: those rows. Windows of two parts may share rows, so they are collections of their own.
    """

    base: Key
    steps: tuple[Step, ...] = ()
    source: Object | None = field(default=None, compare=False, repr=False)
    ways: tuple[Result, ...] = field(default=(), compare=False, repr=False)
    made_up: bool = field(default=False, compare=False)
    joined: tuple[Part, ...] = field(default=(), compare=False)
    windows: Part | None = field(default=None, compare=False, repr=False)

    def then(self, *steps: Step) -> Part:
        """The same rows, some of them taken or moved."""
        return replace(self, steps=(*self.steps, *steps))

    def by(self, made: Result) -> Part:
        """The same rows, each changed by itself."""
        return replace(self, ways=(*self.ways, made))

    @property
    def unwound(self) -> Part:
        """The rows that windows were cut from, taken as the windows are."""
        if self.windows is None:
            return self
        rows = self.windows.unwound
        return replace(rows, steps=(*rows.steps, *self.steps), ways=(*rows.ways, *self.ways))

    @property
    def takes(self) -> tuple[Take, ...]:
        """Which rows, whatever their order."""
        return tuple(step for step in self.steps if isinstance(step, Take))


def relation(one: Part | None, other: Part | None) -> Relation:
    """What a part is for another one."""
    if one is None or other is None:
        return "unknown"
    if one.base != other.base:
        return _of_joined(one, other)
    shared = next((n for n, (a, b) in enumerate(zip(one.steps, other.steps, strict=False)) if a != b), None)
    at = min(len(one.steps), len(other.steps)) if shared is None else shared
    left, right = one.steps[at:], other.steps[at:]
    takes = [[step for step in rest if isinstance(step, Take)] for rest in (left, right)]
    if not takes[0] or not takes[1]:
        return "same" if not takes[0] and not takes[1] else "part" if not takes[0] else "whole"
    if left[0] is not takes[0][0] or right[0] is not takes[1][0]:
        return "unknown"
    found = _of_takes(takes[0][0], takes[1][0])
    return "unknown" if found != "disjoint" and (len(takes[0]) > 1 or len(takes[1]) > 1) else found


def _of_joined(one: Part, other: Part) -> Relation:
    """What a part is for a collection that was put together, it or others among its parts."""
    if one.takes or other.takes != other.steps or not one.joined:
        return "unknown"
    found = {relation(each, other) for each in one.joined}
    return "part" if found & {"same", "part"} else "overlap" if found & {"whole", "overlap"} else "unknown"


def _of_takes(one: Take, other: Take) -> Relation:
    if one.family == ("slice",) == other.family:
        return _of_slices(one.side, other.side)
    return "disjoint" if one.family == other.family else "unknown"


def _of_slices(one: Key, other: Key) -> Relation:
    """Two slices, each as start, stop and step."""
    if one[2] is not None or other[2] is not None:
        return "disjoint" if one[2] == other[2] and one[1] == other[1] and one[0] != other[0] else "unknown"
    if (one[1] is not None and one[1] == other[0]) or (other[1] is not None and other[1] == one[0]):
        return "disjoint"
    left, right = _numbers(one), _numbers(other)
    if left is None or right is None:
        return "overlap" if one[0] is None and other[0] is None else "unknown"
    (start, stop), (first, last) = left, right
    if max(start, first) >= min(stop, last):
        return "disjoint"
    if (start, stop) == (first, last):
        return "same"
    return "part" if start <= first and last <= stop else "whole" if first <= start and stop <= last else "overlap"


def _numbers(side: Key) -> tuple[float, float] | None:
    """The bounds of a slice where they are numbers that count from the start."""
    start = 0 if side[0] is None else side[0]
    stop = float("inf") if side[1] is None else side[1]
    if isinstance(start, int) and isinstance(stop, (int, float)) and start >= 0 and stop >= 0:
        return start, stop
    return None
