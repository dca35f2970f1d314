"""Generators of a file, and how many parts each of their batches has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.methods import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Values


class Generators:
    """The generators of a file."""

    def __init__(self, tree: Tree, names: Names, values: Values, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._open: set[cst.FunctionDef] = set()

    def widths(self, node: cst.BaseExpression) -> frozenset[int | None]:
        """How many items the tuples have that a generator yields, None for anything but a tuple that is written out.

        Empty where the expression may be something else than what one generator function of this file gives.
        """
        function = self._function(self._values.only(node))
        return frozenset(map(self._width, self._yielded(function))) if function is not None else frozenset()

    def _function(self, value: cst.CSTNode | None) -> cst.FunctionDef | None:
        """The generator function that a call surely runs; a decorated one may give something else."""
        function = self._calls.called(value) if isinstance(value, cst.Call) else None
        if function is None or function.asynchronous or not self._values.is_generator(function):
            return None
        return function if all(self._names.qualified(d.decorator) in PLAIN for d in function.decorators) else None

    def _yielded(self, function: cst.FunctionDef) -> Iterator[cst.BaseExpression | None]:
        """What a function yields, also what it leaves to another: `yield from self._batches()`."""
        self._open.add(function)
        for node in self._tree.inside(function.body, cst.Yield):
            if self._tree.enclosing(node, cst.FunctionDef, cst.Lambda) is not function:
                continue
            if not isinstance(node.value, cst.From):
                yield node.value
            elif (inner := self._function(self._values.only(node.value.item))) is not None and inner not in self._open:
                yield from self._yielded(inner)
        self._open.discard(function)

    def _width(self, value: cst.BaseExpression | None) -> int | None:
        known = self._values.only(value) if value is not None else None
        if not isinstance(known, cst.Tuple) or any(isinstance(e, cst.StarredElement) for e in known.elements):
            return None
        return len(known.elements)
