"""Calls of functions of the file that return rows in a new order, but nothing uses the result."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import parameters

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.orders.shuffles import Shuffles


class LostOrders:
    """Statements such as `self.mix(self.x, self.y)`, where `mix` only returns `x[order], y[order]`."""

    def __init__(self, tree: Tree, names: Names, calls: CallGraph, shuffles: Shuffles) -> None:
        self._tree = tree
        self._names = names
        self._calls = calls
        self._shuffles = shuffles

    @cached_property
    def all(self) -> tuple[cst.Call, ...]:
        """The calls that are statements of their own, in reading order."""
        givers = {function for shuffle in self._shuffles.all if (function := self._giver(shuffle.node)) is not None}
        if not givers:
            return ()
        statements = (node.value for node in self._tree.all(cst.Expr))
        calls = (node for node in statements if isinstance(node, cst.Call) and node.args)
        return tuple(call for call in calls if self._calls.called(call) in givers)

    def _giver(self, shuffle: cst.Call) -> cst.FunctionDef | None:
        """The function around a shuffle, where it only returns rows of its arguments."""
        function = self._tree.function(shuffle)
        if function is None or not isinstance(function.body, cst.IndentedBlock) or function.decorators:
            return None
        lines = function.body.body
        if not all(isinstance(line, cst.SimpleStatementLine) for line in lines):
            return None
        steps = [step for line in lines if isinstance(line, cst.SimpleStatementLine) for step in line.body]
        *before, last = steps
        quiet = all(self._is_quiet(step, function) for step in before)
        return function if quiet and isinstance(last, cst.Return) and self._gives_rows(last, function) else None

    def _is_quiet(self, step: cst.CSTNode, function: cst.FunctionDef) -> bool:
        """Whether a statement changes nothing outside of the function."""
        if isinstance(step, cst.Assign):
            return all(isinstance(target.target, cst.Name) for target in step.targets)
        if not isinstance(step, cst.Expr):
            return False
        shuffle = self._shuffles.of(step.value)
        if shuffle is None:
            return not isinstance(step.value, cst.Call)
        return all(self._is_made_here(subject, function) for subject in shuffle.subjects)

    def _is_made_here(self, subject: cst.BaseExpression, function: cst.FunctionDef) -> bool:
        """Whether a shuffle in place reorders an object that a call in the function created and nothing else holds."""
        if not isinstance(subject, cst.Name) or self._is_parameter(subject, function):
            return False
        return all(isinstance(binding.value, cst.Call) for binding in self._names.bindings(subject))

    def _gives_rows(self, last: cst.Return, function: cst.FunctionDef) -> bool:
        value = last.value
        parts = [each.value for each in value.elements] if isinstance(value, cst.Tuple) else [value]
        return bool(parts) and all(self._is_row(part, function) for part in parts)

    def _is_row(self, part: cst.BaseExpression | None, function: cst.FunctionDef) -> bool:
        """`x[order]`, for a parameter and the order that a shuffle drew."""
        if not isinstance(part, cst.Subscript) or not self._is_parameter(part.value, function) or len(part.slice) != 1:
            return False
        index = part.slice[0].slice
        order = index.value if isinstance(index, cst.Index) else None
        if not isinstance(order, cst.Name):
            return False
        drawn = (binding.value for binding in self._names.bindings(order))
        shuffled = {
            subject.value
            for shuffle in self._shuffles.inside(function)
            for subject in shuffle.subjects
            if isinstance(subject, cst.Name)
        }
        return order.value in shuffled or any(v is not None and self._shuffles.of(v) is not None for v in drawn)

    def _is_parameter(self, node: cst.BaseExpression, function: cst.FunctionDef) -> bool:
        return isinstance(node, cst.Name) and node.value in {param.name.value for param in parameters(function.params)}
