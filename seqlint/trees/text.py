"""The text that a tree grows from."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from seqlint.trees.brackets import Brackets
from seqlint.trees.grown import Grown

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping


Formatted = tuple[str, int]
"""The text of an f-string, and which of those with this text it is."""


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
        fields: whether the statements that grow are those of a class: there an annotation says more than a type.
        formatted: the numbers of f-strings whose nodes other trees of the file may have, too.
        repeated: how many of one text there are at least.
    """

    plain: bool = True
    joins: bool = False
    lines: frozenset[int] = frozenset()
    brackets: Brackets = field(default_factory=Brackets)
    makers: Mapping[type, Callable[[Growth, Any, int], Any]] = field(default_factory=dict)
    fields: bool = False
    formatted: dict[Formatted, int] = field(default_factory=dict)
    repeated: dict[str, int] = field(default_factory=dict)

    def group(self, brackets: Brackets) -> None:
        """Say which brackets only group, before anything grows from where they stand."""
        self.brackets = brackets
        self.lines = frozenset([bisect_right(self.starts, start) - 1 for start, _ in brackets.round])

    def first_byte(self, statement: ast.stmt) -> int:
        """Where a statement starts, with its decorators. The sign of one may stand on a line above its name."""
        decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
        if not decorators:
            return self.place(statement)[0]
        return self.data.rindex(b"@", 0, self.place(decorators[0])[0])

    def text(self, start: int, end: int) -> str:
        """The text between two places."""
        return self.data[start:end].decode()

    def graft(self, other: Growth, numbers: range, up: int, down: int) -> None:
        """Take nodes of another tree, with all below them: they come next in this one.

        Args:
            up: what is added to their numbers.
            down: how many bytes further down they stand.
        """
        start, stop = numbers.start, numbers.stop
        self.nodes += other.nodes[start:stop]
        self.above += [above and above + up for above in other.above[start:stop]]
        self.ends += [end + up for end in other.ends[start:stop]]
        pairs = zip(numbers, other.spans[start:stop], strict=True)
        spans = [span if span is None or span.__class__ is tuple else other.span(number) for number, span in pairs]
        self.spans += [span and (span[0] + down, span[1] + down) for span in spans] if down else spans
        for number, span in other.bracketed.items():
            if number in numbers:
                self.bracketed[number + up] = span[0] + down, span[1] + down
        for number, place in other.strings.items():
            if number in numbers:
                self.strings[number + up] = place + down
        for formatted, number in other.formatted.items():
            if number in numbers:
                self.formatted[formatted] = number + up
