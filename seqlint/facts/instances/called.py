"""Whether anything but Keras calls a method: code of the file that speaks of it, or a base out of sight."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts, Reached
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.project import Project
    from seqlint.facts.values.values import Values

_LIBRARIES = ("keras.", "builtins.", "abc.", "typing.")


class Called:
    """Who calls the methods of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes, project: Project | None) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._project = project

    def is_spoken_of(self, name: str) -> bool:
        """Whether the file names an attribute so anywhere: `self.name`, `feed.name`, `getattr(feed, "name")`."""
        return name in self._spoken

    @cached_property
    def _spoken(self) -> frozenset[str]:
        attributes = (node.attr.value for node in self._tree.all(cst.Attribute))
        strings = (node.evaluated_value for node in self._tree.all(cst.SimpleString))
        return frozenset({*attributes, *(text for text in strings if isinstance(text, str))})

    def only_when_made(self, owner: ClassFacts, name: str) -> tuple[cst.Attribute, ...]:
        """The calls of a method in the `__init__` of its class; none where anything else of the file speaks of it."""
        found = tuple(self._tree.attributes(name))
        strings = (node.evaluated_value for node in self._tree.all(cst.SimpleString))
        if any(text == name for text in strings) or not all(self._is_in_init(owner, node) for node in found):
            return ()
        return found

    def _is_in_init(self, owner: ClassFacts, node: cst.Attribute) -> bool:
        call, function = self._tree.parents[node], self._tree.function(node)
        is_called = isinstance(call, cst.Call) and call.func is node and self._values.self_class(node.value) is not None
        return is_called and any(holder.methods.get("__init__") is function for holder in owner.lineage)

    def may_be_used_by_base(self, owner: ClassFacts, name: str) -> bool:
        """Whether a base of another file has a method of the name, or may have one: it can then call the method itself."""
        bases = [base for holder in owner.lineage for base in holder.bases if self._names.definition(base) is None]
        return any(self._may_have(self._names.qualified(base), name) for base in bases)

    def _may_have(self, base: str | None, name: str) -> bool:
        if base is None:
            return True
        if base.startswith(_LIBRARIES):
            return False
        summary = self._project.class_summary(base) if self._project is not None else None
        if summary is None or self._project is None:
            return True
        return name in summary.methods or any(self._may_have(each, name) for each in self._project.bases(base) or ())

    def is_by_keras_alone(self, owner: ClassFacts, hook: str, reached: tuple[Reached, ...]) -> bool:
        """Whether the file leaves a hook to Keras: only its own functions, and hooks of that name, speak of it and its helpers."""
        inside = {found.node for found in reached}
        names = {hook, *(found.node.name.value for found in reached if found.owner is not None)}
        for node in (node for name in names for node in self._tree.attributes(name)):
            if self.is_of_other(owner, node):
                continue
            function = self._tree.function(node)
            forwards = function is not None and function.name.value == node.attr.value == hook
            if function not in inside and not forwards:
                return False
        return True

    def is_of_other(self, owner: ClassFacts, node: cst.Attribute) -> bool:
        """Whether code speaks of its own instance, and its class has nothing to do with another one."""
        around = self._values.self_class(node.value)
        other = self._classes.of(around) if around is not None else None
        return other is not None and owner not in other.lineage and other not in owner.lineage
