"""What is done to a list that a name or an attribute of `self` holds, in the order in which it happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.code.scopes import Binding, parameters
from seqlint.knowledge.signatures import SIGNATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Value, Values

Kind = Literal["append", "extend", "insert", "opaque", "loses"]
_LOSES = ("remove", "pop", "clear", "sort", "reverse")
_READS = frozenset({"copy", "count", "index"})
_HARMLESS = frozenset(
    f"builtins.{name}"
    for name in ("all", "any", "bool", "enumerate", "filter", "id", "isinstance", "iter", "len", "list", "map", "print",
                 "range", "repr", "sorted", "str", "tuple", "type", "zip")
)  # fmt: skip
_QUIET = frozenset({*SIGNATURES, "debug", "info", "warning", "error", "exception", "log", "CallbackList"})
_MOST_CALLS = 2


@dataclass(frozen=True, eq=False)
class Mutation:
    """One thing that happens to a list.

    Attributes:
        kind: "opaque" may add anything anywhere, "loses" may take anything out.
        node: the call or the augmented assignment.
        value: what is added.
        index: where `insert` puts it.
        through: the call that hands the list to the function in which this happens.
    """

    kind: Kind
    node: cst.CSTNode
    value: cst.BaseExpression | None = None
    index: cst.BaseExpression | None = None
    through: cst.Call | None = None


class Mutations:
    """The changes of the lists of a file."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._calls = calls

    def of_name(self, use: cst.Name, start: Binding) -> tuple[Mutation, ...]:
        """What happens to the list that a binding gives a name, up to a use of the name."""
        home = self._names.scope(use).home(use.value)
        same = (node for node in self._tree.all(cst.Name) if node.value == use.value)
        others = [node for node in same if self._names.scope(node).home(use.value) is home]
        return self._between(others, start.node, use)

    def of_attribute(self, use: cst.Attribute, owner: cst.ClassDef, start: cst.CSTNode) -> tuple[Mutation, ...]:
        """What happens to the list that an assignment gives an attribute of `self`, up to a use of the attribute."""
        same = self._tree.attributes(use.attr.value)
        lineage = {found.node for found in self._classes.of(owner).lineage}
        mine: list[cst.CSTNode] = []
        for node in same:
            if self._values.self_class(node.value) in lineage:
                mine.append(node)
            elif next(self._mutations(node, _MOST_CALLS), None) is not None:
                return (Mutation("loses", node),)  # through an instance, from outside
        return self._between(mine, start, use)

    def stores(self, owner: cst.ClassDef, name: str) -> tuple[tuple[cst.CSTNode, Value], ...]:
        """The places that give an attribute of `self` its value, in the class and its bases of this file."""
        found: list[tuple[cst.CSTNode, Value]] = []
        for holder in self._classes.of(owner).lineage:
            for node in self._tree.inside(holder.node, cst.Attribute):
                if node.attr.value != name or self._values.self_class(node.value) is not holder.node:
                    continue
                if isinstance(self._tree.parents[node], cst.AugAssign):
                    continue  # a change, not a start
                if stored := self._values.stored(node):
                    found.append((node, stored[0]))
            for binding in self._names.inner_scope(holder.node).bindings.get(name, ()):
                found.append((binding.node, binding.value if binding.kind == "assign" else None))
        return tuple(found)

    def augments(self, owner: cst.ClassDef, name: str) -> tuple[cst.AugAssign, ...]:
        """The augmented assignments of an attribute of `self`, in the class and its bases of this file."""
        nodes = [
            node for holder in self._classes.of(owner).lineage for node in self._tree.inside(holder.node, cst.AugAssign)
        ]
        return tuple(node for node in nodes if self._is_own(node.target, name))

    def _is_own(self, node: cst.CSTNode, name: str) -> bool:
        return (
            isinstance(node, cst.Attribute)
            and node.attr.value == name
            and self._values.self_class(node.value) is not None
        )

    # -- order ------------------------------------------------------------------------------------------------------

    def _between(
        self, nodes: list[cst.CSTNode] | list[cst.Name], start: cst.CSTNode, use: cst.CSTNode
    ) -> tuple[Mutation, ...]:
        found: list[Mutation] = []
        for node in self._tree.order.sorted(nodes):
            if node is use or node is start:
                continue
            mutations = tuple(self._mutations(node, _MOST_CALLS))
            if mutations and (when := self._when(node, start, use)) != "never":
                found += mutations if when == "before" else (Mutation("opaque", node),)
        return tuple(found)

    def _when(self, node: cst.CSTNode, start: cst.CSTNode, use: cst.CSTNode) -> Literal["before", "sometime", "never"]:
        order = self._tree.order
        here, home, there = self._frame(node), self._frame(start), self._frame(use)
        if here is not home:
            return "before" if here is there and order.precedes(node, use) else "never" if here is there else "sometime"
        if order.precedes(node, start) or self._names.exclusive(node, start):
            return "never"
        if home is not there:
            return "before"
        if order.precedes(use, node):
            return "sometime" if self._comes_round(node, start, use) else "never"
        return "never" if self._names.exclusive(node, use) else "before"

    def _frame(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self._tree.enclosing(node, cst.FunctionDef, cst.Lambda)

    def _comes_round(self, node: cst.CSTNode, start: cst.CSTNode, use: cst.CSTNode) -> bool:
        loops = [found for found in self._tree.ancestors(use) if isinstance(found, (cst.For, cst.While))]
        return any(self._tree.holds(loop, node) and not self._tree.holds(loop, start) for loop in loops)

    # -- what one mention does --------------------------------------------------------------------------------------

    def _mutations(self, node: cst.CSTNode, calls_left: int) -> Iterator[Mutation]:
        parent = self._tree.parents[node]
        if isinstance(parent, cst.Attribute) and parent.value is node:
            yield from self._by_method(parent)
        elif isinstance(parent, cst.AugAssign) and parent.target is node:
            added = isinstance(parent.operator, cst.AddAssign)
            yield Mutation("extend", parent, parent.value) if added else Mutation("loses", parent)
        elif isinstance(parent, cst.Subscript) and parent.value is node:
            if isinstance(self._tree.parents[parent], (cst.AssignTarget, cst.AugAssign, cst.Del)):
                yield Mutation("loses", parent)
        elif isinstance(parent, cst.Arg) and parent.value is node:
            yield from self._by_call(parent, calls_left)

    def _by_method(self, attribute: cst.Attribute) -> Iterator[Mutation]:
        call = self._tree.parents[attribute]
        name = attribute.attr.value
        if not isinstance(call, cst.Call) or call.func is not attribute or name in _READS:
            return
        plain = [argument.value for argument in call.args if not argument.star and argument.keyword is None]
        if name in ("append", "extend") and len(plain) == len(call.args) == 1:
            yield Mutation("append" if name == "append" else "extend", call, plain[0])
        elif name == "insert" and len(plain) == len(call.args) == 2:
            yield Mutation("insert", call, plain[1], plain[0])
        else:
            yield Mutation("loses" if name in _LOSES else "opaque", call)

    def _by_call(self, argument: cst.Arg, calls_left: int) -> Iterator[Mutation]:
        call = self._tree.parents[argument]
        if not isinstance(call, cst.Call):
            return
        if self._names.qualified(call.func) in _HARMLESS:
            return
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in _QUIET:
            return
        function = self._calls.called(call)
        if function is None and argument.keyword is not None and argument.keyword.value == "callbacks":
            return
        if function is None or not calls_left:
            yield Mutation("opaque", call)
            return
        yield from self._inside(function, call, argument, calls_left - 1)

    def _inside(
        self, function: cst.FunctionDef, call: cst.Call, argument: cst.Arg, calls_left: int
    ) -> Iterator[Mutation]:
        """What a function of this file does to the list that it is given."""
        for param in parameters(function.params):
            if self._calls.passed(call, function, param.name.value) is not argument.value:
                continue
            bindings = self._names.inner_scope(function).bindings[param.name.value]
            for node in self._tree.inside(function.body, cst.Name):
                if node.value != param.name.value or node is param.name:
                    continue
                for change in self._mutations(node, calls_left):
                    plain = len(bindings) == 1 and change.through is None
                    yield (
                        Mutation(change.kind, change.node, change.value, change.index, call)
                        if plain
                        else Mutation("opaque", call)
                    )
            return
        yield Mutation("opaque", call)
