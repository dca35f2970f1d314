"""What a value hangs on: all that it is computed from, and the tests that decide how."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.methods import method_calls
from seqlint.facts.code.tree import BLOCKS
from seqlint.trees import children

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.flow.mutations import Mutations
    from seqlint.facts.values.values import Values

MOST = 3000
_ADDING = ("append", "extend", "insert")
_LEAVES = (cst.Return, cst.Raise, cst.Continue, cst.Break)


class BackwardSlice:
    """Follows values backwards through one file; with `tests` also what decides which of them a name has."""

    def __init__(
        self, tree: Tree, names: Names, values: Values, calls: CallGraph, mutations: Mutations, *, tests: bool = True
    ) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._mutations = mutations
        self._with_tests = tests

    def of(self, *nodes: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
        """Every node that can have a part in the value of the expressions.

        That is what they are computed from, through names, attributes of `self`, parameters and functions of this file,
        and the tests under which each of those was assigned. The Param nodes of parameters are among them. Wide on
        purpose: what is missing here has surely no part, as far as this file tells.
        """
        seen: dict[cst.CSTNode, None] = {}
        stack = list(nodes)
        while stack and len(seen) < MOST:
            node = stack.pop()
            if node not in seen:
                seen[node] = None
                stack.extend(self.steps(node))
        return tuple(seen)

    def deciding(self, node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
        """Every node that has a part in whether a statement is reached, and in what it assigns."""
        statement = self._tree.statement(node)
        values = [part.value for part in self._tree.inside(statement, cst.Assign)]
        places: dict[cst.CSTNode, None] = {node: None}
        stack = [node]
        while stack:  # the statement, the calls of the function that it stands in, and so on
            function = self._tree.function(stack.pop())
            fresh = [call for call in (self._calls.callers(function) if function else ()) if call not in places]
            places.update(dict.fromkeys(fresh))
            stack += fresh
        return self.of(*values, *(test for place in places for test in self._tests(place)))

    def steps(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes one step behind another."""
        if isinstance(node, cst.Name):
            yield from self._of_name(node)
        elif isinstance(node, cst.Attribute):
            yield node.value
            yield from self._of_attribute(node)
        elif isinstance(node, cst.Arg):
            yield node.value
        elif isinstance(node, cst.Call):
            yield from children(node)
            yield from self._returned(node)
        elif isinstance(node, cst.BaseExpression) or not isinstance(node, (cst.Param, cst.BaseStatement)):
            yield from children(node)

    def _of_name(self, name: cst.Name) -> Iterator[cst.CSTNode]:
        bindings = self._names.reaching(name)
        if any(binding.kind == "augment" for binding in bindings):
            bindings = self._names.bindings(name)
        for binding in bindings:
            yield from self._of_binding(binding)
        if any(isinstance(binding.value, (cst.List, cst.Call)) for binding in bindings):
            yield from self._added(name, bindings)

    def _added(self, name: cst.Name, bindings: Iterable[Binding]) -> Iterator[cst.CSTNode]:
        """What is put into a list behind its making: `losses.append(loss)`."""
        for call in method_calls(self._tree, _ADDING):
            grown = call.func.value if isinstance(call.func, cst.Attribute) else None
            if not isinstance(grown, cst.Name) or grown.value != name.value or not call.args:
                continue
            if not set(bindings).isdisjoint(self._names.reaching(grown)):
                yield call.args[-1].value
                yield from self._tests(call)

    def _of_binding(self, binding: Binding) -> Iterator[cst.CSTNode]:
        if isinstance(binding.node, cst.Param):
            yield binding.node
            function = self._tree.enclosing(binding.node, cst.FunctionDef, cst.Lambda)
            for call in self._calls.callers(function) if isinstance(function, cst.FunctionDef) else ():
                assert isinstance(function, cst.FunctionDef)
                yield from _given(self._calls.passed(call, function, binding.name))
        elif binding.value is not None:
            yield binding.value
            yield from self._tests(binding.node)

    def _of_attribute(self, node: cst.Attribute) -> Iterator[cst.CSTNode]:
        owner = self._values.self_class(node.value)
        if owner is None:
            return
        for target, value in self._mutations.stores(owner, node.attr.value):
            yield from _given(value)
            yield from self._tests(target)
        for change in self._mutations.augments(owner, node.attr.value):
            yield change.value
            yield from self._tests(change)

    def _returned(self, call: cst.Call) -> Iterator[cst.CSTNode]:
        function = self._calls.called(call)
        if function is None:
            return
        for statement in self._values.own(function, cst.Return):
            yield from _given(statement.value)
            yield from self._tests(statement)

    def _tests(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The tests of the `if`s and loops round a node, and of those above it that may leave, up to the function."""
        inner = node
        for outer in self._tree.ancestors(node) if self._with_tests else ():
            if isinstance(outer, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
                return
            if isinstance(outer, (cst.If, cst.While)):
                yield outer.test
            elif isinstance(outer, BLOCKS):
                yield from self._left_by(outer, inner)
            inner = outer

    def _left_by(self, block: cst.CSTNode, until: cst.CSTNode) -> Iterator[cst.CSTNode]:
        for statement in getattr(block, "body", ()):
            if statement is until:
                return
            if isinstance(statement, cst.If) and any(
                isinstance(found, _LEAVES) for found in self._tree.walk(statement)
            ):
                yield statement.test


def _given(node: cst.CSTNode | None) -> Iterable[cst.CSTNode]:
    return () if node is None else (node,)
