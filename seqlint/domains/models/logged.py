"""The names under which a fit logs its values, as far as they are known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    Answer = Literal["yes", "no", "unknown"]

VALIDATION = "val_"


@dataclass(frozen=True)
class Logged:
    """Names of logged values.

    Attributes:
        names: those that are surely logged.
        possible: others that may be. "#" stands for nothing or a number such as "_1", "*" for anything.
        bounded: whether there can be no others.
    """

    names: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()
    bounded: bool = True

    @property
    def complete(self) -> bool:
        """Whether exactly the names are logged."""
        return self.bounded and not self.possible

    def has(self, name: str) -> Answer:
        """Whether a name is logged."""
        if name in self.names:
            return "yes"
        may_be = not self.bounded or any(_pattern(one).fullmatch(name) for one in self.possible)
        return "unknown" if may_be else "no"


NOTHING = Logged()
ANYTHING = Logged(bounded=False)
ANY_NAME = Logged(possible=frozenset({"*"}))


def named(*names: str) -> Logged:
    """Names that are surely logged."""
    return Logged(frozenset(names))


def perhaps(*names: str) -> Logged:
    """Names that may be logged, with "#" and "*" in them."""
    return Logged(possible=frozenset(names))


def together(parts: Iterable[Logged]) -> Logged:
    """All of them at once."""
    return reduce(_both, parts, NOTHING)


def _both(one: Logged, other: Logged) -> Logged:
    return Logged(one.names | other.names, one.possible | other.possible, one.bounded and other.bounded)


def either(ways: Iterable[Logged]) -> Logged:
    """One of them, it is not known which; anything if there is none."""
    known = tuple(ways)
    if not known:
        return ANYTHING
    sure = frozenset.intersection(*(way.names for way in known))
    every = frozenset().union(*(way.names | way.possible for way in known))
    return Logged(sure, every - sure, all(way.bounded for way in known))


def maybe(logged: Logged) -> Logged:
    """The same names, none of them sure."""
    return Logged(frozenset(), logged.names | logged.possible, logged.bounded)


def prefixed(prefix: str, logged: Logged) -> Logged:
    """The names with something before them; a prefix with "#" or "*" in it makes none of them sure."""
    names = frozenset(prefix + name for name in logged.names)
    possible = frozenset(prefix + name for name in logged.possible)
    if "#" in prefix or "*" in prefix:
        return Logged(frozenset(), names | possible, logged.bounded)
    return Logged(names, possible, logged.bounded)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    text = re.escape(name).replace(r"\#", "#").replace("#", r"(?:_\d+)?").replace(r"\*", f"(?!{VALIDATION}).+")
    return re.compile(text)
