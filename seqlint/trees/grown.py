"""A tree with the place of every node: numbered in reading order, and where it stands in the text."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any

import libcst as cst

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Mapping, Sequence

Span = tuple[int, int]

_SEMICOLON = ord(";")

# Layout: it carries no name and no value.
_LAYOUT = {
    "comma", "colon", "dot", "equal", "footer", "header", "indent", "leading_whitespace", "lbrace", "lbracket", "leading_lines", "lpar",
    "first_colon", "second_colon", "lines_after_decorators", "rbrace", "rbracket", "rpar", "semicolon", "trailing_whitespace", "star_equal",
}  # fmt: skip

# What a field can hold besides nodes and sequences of nodes.
_NO_NODES = frozenset({type(None), str, bool, cst.MaybeSentinel})


@dataclass
class Grown:
    """A tree while it grows, and then for good.

    Attributes:
        nodes: in reading order; the module is the first.
        above: for each node the number of its parent; -1 for the module.
        ends: for each node the number after the last one below it.
        spans: for each node its bytes, without brackets round it; or the node of Python's tree that stands there, or None, until
            somebody asks: of most nodes nobody does.
        bracketed: by number, the bytes with the brackets round it, for nodes that have some.
        strings: by number, where an f-string begins. Where its parts are is worked out when somebody asks.
        data: the text, as UTF-8.
        starts: where each line begins, from index 1.
    """

    nodes: list[Any] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    spans: list[Span | ast.AST | None] = field(default_factory=list)
    bracketed: dict[int, Span] = field(default_factory=dict)
    strings: dict[int, int] = field(default_factory=dict)
    data: bytes = b""
    starts: Sequence[int] = ()

    def open(self, up: int, span: Span | ast.AST | None = None) -> int:
        """Number a node before those below it; what makes it puts it in its place."""
        nodes = self.nodes
        here = len(nodes)
        nodes.append(None)
        self.above.append(up)
        self.ends.append(0)
        self.spans.append(span)
        return here

    def close(self, here: int, node: Any) -> Any:
        """Put a node that was not made here in its place, once those below it are there."""
        self.nodes[here] = node
        self.ends[here] = len(self.nodes)
        return node

    def place(self, node: Any) -> Span:
        """The bytes of a node of Python's tree."""
        starts = self.starts
        return starts[node.lineno] + node.col_offset, starts[node.end_lineno] + node.end_col_offset

    def outer(self, number: int) -> Span:
        """The bytes of a node with the brackets round it."""
        return self.bracketed.get(number) or self.span(number)

    def span(self, number: int) -> Span:
        """The bytes of a node, without the brackets round it."""
        span = self.spans[number]
        if isinstance(span, tuple):
            return span
        found = self._late(number) if span is None else self._placed(span)
        self.spans[number] = found
        return found

    def _placed(self, node: ast.AST) -> Span:
        """The bytes of a node of Python's tree; a last semicolon, which Python counts to a block, left out."""
        start, end = self.place(node)
        if self.data[end - 1] != _SEMICOLON:
            return start, end
        return start, start + len(self.data[start:end].rstrip(b"; \t\f\\\r\n"))

    def _late(self, number: int) -> Span:
        """The span of a part of an f-string, or of what is as long as the nodes below it are together."""
        above = number if self.strings else -1
        while above >= 0 and above not in self.strings:
            above = self.above[above]
        if above < 0:
            return self._around(number)
        from seqlint.trees.resolved import resolved_expression

        known = resolved_expression(self.nodes[above], self.strings[above])
        for place in range(above + 1, self.ends[above]):
            self.settle(place, known)
        found = self.spans[number]
        assert type(found) is tuple
        return found

    def _around(self, number: int) -> Span:
        """The span of a node that has none of its own, from those right below it."""
        below = [self.outer(place) for place in self._below(number)]
        if not below:
            raise KeyError(f"{type(self.nodes[number]).__name__} has no place in the text")
        return min(start for start, _ in below), max(end for _, end in below)

    def _below(self, number: int) -> Iterator[int]:
        place, end = number + 1, self.ends[number]
        while place < end:
            yield place
            place = self.ends[place]

    def settle(self, number: int, known: Mapping[cst.CSTNode, Span]) -> None:
        """Take the place of a node from what libcst knows."""
        node = self.nodes[number]
        self.spans[number] = known.get(node)
        lpar = getattr(node, "lpar", ())
        if isinstance(node, cst.BaseExpression) and lpar:
            self.bracketed[number] = known[lpar[0]][0], known[node.rpar[-1]][1]

    def depth(self) -> int:
        """How many levels of nodes there are."""
        depths = [0]
        for up in self.above[1:]:
            depths.append(depths[up] + 1)
        return max(depths)

    def cut(self, number: int) -> None:
        """Forget what has grown from a number on."""
        del self.nodes[number:], self.above[number:], self.ends[number:], self.spans[number:]
        self.bracketed = {place: span for place, span in self.bracketed.items() if place < number}
        self.strings = {place: start for place, start in self.strings.items() if place < number}


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes right below one, in reading order, layout left out."""
    found: list[cst.CSTNode] = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        kind = type(value)
        if kind is list or kind is tuple:
            found.extend(value)
        elif kind not in _NO_NODES:
            found.append(value)
    return found


@cache
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    names = tuple(field.name for field in fields(kind) if field.name not in _LAYOUT)
    kept = tuple(name for name in names if not name.startswith("whitespace"))
    return _reading_order(kind, kept)


def _reading_order(kind: type[cst.CSTNode], names: tuple[str, ...]) -> tuple[str, ...]:
    """libcst lists a function's name and body before its decorators; readers and Python meet the decorators first."""
    first = [name for name in ("decorators",) if name in names]
    if kind is cst.Arg:  # keyword before value
        first = ["keyword", "value"]
    if kind in (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp):  # the name is bound before it is used
        first = ["for_in"]
    last: list[str] = [name for name in ("body", "orelse", "finalbody") if name in names and kind is not cst.IfExp]
    if kind is cst.Try or kind is cst.TryStar:
        last = ["body", "handlers", "orelse", "finalbody"]
    middle = [name for name in names if name not in first and name not in last]
    if kind is cst.Assign:  # a value is computed before the target is bound
        middle = ["value", "targets"]
    return (*first, *middle, *last)
