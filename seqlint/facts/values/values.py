"""Where a value comes from: through names, attributes of `self`, conditionals, parameters and simple functions.

Stops after a few steps: a fact that a person could not check by reading two screens is not a fact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import is_super
from seqlint.facts.values.getters import Getters
from seqlint.facts.values.self_parameters import SelfParameters
from seqlint.facts.values.stores import stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree

Value = cst.BaseExpression | None
MAX_STEPS = 6


@dataclass(frozen=True)
class Constant:
    """A literal value that an expression has."""

    value: int | float | str | bool | bytes | None


class Values:
    """Follows values through one file."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self.tree = tree
        self.names = names
        self._callers: dict[cst.FunctionDef, tuple[cst.Call, ...]] = {}
        self._found: dict[tuple[cst.BaseExpression, int], list[Value]] = {}
        self._given: dict[str, dict[cst.ClassDef, list[Value]]] = {}
        self.self_parameters = SelfParameters(tree, names)
        self.getters = Getters(tree, names, self.self_parameters)

    def of(self, node: cst.BaseExpression) -> tuple[Value, ...]:
        """The expressions that compute the value of `node`; None stands for one that can't be followed."""
        return tuple(self._of(node, MAX_STEPS))

    def through_properties(self, node: cst.BaseExpression, steps: int = MAX_STEPS) -> tuple[Value, ...]:
        """The same, where properties of this file are followed too."""
        found: list[Value] = []
        for value in self.of(node):
            given = self.getters.gives(value) if value is not None and steps else None
            for one in () if given is None else given:
                found += [None] if one is None else self.through_properties(one, steps - 1)
            found += [value] if given is None else []
        return tuple(dict.fromkeys(found))

    def only(self, node: cst.BaseExpression) -> Value:
        """The one expression that computes the value; None if unsure."""
        found = self.of(node)
        return found[0] if len(found) == 1 else None

    def _of(self, node: cst.BaseExpression, steps: int) -> list[Value]:
        if steps == 0:
            return [None]
        if (node, steps) not in self._found:
            self._found[node, steps] = list(dict.fromkeys(self._step(node, steps)))
        return self._found[node, steps]

    def _step(self, node: cst.BaseExpression, steps: int) -> list[Value]:
        if isinstance(node, cst.Name):
            return self._of_name(node, steps)
        if isinstance(node, cst.Attribute):
            return self._of_attribute(node, steps)
        if isinstance(node, cst.IfExp):
            return [*self._of(node.body, steps), *self._of(node.orelse, steps)]
        if isinstance(node, cst.NamedExpr):
            return self._of(node.value, steps)
        if isinstance(node, cst.Call):
            return self._of_call(node, steps)
        return [node]

    def _of_name(self, node: cst.Name, steps: int) -> list[Value]:
        bindings = self.names.reaching(node)
        if not bindings:
            return [node] if self.names.qualified(node) else [None]
        found: list[Value] = []
        for binding in bindings:
            found += self._of_binding(binding, node, steps)
        return found

    def _of_binding(self, binding: Binding, use: cst.Name, steps: int) -> list[Value]:
        if binding.kind == "assign" and binding.value is not None:
            return self._of(binding.value, steps - 1)
        if binding.kind == "parameter" and isinstance(binding.node, cst.Param):
            return self._of_parameter(binding.node, steps)
        if binding.kind in ("import", "class", "function"):
            return [use]
        return self.unpacked(binding, lambda node: self._of(node, steps - 1)) if binding.kind == "unpack" else [None]

    def unpacked(self, binding: Binding, follow: Callable[[cst.BaseExpression], Iterable[Value]]) -> list[Value]:
        """`train, check = make_feeds()`: what `follow` finds at this place of the tuple that the function returns."""
        element = self.tree.parents.get(binding.node)
        target = self.tree.parents.get(element) if isinstance(element, cst.Element) else None
        if not isinstance(target, cst.Tuple) or not isinstance(self.tree.parents.get(target), cst.AssignTarget):
            return [None]
        found: list[Value] = []
        for whole in follow(binding.value) if binding.value is not None else ():
            if not isinstance(whole, (cst.Tuple, cst.List)) or len(whole.elements) != len(target.elements):
                return [None]
            if any(isinstance(one, cst.StarredElement) for one in (*whole.elements, *target.elements)):
                return [None]
            found += follow(whole.elements[target.elements.index(element)].value)
        return found or [None]

    def _of_attribute(self, node: cst.Attribute, steps: int) -> list[Value]:
        owner = self.self_class(node.value)
        if owner is None:
            return [node] if self.names.qualified(node) else [None]
        if self.getters.of(node) is not None:
            return [node]
        found: list[Value] = []
        for value in self.attribute_values(owner, node.attr.value):
            found += [None] if value is None else self._of(value, steps - 1)
        return found or [None]

    def _of_call(self, node: cst.Call, steps: int) -> list[Value]:
        function = self.names.definition(node.func)
        plain = isinstance(function, cst.FunctionDef) and not function.decorators and not function.asynchronous
        if not isinstance(function, cst.FunctionDef) or not plain or self.is_generator(function):
            return [node]
        found: list[Value] = []
        for statement in self.own(function, cst.Return):
            found += [None] if statement.value is None else self._of(statement.value, steps - 1)
        return found or [None]

    def _of_parameter(self, param: cst.Param, steps: int) -> list[Value]:
        function = self.tree.enclosing(param, cst.FunctionDef, cst.Lambda)
        if not isinstance(function, cst.FunctionDef):
            return [None]
        calls = self.calls_of(function)
        if not calls:
            return [None, *([] if param.default is None else self._of(param.default, steps - 1))]
        found: list[Value] = []
        for call in calls:
            value = self.passed(call, function, param.name.value)
            if value is None and not any(argument.star for argument in call.args):
                value = param.default
            found += [None] if value is None else self._of(value, steps - 1)
        return found

    # -- functions --------------------------------------------------------------------------------------------------

    def own(self, function: cst.FunctionDef, kind: type[cst.Return]) -> tuple[cst.Return, ...]:
        """The `return` statements of a function itself, those of inner functions left out."""
        return tuple(node for node in self.tree.inside(function, kind) if self.tree.function(node) is function)

    def is_generator(self, function: cst.FunctionDef) -> bool:
        """Whether calling the function gives a generator."""
        inner = self.tree.inside(function.body, cst.Yield)
        return any(self.tree.enclosing(node, cst.FunctionDef, cst.Lambda) is function for node in inner)

    def calls_of(self, function: cst.FunctionDef) -> tuple[cst.Call, ...]:
        """Every call in this file that surely calls the function: by name, as a method of `self`, as a constructor."""
        if function not in self._callers:
            owner = self.tree.enclosing(function, cst.ClassDef, cst.FunctionDef)
            if function.name.value == "__init__" and isinstance(owner, cst.ClassDef):
                found = [call for call in self._constructing.get(function, ()) if self._makes(call, function, owner)]
            else:
                found = [call for call in self._by_name.get(function.name.value, ()) if self._calls(call, function)]
            self._callers[function] = tuple(found)
        return self._callers[function]

    @cached_property
    def _by_name(self) -> dict[str, list[cst.Call]]:
        """The calls by the name, or the last part of it, that is called."""
        found: dict[str, list[cst.Call]] = {}
        for call in self.tree.all(cst.Call):
            name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
            if isinstance(name, cst.Name):
                found.setdefault(name.value, []).append(call)
        return found

    @cached_property
    def _constructing(self) -> dict[cst.CSTNode, list[cst.Call]]:
        """The calls that can run an `__init__` of this file, by that: calls of classes, and of `super().__init__`."""
        found: dict[cst.CSTNode, list[cst.Call]] = {}
        for call in self.tree.all(cst.Call):
            for init in self._inits(call):
                found.setdefault(init, []).append(call)
        return found

    def _inits(self, call: cst.Call) -> frozenset[cst.FunctionDef]:
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "__init__":
            makers = [call.func]
        else:
            inner = self.tree.enclosing(call, cst.ClassDef)
            makers = [base.value for base in inner.bases] if inner is not None else []
        found = (self._init_of(self.names.definition(maker)) for maker in makers)
        return frozenset(init for init in found if init is not None)

    def _makes(self, call: cst.Call, init: cst.FunctionDef, owner: cst.CSTNode | None) -> bool:
        """Whether a call runs this `__init__`: `Feed(...)`, or a class made from it, or `super().__init__(...)`."""
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "__init__":
            inner = self.tree.enclosing(call, cst.ClassDef)
            if inner is None or inner is owner or not is_super(call.func.value):
                return False
            return any(self._init_of(self.names.definition(base.value)) is init for base in inner.bases)
        return self._init_of(self.names.definition(call.func)) is init

    def _init_of(self, node: cst.CSTNode | None, steps: int = MAX_STEPS) -> cst.FunctionDef | None:
        """The `__init__` that making an instance runs, own or inherited in this file."""
        if not isinstance(node, cst.ClassDef) or steps == 0:
            return None
        own = self.names.inner_scope(node).bindings.get("__init__", ())
        if own:
            return own[-1].node if isinstance(own[-1].node, cst.FunctionDef) else None
        inherited = (self._init_of(self.names.definition(base.value), steps - 1) for base in node.bases)
        return next((found for found in inherited if found is not None), None)

    def _calls(self, call: cst.Call, function: cst.FunctionDef) -> bool:
        if isinstance(call.func, cst.Name):
            return call.func.value == function.name.value and self.names.definition(call.func) is function
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != function.name.value:
            return False
        owner = self.self_class(call.func.value)
        return owner is not None and self.tree.enclosing(function, cst.ClassDef, cst.FunctionDef) is owner

    def passed(self, call: cst.Call, function: cst.FunctionDef, name: str) -> cst.BaseExpression | None:
        """What a call gives to a parameter of the function; None where it leaves the default, or unpacks."""
        wanted = [param.name.value for param in (*function.params.posonly_params, *function.params.params)]
        if isinstance(call.func, cst.Attribute) or function.name.value == "__init__":
            wanted = wanted[1:]
        argument = bound(call, tuple(wanted)).get(name)
        return argument.value if argument is not None else None

    # -- classes ----------------------------------------------------------------------------------------------------

    def self_class(self, node: cst.BaseExpression) -> cst.ClassDef | None:
        """The class whose instance `node` is, where it is the first parameter of a method, or of a function that methods hand it to."""
        return self.self_parameters.of(node)

    def handed_to(self, function: cst.FunctionDef) -> cst.ClassDef | None:
        """The class whose methods hand their instance to a function of the module."""
        return self.self_parameters.handed_to(function)

    def attribute_values(self, owner: cst.ClassDef, name: str, steps: int = MAX_STEPS) -> tuple[Value, ...]:
        """What methods of a class give to `self.name`, or the class body to `name`; else what its bases give."""
        if name not in self._given:
            self._given[name] = self._given_to(name)
        found = self._given[name].get(owner)
        if found:
            return tuple(found)
        body = self.names.inner_scope(owner).bindings.get(name, ())
        if body or steps == 0:
            return tuple(binding.value if binding.kind == "assign" else None for binding in body)
        bases = [self.names.definition(base.value) for base in owner.bases]
        return tuple(
            value
            for base in bases
            if isinstance(base, cst.ClassDef)
            for value in self.attribute_values(base, name, steps - 1)
        )

    def _given_to(self, name: str) -> dict[cst.ClassDef, list[Value]]:
        """What the methods of each class give to `self.name`."""
        found: dict[cst.ClassDef, list[Value]] = {}
        for node in self.tree.attributes(name):
            owner = self.self_class(node.value)
            if owner is not None and (kind := self.stored(node)):
                found.setdefault(owner, []).append(kind[0])
        return found

    def stored(self, target: cst.Attribute) -> tuple[Value] | None:
        """What is stored to an attribute here, in a tuple of one; None where it is only read."""
        return stored(self.tree, target)

    # -- constants --------------------------------------------------------------------------------------------------

    def constant(self, node: cst.BaseExpression) -> Constant | None:
        """The literal that an expression surely is, through names; None if it can be anything else."""
        found = {_literal(value) if value is not None else None for value in self.of(node)}
        return found.pop() if len(found) == 1 else None


def bound(call: cst.Call, parameters: tuple[str, ...]) -> dict[str, cst.Arg]:
    """The arguments of a call by the names of the parameters they bind; what follows a `*args` is left out."""
    found: dict[str, cst.Arg] = {}
    positions = iter(parameters)
    starred = False
    for argument in call.args:
        if argument.star:
            starred = starred or argument.star == "*"
        elif argument.keyword is not None:
            found[argument.keyword.value] = argument
        elif not starred and (name := next(positions, None)) is not None:
            found[name] = argument
    return found


def _literal(node: cst.BaseExpression) -> Constant | None:
    if isinstance(node, (cst.Integer, cst.Float)):
        return Constant(node.evaluated_value)
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        return Constant(node.evaluated_value)
    if isinstance(node, cst.Name) and node.value in ("True", "False", "None"):
        return Constant({"True": True, "False": False, "None": None}[node.value])
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = _literal(node.expression)
        if inner is not None and isinstance(inner.value, (int, float)):
            return Constant(-inner.value)
    return None
