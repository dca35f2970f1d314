"""The nodes of a file: each with its parent, its place in reading order and its place in the text."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeVar

import libcst as cst

from seqlint.facts.code.order import Order
from seqlint.trees import children

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from seqlint.sources import Source
    from seqlint.trees import Grown

Node = TypeVar("Node", bound=cst.CSTNode)
BLOCKS = (cst.IndentedBlock, cst.SimpleStatementSuite)
_HOLDERS: frozenset[type[cst.CSTNode]] = frozenset({*BLOCKS, cst.Module})
STATEMENTS = (cst.SimpleStatementLine, cst.BaseCompoundStatement)


class Tree:
    """The libcst tree of a source: what is above, below and beside a node."""

    def __init__(self, source: Source, grown: Grown) -> None:
        self.source = source
        self.module: cst.Module = grown.nodes[0]
        self._grown = grown
        self._nodes: list[cst.CSTNode] = grown.nodes
        self._ends = grown.ends
        self.above = grown.above
        self.places: dict[cst.CSTNode, int] = dict(zip(self._nodes, range(len(self._nodes)), strict=True))
        self.order = Order(self.places)
        above = map(self._nodes.__getitem__, grown.above[1:])
        self.parents: dict[cst.CSTNode, cst.CSTNode] = dict(zip(self._nodes[1:], above, strict=True))
        self._all: dict[type[cst.CSTNode], tuple[cst.CSTNode, ...]] = {}
        self._kinds: dict[type[cst.CSTNode], list[int]] = {}
        self._by_kind: dict[type[cst.CSTNode], list[int]] = defaultdict(list)
        by_kind = self._by_kind
        for here, kind in enumerate(map(type, self._nodes)):
            by_kind[kind].append(here)

    def all(self, kind: type[Node]) -> tuple[Node, ...]:
        """Every node of exactly this type, in reading order."""
        if kind not in self._all:
            self._all[kind] = tuple(map(self._nodes.__getitem__, self._by_kind.get(kind, ())))
        return self._all[kind]  # type: ignore[return-value]

    def attributes(self, name: str) -> tuple[cst.Attribute, ...]:
        """Every `x.name`, in reading order."""
        return self._attributes.get(name, ())

    @cached_property
    def _attributes(self) -> dict[str, tuple[cst.Attribute, ...]]:
        found: dict[str, list[cst.Attribute]] = defaultdict(list)
        for node in self.all(cst.Attribute):
            found[node.attr.value].append(node)
        return {name: tuple(nodes) for name, nodes in found.items()}

    def in_order(self, kinds: Collection[type[cst.CSTNode]]) -> Iterator[cst.CSTNode]:
        """Every node of exactly one of these types, in reading order."""
        places = sorted(place for kind in kinds for place in self._by_kind.get(kind, ()))
        return map(self._nodes.__getitem__, places)

    def walk(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The node and all below it, in reading order, layout left out."""
        here = self.places.get(node)
        return _preorder(node) if here is None else iter(self._nodes[here : self._ends[here]])

    def inside(self, node: cst.CSTNode, kind: type[Node]) -> tuple[Node, ...]:
        """Every node of this type at or below `node`, in reading order."""
        here = self.places.get(node)
        if here is None:  # not of this file
            return tuple(found for found in _preorder(node) if isinstance(found, kind))
        places = self._of_kind(kind)
        low, high = bisect_left(places, here), bisect_left(places, self._ends[here])
        return tuple(map(self._nodes.__getitem__, places[low:high]))  # type: ignore[arg-type]

    def inside_any(self, node: cst.CSTNode, kinds: Collection[type[cst.CSTNode]]) -> Iterator[cst.CSTNode]:
        """Every node of exactly one of these types at or below `node`, in reading order."""
        return (found for found in self.walk(node) if type(found) in kinds)

    def _of_kind(self, kind: type[cst.CSTNode]) -> list[int]:
        """Where the nodes of a type, and of those made from it, are."""
        if kind not in self._kinds:
            found = [places for each, places in self._by_kind.items() if issubclass(each, kind)]
            self._kinds[kind] = found[0] if len(found) == 1 else sorted(place for places in found for place in places)
        return self._kinds[kind]

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The parents of a node, the nearest first."""
        nodes, above = self._nodes, self.above
        here = self.places.get(node, 0)
        while here:
            here = above[here]
            yield nodes[here]

    def enclosing(self, node: cst.CSTNode, *kinds: type[Node]) -> Node | None:
        """The nearest node around this one that is of one of the types."""
        return self._first_above(node, _with_derived(kinds))  # type: ignore[return-value]

    def _first_above(self, node: cst.CSTNode, kinds: frozenset[type[cst.CSTNode]]) -> cst.CSTNode | None:
        nodes, above = self._nodes, self.above
        here = self.places.get(node, 0)
        while here:
            here = above[here]
            if type(nodes[here]) in kinds:
                return nodes[here]
        return None

    def holds(self, outer: cst.CSTNode, inner: cst.CSTNode) -> bool:
        """Whether `inner` is `outer` or lies below it."""
        start, place = self.places.get(outer), self.places.get(inner)
        if start is None or place is None:
            return inner is outer or any(found is outer for found in self.ancestors(inner))
        return start <= place < self._ends[start]

    def statement(self, node: cst.CSTNode) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
        """The statement that a node stands in: a line, or a compound statement with its block."""
        kinds = _with_derived(STATEMENTS)
        found = node if type(node) in kinds else self._first_above(node, kinds)
        assert found is not None
        return found  # type: ignore[return-value]

    def block(self, node: cst.CSTNode) -> cst.CSTNode:
        """The module or block whose statements hold this node."""
        return self._first_above(node, _HOLDERS) or self.module

    def is_label(self, name: cst.Name) -> bool:
        """Whether a name only labels something: the attribute behind a dot, or a keyword; it reads no variable."""
        parent = self.parents.get(name)
        if type(parent) is cst.Attribute:
            return parent.attr is name
        return type(parent) is cst.Arg and parent.keyword is name

    def is_target(self, node: cst.CSTNode) -> bool:
        """Whether a tuple or list is assigned to, also as a part of another one."""
        here = self.parents.get(node)
        while isinstance(here, (cst.Element, cst.Tuple, cst.List)):
            node, here = here, self.parents.get(here)
        return isinstance(here, cst.AssignTarget) or (isinstance(here, (cst.For, cst.CompFor)) and here.target is node)

    def following(self, node: cst.CSTNode, outer: cst.CSTNode) -> list[cst.CSTNode]:
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

    def given_to(self, value: cst.BaseExpression) -> str | None:
        """The one variable that an assignment gives a value to, also `y` for the second list of `x, y = [], []`."""
        element = self.parents[value]
        holder = self.parents[element] if isinstance(element, cst.Element) else value
        assign = self.parents[holder]
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
            return None
        target = assign.targets[0].target
        if isinstance(element, cst.Element):
            both = isinstance(holder, (cst.Tuple, cst.List)) and isinstance(target, (cst.Tuple, cst.List))
            if not both or len(target.elements) != len(holder.elements):  # type: ignore[attr-defined]
                return None
            target = target.elements[list(holder.elements).index(element)].value  # type: ignore[attr-defined]
        return target.value if isinstance(target, cst.Name) else None

    def asked_of(self, block: cst.CSTNode, name: str) -> frozenset[str]:
        """The attributes that the code of a block asks of a variable, "numpy" for `value.numpy()`."""
        found = (node for node in self.inside(block, cst.Attribute) if isinstance(node.value, cst.Name))
        return frozenset(node.attr.value for node in found if node.value.value == name)  # type: ignore[attr-defined]

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The function that a node stands in; lambdas do not count."""
        return self.enclosing(node, cst.FunctionDef)

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where a node starts and ends, in bytes; brackets round an expression are left out."""
        return self._grown.span(self.places[node])

    def text(self, node: cst.CSTNode) -> str:
        """The source text of a node."""
        return self.source.slice(*self.span(node))

    def outer_span(self, node: cst.BaseExpression) -> tuple[int, int]:
        """Where an expression starts and ends with the brackets round it."""
        return self._grown.outer(self.places[node])


@cache
def _with_derived(kinds: tuple[type[cst.CSTNode], ...]) -> frozenset[type[cst.CSTNode]]:
    """The types, and those that are made from them: a node is then looked up once, and not asked for each of them."""
    found = set(kinds)
    for kind in kinds:
        found |= _with_derived(tuple(kind.__subclasses__()))
    return frozenset(found)


def _preorder(root: cst.CSTNode) -> Iterator[cst.CSTNode]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(children(node)))


def is_keyword(argument: cst.Arg, name: str) -> bool:
    """Whether an argument is given by this keyword."""
    return argument.keyword is not None and argument.keyword.value == name


def last_word(node: cst.BaseExpression) -> str:
    """The name that an expression ends in: of a variable or an attribute; empty for anything else."""
    return node.attr.value if isinstance(node, cst.Attribute) else node.value if isinstance(node, cst.Name) else ""


def is_none(node: cst.CSTNode | None) -> bool:
    """Whether an expression is `None` as it is written."""
    return isinstance(node, cst.Name) and node.value == "None"


def is_super(node: cst.BaseExpression) -> bool:
    """Whether an expression is `super()`, with or without arguments."""
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "super"
