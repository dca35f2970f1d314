"""libcst's nodes as plain objects: compared by identity, and asked for their class, without a Python function for each question."""

from __future__ import annotations

from abc import ABCMeta
from typing import TYPE_CHECKING, Any

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Plain(ABCMeta):
    """The classes of nodes, none of which has a class registered with it: `isinstance` needs to look at bases alone."""

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__


def make_plain() -> None:
    """Give libcst's classes the `isinstance` and `hash` of objects; the answers stay the same.

    A check of a file asks for the class of a node some seventy times for each line, and looks it up in a dict as often: with libcst's own
    functions these two were a sixth of all time. libcst gives each class a copy of its `__hash__`, so the base alone is not enough.
    """
    for kind in {*_made_from(cst.CSTNode)}:
        if type(kind) is not ABCMeta:  # of another libcst, which does it in another way
            continue
        plain: Any = kind
        plain.__hash__ = object.__hash__
        plain.__class__ = _Plain


def _made_from(kind: type[object]) -> Iterator[type[object]]:
    yield kind
    for each in kind.__subclasses__():
        yield from _made_from(each)
