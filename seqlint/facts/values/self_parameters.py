"""Which names are the instance that a method is called on."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import parameters

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree

_MOST_HANDS = 3  # functions that hand it on


class SelfParameters:
    """The `self` of the methods of one file."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names
        self._found: dict[cst.Name, cst.ClassDef | None] = {}
        self._owners: dict[cst.CSTNode, cst.ClassDef | None] = {}

    def of(self, node: cst.BaseExpression) -> cst.ClassDef | None:
        """The class whose instance `node` is, where it is the first parameter of a method, or of a function that methods hand it to."""
        if not isinstance(node, cst.Name) or node.value not in self._all_words:
            return None
        if node not in self._found:
            param = self._parameter(node)
            self._found[node] = self._of_parameter(param) or self._handed.get(param) if param is not None else None
        return self._found[node]

    def handed_to(self, function: cst.FunctionDef) -> cst.ClassDef | None:
        """The class whose methods hand their instance to a function of the module: `build(self, index)`."""
        params = parameters(function.params)
        return self._handed.get(params[0]) if params else None

    def given_itself(self, call: cst.Call) -> cst.FunctionDef | None:
        """The function of the module that a call of a method hands the instance to, as its first argument alone."""
        function = self._names.definition(call.func) if isinstance(call.func, cst.Name) and call.args else None
        if not isinstance(function, cst.FunctionDef) or self.handed_to(function) is None:
            return None
        return None if any(self.of(argument.value) is not None for argument in call.args[1:]) else function

    def functions_of(self, owner: cst.ClassDef) -> tuple[cst.FunctionDef, ...]:
        """The functions of the module that instances of a class are handed to."""
        return self._functions.get(owner, ())

    @cached_property
    def _functions(self) -> dict[cst.ClassDef, tuple[cst.FunctionDef, ...]]:
        found: dict[cst.ClassDef, tuple[cst.FunctionDef, ...]] = {}
        for param, owner in self._handed.items():
            function = self._tree.enclosing(param, cst.FunctionDef)
            if function is not None:
                found[owner] = (*found.get(owner, ()), function)
        return found

    def _parameter(self, node: cst.Name) -> cst.CSTNode | None:
        bindings = self._names.bindings(node)
        return bindings[0].node if len(bindings) == 1 and bindings[0].kind == "parameter" else None

    @cached_property
    def _all_words(self) -> frozenset[str]:
        return self._words.union(param.name.value for param in self._handed if isinstance(param, cst.Param))

    @cached_property
    def _words(self) -> frozenset[str]:
        """What methods call their instance; nearly always "self" alone, so that other names are told from it at once."""
        functions = (node for node in self._tree.all(cst.FunctionDef) if self._holder(node) is not None)
        params = (parameters(function.params) for function in functions)
        return frozenset(found[0].name.value for found in params if found)

    @cached_property
    def _handed(self) -> dict[cst.CSTNode, cst.ClassDef]:
        """The first parameters of functions of the module to which every call of them gives the instance of one class."""
        found: dict[cst.CSTNode, cst.ClassDef] = {}
        words = self._words
        for _ in range(_MOST_HANDS):
            fresh: dict[cst.CSTNode, cst.ClassDef] = {}
            for function in self._given(words):
                owner = self._only(function, found) if parameters(function.params)[0] not in found else None
                if owner is not None:
                    fresh[parameters(function.params)[0]] = owner
            found.update(fresh)
            words = frozenset(param.name.value for param in fresh if isinstance(param, cst.Param))
            if not words:
                break
        return found

    def _given(self, words: frozenset[str]) -> tuple[cst.FunctionDef, ...]:
        """The functions of the module that a call gives one of these names first."""
        found: dict[cst.FunctionDef, None] = {}
        for call in self._tree.all(cst.Call):
            first = call.args[0].value if call.args and isinstance(call.func, cst.Name) else None
            if not isinstance(first, cst.Name) or first.value not in words:
                continue
            function = self._names.definition(call.func)
            if not isinstance(function, cst.FunctionDef) or not parameters(function.params):
                continue
            if self._tree.enclosing(function, cst.ClassDef, cst.FunctionDef) is None:
                found[function] = None
        return tuple(found)

    def _only(self, function: cst.FunctionDef, known: dict[cst.CSTNode, cst.ClassDef]) -> cst.ClassDef | None:
        """The class of which every mention of a function gives it an instance."""
        owners: set[cst.ClassDef | None] = set()
        for name in self._tree.all(cst.Name):
            if name.value != function.name.value or name is function.name or self._tree.is_label(name):
                continue
            call = self._tree.parents[name]
            first = call.args[0] if isinstance(call, cst.Call) and call.func is name and call.args else None
            given = first.value if first is not None and not first.star and first.keyword is None else None
            param = self._parameter(given) if isinstance(given, cst.Name) else None
            owners.add((self._of_parameter(param) or known.get(param)) if param is not None else None)
        return owners.pop() if len(owners) == 1 else None

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
