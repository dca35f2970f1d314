"""The names that an expression can have, in a scope."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seqlint.facts.project.summary import UNKNOWN, Names
from seqlint.knowledge.dataset_functions import DATASET, is_dataset

if TYPE_CHECKING:
    from collections.abc import Iterable

_BUILTINS = frozenset(dir(builtins))
_NOTHING: Names = ()
_ANYTHING: Names = (UNKNOWN,)
_MOST = 8  # possibilities; what can be more is unknown

Environment = dict[str, Names]


@dataclass(eq=False, slots=True)
class Scope:
    """A module, class or function while it is read.

    Attributes:
        path: dotted path inside the module, with a dot at its end; "" for the module.
        parent: the scope around it.
        is_class: names of a class body are not seen by the functions in it.
        names: what each name is bound to so far.
        branches: how many `if`, `try` and loops are open here.
        methods: the functions that it defines, in reading order.
    """

    path: str = ""
    parent: Scope | None = None
    is_class: bool = False
    names: Environment = field(default_factory=dict)
    branches: int = 0
    methods: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=dict)
    returned: list[str] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Lookup:
    """How names are looked up in one module.

    Attributes:
        module: its name.
        rebound: names that functions bind with `global` and `nonlocal`.
        stars: the modules of its star imports so far.
    """

    module: str
    rebound: frozenset[str] = frozenset()
    stars: list[str] = field(default_factory=list)

    def name(self, name: str, scope: Scope) -> Names:
        """What a plain name can be where it is used."""
        found = scope.names.get(name)
        outer = scope.parent
        while found is None and outer is not None:
            found = outer.names.get(name) if not outer.is_class else None
            outer = outer.parent
        if found is not None:
            return self.settled(name, found)
        if name in _BUILTINS:
            return (f"builtins.{name}",)
        # Only a star import can have brought it; which one, the modules that it names tell.
        return (f"{self.module}.{name}",) if self.stars else _ANYTHING

    def settled(self, name: str, names: Names) -> Names:
        """What a name can be, if functions may rebind it at any time."""
        return union((names, _ANYTHING)) if name in self.rebound else names

    def names(self, node: ast.expr | None, scope: Scope) -> Names:
        """What an expression can name."""
        if isinstance(node, ast.Name):
            return self.name(node.id, scope)
        if isinstance(node, ast.Attribute):
            return members(self.names(node.value, scope), node.attr)
        if isinstance(node, ast.Call):
            return self._call(node, scope)
        if isinstance(node, ast.IfExp):
            return union((self.names(node.body, scope), self.names(node.orelse, scope)))
        if isinstance(node, ast.BoolOp):
            return union(self.names(value, scope) for value in node.values)
        if isinstance(node, ast.Constant) and node.value is None:
            return _NOTHING
        return _ANYTHING

    def _call(self, node: ast.Call, scope: Scope) -> Names:
        called = self.names(node.func, scope)
        if called == ("builtins.getattr",):
            return self._getattr(node, scope)
        return tuple(UNKNOWN if name == UNKNOWN else f"{name}()" for name in called) or _ANYTHING

    def _getattr(self, node: ast.Call, scope: Scope) -> Names:
        """`getattr(keras.utils, "PyDataset", keras.utils.Sequence)` is one or the other."""
        wanted = node.args[1] if len(node.args) > 1 else None
        if not isinstance(wanted, ast.Constant) or not isinstance(wanted.value, str):
            return _ANYTHING
        found = members(self.names(node.args[0], scope), wanted.value)
        return union((found, self.names(node.args[2], scope))) if len(node.args) > 2 else found

    def base(self, node: ast.expr, scope: Scope) -> Names:
        """What a base expression can name: `Generic[T]` is Generic."""
        return self.names(node.value if isinstance(node, ast.Subscript) else node, scope) or _ANYTHING


def members(owners: Names, attribute: str) -> Names:
    """The names of an attribute, or of one further down; the owners themselves for ""."""
    if not attribute:
        return owners
    return tuple(_member(name, attribute) for name in owners)


def _member(name: str, attribute: str) -> str:
    """The name of an attribute; of an object only where it is a dataset of tf.data, whose methods give such again."""
    if name == UNKNOWN:
        return UNKNOWN
    if not name.endswith("()"):
        return f"{name}.{attribute}"
    return f"{DATASET}.{attribute}" if is_dataset(name[:-2]) and is_dataset(f"{DATASET}.{attribute}") else UNKNOWN


def union(parts: Iterable[Names]) -> Names:
    """All possibilities, each once."""
    found = tuple(dict.fromkeys(name for part in parts for name in part))
    return found if len(found) <= _MOST else _ANYTHING


def merged(environments: list[Environment]) -> Environment:
    """What holds where branches meet. A name that only one of them binds is taken to be that one."""
    first, *others = environments
    found = dict(first)
    for other in others:
        for name, names in other.items():
            here = found.get(name)
            if here is None:
                found[name] = names
            elif here is not names and here != names:
                found[name] = union((here, names))
    return found
