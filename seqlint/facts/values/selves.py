"""Which names are the instance that a method is called on."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import parameters

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree


class Selves:
    """The `self` of the methods of one file."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names
        self._found: dict[cst.Name, cst.ClassDef | None] = {}
        self._owners: dict[cst.CSTNode, cst.ClassDef | None] = {}

    def of(self, node: cst.BaseExpression) -> cst.ClassDef | None:
        """The class whose instance `node` is, where it is the first parameter of a method."""
        if not isinstance(node, cst.Name) or node.value not in self._words:
            return None
        if node not in self._found:
            bindings = self._names.bindings(node)
            alone = len(bindings) == 1 and bindings[0].kind == "parameter"
            self._found[node] = self._of_parameter(bindings[0].node) if alone else None
        return self._found[node]

    @cached_property
    def _words(self) -> frozenset[str]:
        """What methods call their instance; nearly always "self" alone, so that other names are told from it at once."""
        functions = (node for node in self._tree.all(cst.FunctionDef) if self._holder(node) is not None)
        params = (parameters(function.params) for function in functions)
        return frozenset(found[0].name.value for found in params if found)

    def _of_parameter(self, param: cst.CSTNode) -> cst.ClassDef | None:
        if param not in self._owners:
            self._owners[param] = self._owner(param)
        return self._owners[param]

    def _owner(self, param: cst.CSTNode) -> cst.ClassDef | None:
        function = self._tree.enclosing(param, cst.FunctionDef, cst.Lambda)
        if not isinstance(function, cst.FunctionDef) or parameters(function.params)[0] is not param:
            return None
        if any(self._names.qualified(item.decorator) == "builtins.staticmethod" for item in function.decorators):
            return None
        return self._holder(function)

    def _holder(self, function: cst.FunctionDef) -> cst.ClassDef | None:
        """The class in whose body a function stands."""
        owner = self._tree.enclosing(function, cst.ClassDef, cst.FunctionDef)
        return owner if isinstance(owner, cst.ClassDef) else None
