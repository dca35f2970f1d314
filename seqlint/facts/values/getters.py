"""Properties: what `self.steps` and `self.feed` run when they are read."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.methods import PROPERTIES

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.self_parameters import SelfParameters

_MAX_BASES = 4


class Getters:
    """The properties of the classes of one file."""

    def __init__(self, tree: Tree, names: Names, self_parameters: SelfParameters) -> None:
        self._tree = tree
        self._names = names
        self._self_parameters = self_parameters

    def of(self, node: cst.BaseExpression) -> cst.FunctionDef | None:
        """The property that an attribute of `self` surely reads: no other function of the file has its name."""
        if not isinstance(node, cst.Attribute) or node.attr.value not in self._named:
            return None
        owner = self._self_parameters.of(node.value)
        return self._named[node.attr.value] if owner is not None and self._has(owner, node.attr.value) else None

    def gives(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression | None, ...] | None:
        """What the property returns; None among them for a bare `return`, and alone where `node` reads no property."""
        getter = self.of(node)
        if getter is None or self._tree.inside(getter.body, cst.Yield):
            return None
        returns = self._tree.inside(getter.body, cst.Return)
        return tuple(node.value for node in returns if self._tree.function(node) is getter) or (None,)

    def _has(self, owner: cst.ClassDef, name: str, steps: int = _MAX_BASES) -> bool:
        """Whether the property stands in a class, or in one that it is made from."""
        getter = self._named[name]
        if self._tree.enclosing(getter, cst.ClassDef, cst.FunctionDef) is owner:
            return True
        bases = (self._names.definition(base.value) for base in owner.bases) if steps else ()
        return any(isinstance(base, cst.ClassDef) and self._has(base, name, steps - 1) for base in bases)

    @cached_property
    def _named(self) -> dict[str, cst.FunctionDef]:
        """The properties whose name no other function has."""
        found: dict[str, list[cst.FunctionDef]] = {}
        for function in self._tree.all(cst.FunctionDef):
            found.setdefault(function.name.value, []).append(function)
        return {name: each[0] for name, each in found.items() if len(each) == 1 and self._is_getter(each[0])}

    def _is_getter(self, function: cst.FunctionDef) -> bool:
        if len(function.decorators) != 1:
            return False
        return self._names.qualified(function.decorators[0].decorator) in PROPERTIES
