"""Properties that stand for a number of a class: `self.steps`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Values

_PROPERTIES = frozenset({"builtins.property", "functools.cached_property"})


def getter_of(tree: Tree, names: Names, values: Values, node: cst.BaseExpression) -> cst.FunctionDef | None:
    """The property that an attribute of `self` surely reads: no other function of the file has its name."""
    owner = values.self_class(node.value) if isinstance(node, cst.Attribute) else None
    if owner is None or not isinstance(node, cst.Attribute):
        return None
    named = _named(tree.inside(owner, cst.FunctionDef), node.attr.value)
    only = named[0] if len(named) == 1 and len(named[0].decorators) == 1 else None
    if only is None or names.qualified(only.decorators[0].decorator) not in _PROPERTIES:
        return None
    if tree.enclosing(only, cst.ClassDef, cst.FunctionDef) is not owner:
        return None
    return only if len(_named(tree.all(cst.FunctionDef), node.attr.value)) == 1 else None


def _named(functions: tuple[cst.FunctionDef, ...], name: str) -> list[cst.FunctionDef]:
    return [each for each in functions if each.name.value == name]
