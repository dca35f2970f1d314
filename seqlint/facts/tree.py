"""One parse and one walk of a file: every node with its parent, its scope and its place in reading order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeVar

import libcst as cst

if TYPE_CHECKING:
    from seqlint.sources import Source

Node = TypeVar("Node", bound=cst.CSTNode)
FunctionNode = cst.FunctionDef | cst.Lambda
BLOCKS = (cst.IndentedBlock, cst.SimpleStatementSuite)
STATEMENTS = (cst.SimpleStatementLine, cst.BaseCompoundStatement)

# Layout: it carries no name and no value, and a walk that leaves it out costs a tenth.
_LAYOUT = {
    "comma", "colon", "dot", "equal", "footer", "header", "indent", "lbrace", "lbracket", "leading_lines", "lpar",
    "lines_after_decorators", "rbrace", "rbracket", "rpar", "semicolon", "trailing_whitespace", "star_equal",
}  # fmt: skip


class Tree:
    """The libcst tree of a source, walked once."""

    def __init__(self, source: Source, module: cst.Module) -> None:
        self.source = source
        self.module = module
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.order: dict[cst.CSTNode, int] = {}
        self._by_type: dict[type[cst.CSTNode], list[cst.CSTNode]] = defaultdict(list)
        self._index()

    def _index(self) -> None:
        for node, parent in _preorder(self.module):
            self.order[node] = len(self.order)
            self._by_type[type(node)].append(node)
            if parent is not None:
                self.parents[node] = parent

    def all(self, kind: type[Node]) -> tuple[Node, ...]:
        """Every node of exactly this type, in reading order."""
        return tuple(self._by_type.get(kind, ()))  # type: ignore[arg-type]

    def walk(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The node and all below it, in reading order, layout left out."""
        return (found for found, _ in _preorder(node))

    def inside(self, node: cst.CSTNode, kind: type[Node]) -> tuple[Node, ...]:
        """Every node of this type at or below `node`, in reading order."""
        return tuple(found for found in self.walk(node) if isinstance(found, kind))

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The parents of a node, the nearest first."""
        here = self.parents.get(node)
        while here is not None:
            yield here
            here = self.parents.get(here)

    def enclosing(self, node: cst.CSTNode, *kinds: type[Node]) -> Node | None:
        """The nearest node around this one that is of one of the types."""
        return next((found for found in self.ancestors(node) if isinstance(found, kinds)), None)

    def holds(self, outer: cst.CSTNode, inner: cst.CSTNode) -> bool:
        """Whether `inner` is `outer` or lies below it."""
        return inner is outer or any(found is outer for found in self.ancestors(inner))

    def statement(self, node: cst.CSTNode) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
        """The statement that a node stands in: a line, or a compound statement with its block."""
        if isinstance(node, STATEMENTS):
            return node
        found = next(found for found in self.ancestors(node) if isinstance(found, STATEMENTS))
        assert isinstance(found, STATEMENTS)
        return found

    def block(self, node: cst.CSTNode) -> cst.CSTNode:
        """The module or block whose statements hold this node."""
        found = next((n for n in self.ancestors(node) if isinstance(n, (*BLOCKS, cst.Module))), self.module)
        return found

    def is_label(self, name: cst.Name) -> bool:
        """Whether a name only labels something: the attribute behind a dot, or a keyword; it reads no variable."""
        parent = self.parents.get(name)
        if isinstance(parent, cst.Attribute):
            return parent.attr is name
        return isinstance(parent, cst.Arg) and parent.keyword is name

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The function that a node stands in; lambdas do not count."""
        return self.enclosing(node, cst.FunctionDef)

    @cached_property
    def spans(self) -> dict[cst.CSTNode, tuple[int, int]]:
        """Byte offsets of every node; made when the first one is asked for, as it costs more than the parse."""
        from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

        wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
        found = wrapper.resolve(ByteSpanPositionProvider)
        return {node: (span.start, span.start + span.length) for node, span in found.items()}

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where a node starts and ends, in bytes; brackets round an expression are left out."""
        return self.spans[node]

    def text(self, node: cst.CSTNode) -> str:
        """The source text of a node."""
        return self.source.slice(*self.span(node))

    def outer_span(self, node: cst.BaseExpression) -> tuple[int, int]:
        """Where an expression starts and ends with the brackets round it."""
        start, end = self.span(node)
        for lpar in reversed(node.lpar):
            start = min(start, self.span(lpar)[0]) if lpar in self.spans else start
        for rpar in node.rpar:
            end = max(end, self.span(rpar)[1]) if rpar in self.spans else end
        return start, end


def _preorder(root: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode | None]]:
    stack: list[tuple[cst.CSTNode, cst.CSTNode | None]] = [(root, None)]
    while stack:
        node, parent = stack.pop()
        yield node, parent
        stack.extend((child, node) for child in reversed(children(node)))


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes right below one, in reading order, layout left out."""
    found: list[cst.CSTNode] = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found.extend(item for item in value if isinstance(item, cst.CSTNode))
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
    if kind in (cst.ListComp, cst.SetComp, cst.GeneratorExp):  # the name is bound before it is used
        first = ["for_in"]
    if kind is cst.DictComp:
        first = ["for_in"]
    last: list[str] = [name for name in ("body", "orelse", "finalbody") if name in names and kind is not cst.IfExp]
    if kind is cst.Try or kind is cst.TryStar:
        last = ["body", "handlers", "orelse", "finalbody"]
    middle = [name for name in names if name not in first and name not in last]
    if kind is cst.Assign:  # a value is computed before the target is bound
        middle = ["value", "targets"]
    return (*first, *middle, *last)
