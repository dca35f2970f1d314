"""All objects that a value leads to, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from seqlint.run import Object, Value

MOST = 400
"""Objects after which nobody looks further."""


def reached(value: Value, below: Callable[[Object], Iterable[Value]]) -> Iterator[Object]:
    """The objects of a value, and of the values below each of them.

    Args:
        below: what an object is made of.
    """
    seen: set[int] = set()
    waiting = [value]
    while waiting and len(seen) < MOST:
        for each in waiting.pop():
            if id(each) not in seen:
                seen.add(id(each))
                yield each
                waiting += below(each)
