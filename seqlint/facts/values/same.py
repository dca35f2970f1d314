"""Whether an expression has the same value at another place of the file: what a rewrite that moves it must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Values

_LITERALS = (cst.Integer, cst.Float, cst.SimpleString)
_PURE = frozenset({
    "os.cpu_count", "os.process_cpu_count", "multiprocessing.cpu_count", "builtins.int", "builtins.bool",
    "builtins.max", "builtins.min", "builtins.abs", "builtins.round",
})  # fmt: skip


class Same:
    """Compares the value of an expression at two places."""

    def __init__(self, tree: Tree, names: Names, values: Values) -> None:
        self._tree = tree
        self._names = names
        self._values = values

    def at(self, node: cst.BaseExpression, place: cst.CSTNode) -> bool:
        """Whether an expression surely has the value at `place` that it has where it stands; `place` runs first."""
        if isinstance(node, _LITERALS):
            return True
        if isinstance(node, cst.Name):
            return self._name(node, place)
        if isinstance(node, cst.Attribute):
            return self.at(node.value, place) and self._attribute(node, place)
        if isinstance(node, cst.Call):
            pure = self._names.qualified(node.func) in _PURE
            return pure and all(not argument.star and self.at(argument.value, place) for argument in node.args)
        parts = _parts(node)
        return bool(parts) and all(self.at(part, place) for part in parts)

    def _name(self, name: cst.Name, place: cst.CSTNode) -> bool:
        here, there = self._names.bindings(name), self._names.bindings(name, place)
        if not here and not there:
            return self._names.qualified(name) is not None  # a builtin
        if not here or not there or here[0].scope is not there[0].scope:
            return False
        reaching = self._names.reaching(name)
        if set(reaching) != set(self._names.reaching(name, place)):
            return False
        scope = here[0].scope
        if not self._names.same_frame(place, scope):
            return len(here) == 1
        return all(self._tree.order.precedes(binding.node, place) for binding in reaching)

    def _attribute(self, node: cst.Attribute, place: cst.CSTNode) -> bool:
        """An attribute keeps its value if nothing stores to its name, but for an `__init__` that has run by then."""
        return all(
            self._early(other, place) for other in self._tree.all(cst.Attribute) if self._stores(other, node.attr.value)
        )

    def _stores(self, node: cst.Attribute, name: str) -> bool:
        return node.attr.value == name and self._values.stored(node) is not None

    def _early(self, store: cst.Attribute, place: cst.CSTNode) -> bool:
        function = self._tree.function(store)
        if function is None or function.name.value != "__init__":
            return False
        return self._tree.function(place) is not function or self._tree.order.precedes(store, place)


def _parts(node: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
    if isinstance(node, cst.BinaryOperation):
        return (node.left, node.right)
    if isinstance(node, cst.BooleanOperation):
        return (node.left, node.right)
    if isinstance(node, cst.UnaryOperation):
        return (node.expression,)
    if isinstance(node, cst.IfExp):
        return (node.test, node.body, node.orelse)
    if isinstance(node, cst.Comparison):
        return (node.left, *(part.comparator for part in node.comparisons))
    return ()
