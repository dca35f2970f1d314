"""One parse and one walk of a file: every node with its parent, its scope and its place in reading order."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, TypeVar

import libcst as cst

from seqlint.facts.code.spans import Spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.spans import Known
    from seqlint.sources import Source

Node = TypeVar("Node", bound=cst.CSTNode)
BLOCKS = (cst.IndentedBlock, cst.SimpleStatementSuite)
STATEMENTS = (cst.SimpleStatementLine, cst.BaseCompoundStatement)

# Layout: it carries no name and no value, and a walk that leaves it out costs a tenth.
_LAYOUT = {
    "comma", "colon", "dot", "equal", "footer", "header", "indent", "lbrace", "lbracket", "leading_lines", "lpar",
    "lines_after_decorators", "rbrace", "rbracket", "rpar", "semicolon", "trailing_whitespace", "star_equal",
}  # fmt: skip

# What a field can hold besides nodes and sequences of nodes.
_NO_NODES = frozenset({type(None), str, bool, cst.MaybeSentinel})


class Tree:
    """The libcst tree of a source, walked once."""

    def __init__(self, source: Source, module: cst.Module, known: Known | None = None) -> None:
        self.source = source
        self.module = module
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.order: dict[cst.CSTNode, int] = {}
        self._nodes: list[cst.CSTNode] = []
        self._places: dict[type[cst.CSTNode], list[int]] = defaultdict(list)
        self._all: dict[type[cst.CSTNode], tuple[cst.CSTNode, ...]] = {}
        self._kinds: dict[type[cst.CSTNode], list[int]] = {}
        self._ends = self._index()
        self._spans = Spans(source, module, known)

    def _index(self) -> list[int]:
        """Number the nodes in reading order; gives for each the number behind the last node below it."""
        above: list[int] = []
        stack: list[tuple[cst.CSTNode, int]] = [(self.module, -1)]
        while stack:
            node, up = stack.pop()
            here = len(above)
            self.order[node] = here
            self._nodes.append(node)
            self._places[type(node)].append(here)
            above.append(up)
            if up >= 0:
                self.parents[node] = self._nodes[up]
            stack.extend((child, here) for child in reversed(children(node)))
        ends = list(range(1, len(above) + 1))
        for here in range(len(above) - 1, 0, -1):
            ends[above[here]] = max(ends[above[here]], ends[here])
        return ends

    def all(self, kind: type[Node]) -> tuple[Node, ...]:
        """Every node of exactly this type, in reading order."""
        if kind not in self._all:
            self._all[kind] = tuple(self._nodes[place] for place in self._places.get(kind, ()))
        return self._all[kind]  # type: ignore[return-value]

    def walk(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The node and all below it, in reading order, layout left out."""
        here = self.order.get(node)
        return _preorder(node) if here is None else iter(self._nodes[here : self._ends[here]])

    def inside(self, node: cst.CSTNode, kind: type[Node]) -> tuple[Node, ...]:
        """Every node of this type at or below `node`, in reading order."""
        here = self.order.get(node)
        if here is None:  # not of this file
            return tuple(found for found in _preorder(node) if isinstance(found, kind))
        places = self._of_kind(kind)
        low, high = bisect_left(places, here), bisect_left(places, self._ends[here])
        return tuple(self._nodes[place] for place in places[low:high])  # type: ignore[misc]

    def _of_kind(self, kind: type[cst.CSTNode]) -> list[int]:
        """Where the nodes of a type, and of those made from it, are."""
        if kind not in self._kinds:
            found = [places for each, places in self._places.items() if issubclass(each, kind)]
            self._kinds[kind] = found[0] if len(found) == 1 else sorted(place for places in found for place in places)
        return self._kinds[kind]

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The parents of a node, the nearest first."""
        here = self.parents.get(node)
        while here is not None:
            yield here
            here = self.parents.get(here)

    def enclosing(self, node: cst.CSTNode, *kinds: type[Node]) -> Node | None:
        """The nearest node around this one that is of one of the types."""
        return next((found for found in self.ancestors(node) if _is(type(found), kinds)), None)  # type: ignore[return-value]

    def holds(self, outer: cst.CSTNode, inner: cst.CSTNode) -> bool:
        """Whether `inner` is `outer` or lies below it."""
        start, place = self.order.get(outer), self.order.get(inner)
        if start is None or place is None:
            return inner is outer or any(found is outer for found in self.ancestors(inner))
        return start <= place < self._ends[start]

    def statement(self, node: cst.CSTNode) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
        """The statement that a node stands in: a line, or a compound statement with its block."""
        if isinstance(node, STATEMENTS):
            return node
        found = next(found for found in self.ancestors(node) if isinstance(found, STATEMENTS))
        assert isinstance(found, STATEMENTS)
        return found

    def block(self, node: cst.CSTNode) -> cst.CSTNode:
        """The module or block whose statements hold this node."""
        return next((n for n in self.ancestors(node) if isinstance(n, (*BLOCKS, cst.Module))), self.module)

    def is_label(self, name: cst.Name) -> bool:
        """Whether a name only labels something: the attribute behind a dot, or a keyword; it reads no variable."""
        parent = self.parents.get(name)
        if isinstance(parent, cst.Attribute):
            return parent.attr is name
        return isinstance(parent, cst.Arg) and parent.keyword is name

    def is_target(self, node: cst.CSTNode) -> bool:
        """Whether a tuple or list is assigned to, also as a part of another one."""
        here = self.parents.get(node)
        while isinstance(here, (cst.Element, cst.Tuple, cst.List)):
            node, here = here, self.parents.get(here)
        return isinstance(here, cst.AssignTarget) or (isinstance(here, (cst.For, cst.CompFor)) and here.target is node)

    def behind(self, node: cst.CSTNode, outer: cst.CSTNode) -> list[cst.CSTNode]:
        """The statements that follow a node in its block, and in the blocks around it up to `outer`."""
        found: list[cst.CSTNode] = []
        here = node
        while here is not outer:
            parent = self.parents[here]
            if isinstance(parent, BLOCKS):
                body = list(parent.body)
                found += body[body.index(here) + 1 :]
            here = parent
        return found

    def variable(self, value: cst.BaseExpression) -> str | None:
        """The variable that an assignment gives this value to, `x` for the list of `x = [1, 2]`."""
        assign = self.parents[value]
        if not isinstance(assign, cst.Assign) or not isinstance(assign.targets[0].target, cst.Name):
            return None
        return assign.targets[0].target.value

    def asked_of(self, block: cst.CSTNode, name: str) -> frozenset[str]:
        """The attributes that the code of a block asks of a variable, "numpy" for `value.numpy()`."""
        found = (node for node in self.inside(block, cst.Attribute) if isinstance(node.value, cst.Name))
        return frozenset(node.attr.value for node in found if node.value.value == name)  # type: ignore[attr-defined]

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The function that a node stands in; lambdas do not count."""
        return self.enclosing(node, cst.FunctionDef)

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where a node starts and ends, in bytes; brackets round an expression are left out."""
        return self._near(node)[node]

    def _near(self, node: cst.CSTNode) -> dict[cst.CSTNode, tuple[int, int]]:
        """The spans of the top-level statement that a node stands in, or of the method of a class there."""
        path = [node, *self.ancestors(node)]
        if len(path) > 1 and path[-1] is self.module:
            path.pop()
        outer = path[-1]
        if len(path) > 2 and isinstance(outer, cst.ClassDef) and path[-2] is outer.body:
            return self._spans.below_member(path[-3], outer)
        return self._spans.below(outer)

    def text(self, node: cst.CSTNode) -> str:
        """The source text of a node."""
        return self.source.slice(*self.span(node))

    def outer_span(self, node: cst.BaseExpression) -> tuple[int, int]:
        """Where an expression starts and ends with the brackets round it."""
        near = self._near(node)
        start, end = near[node]
        for lpar in reversed(node.lpar):
            start = min(start, near[lpar][0]) if lpar in near else start
        for rpar in node.rpar:
            end = max(end, near[rpar][1]) if rpar in near else end
        return start, end


@cache
def _is(kind: type[cst.CSTNode], kinds: tuple[type[cst.CSTNode], ...]) -> bool:
    """`issubclass`, which costs much for libcst's abstract classes."""
    return issubclass(kind, kinds)


def _preorder(root: cst.CSTNode) -> Iterator[cst.CSTNode]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


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


def is_keyword(argument: cst.Arg, name: str) -> bool:
    """Whether an argument is given by this keyword."""
    return argument.keyword is not None and argument.keyword.value == name


def is_super(node: cst.BaseExpression) -> bool:
    """Whether an expression is `super()`, with or without arguments."""
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "super"
