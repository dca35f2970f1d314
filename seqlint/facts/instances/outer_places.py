"""What an expression in a function stands for, if that is outside the instance and the locals: a global, a class, a module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.classes.classes import Reached
from seqlint.facts.code.scopes import parameters

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Scope
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Values

PlaceKind = Literal["object", "class", "module", "environment"]
MAX_STEPS = 4


@dataclass(frozen=True)
class Place:
    """Something outside that an expression stands for.

    Attributes:
        text: how the code calls it.
        root: the variable that leads there, where it is one of this file.
        attribute: the attribute of a class or module, where it is one.
        whole: it is the class or module itself, none of its attributes.
    """

    kind: PlaceKind
    text: str
    root: cst.Name | None = None
    attribute: str | None = None
    whole: bool = False


class OuterPlaces:
    """The places that the functions of one file reach."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes

    def outside(self, node: cst.BaseExpression, reached: Reached, steps: int = MAX_STEPS) -> Place | None:
        """What an expression stands for, if that is surely none of the instance and no local."""
        if steps == 0:
            return None
        if self._names.qualified(node) == "os.environ":
            return Place("environment", "os.environ")
        if isinstance(node, cst.Name):
            return self._outside_name(node, reached, steps)
        if isinstance(node, cst.Attribute):
            return self._outside_attribute(node, reached, steps)
        if isinstance(node, cst.Subscript):
            return self.outside(node.value, reached, steps)
        if isinstance(node, cst.Call) and node.args:
            name = self._names.qualified(node.func)
            if name == "builtins.type" and (owner := self._values.self_class(node.args[0].value)) is not None:
                return Place("class", owner.name.value, whole=True)
            return self.outside(node.args[0].value, reached, steps - 1) if name == "builtins.vars" else None
        return None

    def _outside_name(self, name: cst.Name, reached: Reached, steps: int) -> Place | None:
        owner = self._values.self_class(name)
        if owner is not None:
            return Place("class", owner.name.value, whole=True) if self._is_class_method(name) else None
        bindings = self._names.bindings(name)
        if not bindings:
            known = self._names.qualified(name)
            return None if known is not None and known.startswith("builtins.") else Place("object", name.value)
        if self.is_inside(self._names.scope(name).home(name.value), reached.node):
            return self._local(name, reached, steps)
        kinds = {binding.kind for binding in bindings}
        if kinds == {"import"}:
            return Place("module", name.value, name, whole=True)
        if kinds == {"class"}:
            return Place("class", name.value, name, whole=True)
        return Place("object", name.value, name)

    def _is_class_method(self, name: cst.Name) -> bool:
        function = self._tree.enclosing(self._names.bindings(name)[0].node, cst.FunctionDef)
        decorators = function.decorators if function is not None else ()
        return any(self._names.qualified(item.decorator) == "builtins.classmethod" for item in decorators)

    def _local(self, name: cst.Name, reached: Reached, steps: int) -> Place | None:
        """A local that stands for something outside: `log = HISTORY`, or a parameter that is given it."""
        found = self._names.reaching(name)
        if len(found) != 1:
            return None
        if found[0].kind == "assign" and isinstance(found[0].value, (cst.Name, cst.Attribute, cst.Subscript)):
            return self.outside(found[0].value, reached, steps - 1)
        if found[0].kind != "parameter" or reached.call is None or found[0].node not in parameters(reached.node.params):
            return None
        call = self._tree.parents[reached.call]
        if not isinstance(call, cst.Call) or call.func is not reached.call:
            return None
        given = self._values.passed(call, reached.node, name.value)
        around = self._tree.function(call)
        if given is None or around is None:
            return None
        return self.outside(given, Reached(reached.path, around, None), steps - 1)

    def _outside_attribute(self, node: cst.Attribute, reached: Reached, steps: int) -> Place | None:
        owner = self._values.self_class(node.value)
        if owner is not None and not self._is_class_method_self(node.value):
            if node.attr.value == "__class__":
                return Place("class", owner.name.value, whole=True)
            return self._shared(owner, node.attr.value)
        place = self.outside(node.value, reached, steps)
        if place is None:
            return None
        attribute = node.attr.value if place.whole else place.attribute
        return Place(place.kind, f"{place.text}.{node.attr.value}", place.root, attribute)

    def _is_class_method_self(self, node: cst.BaseExpression) -> bool:
        return isinstance(node, cst.Name) and self._is_class_method(node)

    def _shared(self, owner: cst.ClassDef, attribute: str) -> Place | None:
        """`self.seen` where the class body alone gives it a value: all instances share the object."""
        facts = self._classes.of(owner)
        for above in facts.lineage:
            if any(self._stores(above.node, node, attribute) for node in self._tree.inside(above.node, cst.Attribute)):
                return None
        for above in facts.lineage:
            if attribute in self._names.inner_scope(above.node).bindings and attribute not in above.methods:
                return Place("class", f"{above.name}.{attribute}", attribute=attribute)
        return None

    def _stores(self, owner: cst.ClassDef, node: cst.Attribute, attribute: str) -> bool:
        if node.attr.value != attribute or self._values.stored(node) is None:
            return False
        return self._values.self_class(node.value) is owner

    def is_inside(self, home: Scope | None, function: cst.FunctionDef) -> bool:
        """Whether a scope is that of a function or of something in it."""
        if home is None or home.kind == "module":
            return False
        return self._tree.holds(function, home.node)
