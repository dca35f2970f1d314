"""Which function of this file a call runs, what it hands over, and what it gets back."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.methods import PLAIN
from seqlint.facts.values.values import bound

if TYPE_CHECKING:
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Values


class CallGraph:
    """The calls of a file that run code of the same file."""

    def __init__(self, tree: Tree, names: Names, values: Values, classes: Classes) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._classes = classes
        self._functions: dict[cst.Call, cst.FunctionDef | None] = {}

    def called(self, call: cst.Call) -> cst.FunctionDef | None:
        """The function or method that a call surely runs; for a class its `__init__`. None if unsure."""
        if call not in self._functions:
            self._functions[call] = self._run_by(call)
        return self._functions[call]

    def _run_by(self, call: cst.Call) -> cst.FunctionDef | None:
        definition = self._names.definition(call.func)
        if isinstance(definition, cst.ClassDef):
            return self._method(self._classes.of(definition), "__init__")
        if definition is not None:
            return definition
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in self._method_names:
            owner = self._owner(call.func.value)
            if owner is not None:
                return self._method(owner, call.func.attr.value)
        return self._instance_called(call.func) if "__call__" in self._method_names else None

    def _instance_called(self, func: cst.BaseExpression) -> cst.FunctionDef | None:
        """The `__call__` of an instance made in this file: `self.augment(x)`."""
        if not isinstance(func, (cst.Name, cst.Attribute)) or self._values.self_class(func) is not None:
            return None
        owner = self._owner(func)
        return self._method(owner, "__call__") if owner is not None else None

    @cached_property
    def _method_names(self) -> frozenset[str]:
        return frozenset(name for owner in self._classes.all for name in owner.methods)

    def _method(self, owner: ClassFacts, name: str) -> cst.FunctionDef | None:
        found = owner.method(name)
        return found[1] if found is not None else None

    def _owner(self, node: cst.BaseExpression) -> ClassFacts | None:
        """The class whose method `node.method` is: of `self`, of an instance made in this file, or named itself."""
        own = self._values.self_class(node) or self._names.definition(node)
        if isinstance(own, cst.ClassDef):
            return self._classes.of(own)
        made = {self._names.definition(v.func) if isinstance(v, cst.Call) else None for v in self._values.of(node)}
        definition = made.pop() if len(made) == 1 else None
        return self._classes.of(definition) if isinstance(definition, cst.ClassDef) else None

    @cached_property
    def _by_function(self) -> dict[cst.FunctionDef, tuple[cst.Call, ...]]:
        found: dict[cst.FunctionDef, tuple[cst.Call, ...]] = {}
        for call in self._tree.all(cst.Call):
            function = self.called(call)
            if function is not None:
                found[function] = (*found.get(function, ()), call)
        return found

    def callers(self, function: cst.FunctionDef) -> tuple[cst.Call, ...]:
        """Every call of this file that surely runs the function, in reading order."""
        return self._by_function.get(function, ())

    def passed(self, call: cst.Call, function: cst.FunctionDef, name: str) -> cst.BaseExpression | None:
        """What a call gives to a parameter: an argument, else the default; None where it can't be told."""
        wanted = [param.name.value for param in (*function.params.posonly_params, *function.params.params)]
        if self._is_bound(call, function):
            wanted = wanted[1:]
        argument = bound(call, tuple(wanted)).get(name)
        if argument is not None:
            return argument.value
        if any(given.star for given in call.args):
            return None
        every = (*function.params.posonly_params, *function.params.params, *function.params.kwonly_params)
        return next((param.default for param in every if param.name.value == name), None)

    def _is_bound(self, call: cst.Call, function: cst.FunctionDef) -> bool:
        """Whether Python fills in the first parameter."""
        if not isinstance(self._tree.enclosing(function, cst.ClassDef, cst.FunctionDef), cst.ClassDef):
            return False
        kinds = {self._names.qualified(decorator.decorator) for decorator in function.decorators}
        if "builtins.staticmethod" in kinds:
            return False
        if "builtins.classmethod" in kinds or isinstance(self._names.definition(call.func), cst.ClassDef):
            return True
        if function.name.value == "__call__" and not _names_it(call.func):
            return True
        if not isinstance(call.func, cst.Attribute):
            return False
        return not isinstance(
            self._names.definition(call.func.value), cst.ClassDef
        )  # `Base.method(self, x)` writes it out

    def returned(self, call: cst.Call) -> tuple[cst.BaseExpression, ...] | None:
        """The expressions of which the call gives one; None where it can give anything else."""
        function = self.called(call)
        if function is None or function.asynchronous or function.name.value == "__init__":
            return None
        decorated = any(self._names.qualified(item.decorator) not in PLAIN for item in function.decorators)
        if decorated or self._values.is_generator(function):
            return None
        found = [statement.value for statement in self._values.own(function, cst.Return)]
        return tuple(value for value in found if value is not None) if found and None not in found else None


def _names_it(func: cst.BaseExpression) -> bool:
    """`layer.__call__(x)` and `Layer.__call__(layer, x)`, in place of `layer(x)`."""
    return isinstance(func, cst.Attribute) and func.attr.value == "__call__"
