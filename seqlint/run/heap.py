"""Places and what was put there, as a log: branches need no copies, and a reader sees what can be there on its own way."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seqlint.run.objects import ALWAYS, Option, Value
from seqlint.run.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.run.objects import Guards, Key

Place = tuple[object, str]
"""The serial or term of an object, and the name of an attribute, an item or a variable."""


@record
class Put:
    """A value that was put somewhere; None is a deletion."""

    value: Value | None
    guards: Guards
    clock: int


@record
class Found:
    """What a place can hold.

    Attributes:
        options: each with the conditions that the reader's own way leaves open.
        sure: whether one of them surely is there.
    """

    options: tuple[Option, ...]
    sure: bool


_NOTHING = Found((), sure=False)


@dataclass
class Heap:
    """The places of a run."""

    log: dict[Place, list[Put]] = field(default_factory=lambda: defaultdict(list))
    names: dict[object, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))

    def put(self, place: Place, value: Value | None, guards: Guards, clock: int) -> None:
        """Log a value."""
        self.log[place].append(Put(value, guards, clock))
        self.names[place[0]].setdefault(place[1])

    def plain(self, place: Place, way: Guards) -> Value | None:
        """The one object that a place surely holds for a reader who came on a way; None where it is not as simple as that."""
        log = self.log.get(place)
        if not log or log[-1].value is None or not log[-1].guards <= way:
            return None
        options = log[-1].value.options
        return log[-1].value if len(options) == 1 and not options[0].guards else None

    def read(self, place: Place, way: Guards, before: int | None = None) -> Found:
        """What a place can hold for a reader who came on a way.

        Args:
            before: the time of the reader; None: the end of the run so far.
        """
        log = self.log.get(place)
        if log and before is not None and log[-1].clock > before:
            log = [put for put in log if put.clock <= before]
        if not log:
            return _NOTHING
        last = log[-1]
        if last.value is not None and last.guards <= way and not any(option.guards for option in last.value.options):
            return Found(last.value.options, sure=True)
        options: list[Option] = []
        covered: list[Guards] = []
        for put in reversed(log):
            if excluded(put.guards, way):
                continue
            rest = put.guards - way
            for option in put.value.options if put.value is not None else ():
                case = (option.guards - way) | rest
                if not excluded(option.guards, way) and not any(later <= case for later in covered):
                    options.append(Option(option.object, case))
            if covers(covered, rest):
                return Found(tuple(options), sure=True)
        return Found(tuple(options), sure=False)


def excluded(guards: Guards, way: Guards) -> bool:
    """Whether a way has taken a branch that a thing does not happen in."""
    return bool(guards) and any((key, not came) in way for key, came in guards)


def covers(covered: list[Guards], rest: Guards) -> bool:
    """Whether one of the cases so far, with this one, surely holds: of `if` and `else` one does."""
    waiting = [rest]
    while waiting:
        new = waiting.pop()
        if not new:
            return True
        for other in covered:
            merged = _merged(new, other)
            if merged is not None and not any(merged >= old for old in covered):
                waiting.append(merged)
        covered.append(new)
        if len(covered) > 24:
            return False
    return False


def _merged(one: Guards, other: Guards) -> Guards | None:
    """What two cases have in common, if they are the two sides of one condition."""
    only, more = one - other, other - one
    if len(only) != 1 or len(more) != 1:
        return None
    (key, came), (other_key, other_came) = next(iter(only)), next(iter(more))
    return one & other if key == other_key and came is not other_came else None


def simplest(guards: Iterable[tuple[Key, bool]], most: int = 10) -> Guards:
    """The conditions as a set; where they are too many to be followed, one that is like no other."""
    found = frozenset(guards)
    if len(found) <= most:
        return found
    return frozenset([(("many", *sorted(map(repr, found))), True)]) if found else ALWAYS
