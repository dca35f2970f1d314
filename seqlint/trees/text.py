"""The text that a tree grows from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from seqlint.trees.brackets import Brackets
from seqlint.trees.grown import Grown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Unlike(Exception):
    """A statement whose tree is not made here: libcst's parser reads it."""


@dataclass
class Growth(Grown):
    """A tree that grows, and the text that it grows from.

    Attributes:
        plain: whether it is ASCII. Elsewhere Python's tree may spell a name in another way than the text does.
        joins: whether there is a semicolon, as between statements on one line.
        lines: those where something begins that stands between brackets that only group.
        makers: what makes the node of an expression, by the kind of the node of Python's tree.
        seen: how many f-strings of a text there are so far.
    """

    plain: bool = True
    joins: bool = False
    lines: frozenset[int] = frozenset()
    brackets: Brackets = field(default_factory=Brackets)
    makers: Mapping[type, Callable[[Growth, Any, int], Any]] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)

    def text(self, start: int, end: int) -> str:
        """The text between two places."""
        return self.data[start:end].decode()
