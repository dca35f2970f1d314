"""The attributes of `self` that code uses, and whether they keep their value once the instance is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.statements import is_constant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.instances.writes import Writes
    from seqlint.facts.values.values import Values


class Members:
    """Attributes of the instances of one file."""

    def __init__(self, tree: Tree, values: Values, writes: Writes) -> None:
        self._tree = tree
        self._values = values
        self._writes = writes

    def used(self, nodes: Iterable[cst.CSTNode]) -> dict[str, list[cst.Attribute]]:
        """The attributes of `self` that code names, methods too, in the order of their first use."""
        found: dict[str, list[cst.Attribute]] = {}
        for node in nodes:
            for inner in self._tree.inside(node, cst.Attribute):
                if self._values.self_class(inner.value) is not None and inner.attr.value != "__class__":
                    found.setdefault(inner.attr.value, []).append(inner)
        return found

    def bound(self, nodes: Iterable[cst.CSTNode]) -> frozenset[str]:
        """The attributes of `self` that code binds."""
        uses = self.used(nodes)
        return frozenset(
            name for name, found in uses.items() if any(self._values.stored(use) is not None for use in found)
        )

    def changed(self, nodes: Iterable[cst.CSTNode]) -> frozenset[str]:
        """The attributes of `self` whose objects code changes in place."""
        return frozenset().union(*(self._writes.changed(node) for node in nodes))

    def all(self, name: str) -> tuple[cst.Attribute, ...]:
        """Every use of an attribute of this name in the file, whatever it belongs to."""
        return self._tree.attributes(name)

    def is_settled(self, owner: ClassFacts, name: str) -> bool:
        """Whether nothing but an `__init__` or the class body binds the attribute, and one of them does."""
        stores = [node for node in self.all(name) if self._values.stored(node) is not None]
        if not stores:
            return bool(self._values.attribute_values(owner.node, name))
        return all((function := self._tree.function(store)) and function.name.value == "__init__" for store in stores)

    def is_of_class(self, owner: ClassFacts, name: str) -> bool:
        """Whether the attribute is one of the class: its body binds it, and no method does."""
        if any(self._values.stored(node) is not None for node in self.all(name)):
            return False
        return bool(self._values.attribute_values(owner.node, name))

    def start(self, owner: ClassFacts, name: str, inside: Iterable[cst.Attribute]) -> cst.SimpleStatementLine | None:
        """The line of `__init__` that gives an attribute a literal as its first value, where nothing but `inside` uses it."""
        known = set(inside)
        others = [node for node in self.all(name) if node not in known]
        init = owner.methods.get("__init__")
        if len(others) != 1 or init is None or self._values.self_class(others[0].value) is not owner.node:
            return None
        line = self._tree.statement(others[0])
        if (
            not isinstance(line, cst.SimpleStatementLine)
            or self._tree.parents[line] is not init.body
            or len(line.body) != 1
        ):
            return None
        assign = line.body[0]
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or assign.targets[0].target is not others[0]:
            return None
        return line if is_constant(assign.value) else None
