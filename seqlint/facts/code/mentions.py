"""Where a file imports a name of a library, or reaches one through a module, in the spelling that it has there.

`Names` folds `tf.keras` and `keras` into one; here they stay apart, for rules about which of them has a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.scopes import Binding
    from seqlint.facts.code.tree import Tree

Import = cst.Import | cst.ImportFrom
_MISSING = frozenset({
    "builtins.ImportError", "builtins.ModuleNotFoundError", "builtins.AttributeError", "builtins.Exception", "builtins.BaseException",
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Mention:
    """One place that names something of a library.

    Attributes:
        name: the absolute dotted name as written, such as "tensorflow.keras.utils.Sequence"; that of the module for `import *`.
        node: the alias of an import, the star, or the expression that reaches the name through a module.
        statement: the import; None for an expression.
        binding: what the import binds; None for a star and an expression.
    """

    name: str
    node: cst.CSTNode
    statement: Import | None = None
    binding: Binding | None = None

    @property
    def module(self) -> str:
        """The module that an import takes the name from; the name itself for `import a.b` and `from a import *`."""
        if isinstance(self.statement, cst.ImportFrom) and self.binding is not None:
            return self.name.rpartition(".")[0]
        return self.name


class Mentions:
    """The names of libraries in one file."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names

    @cached_property
    def imported(self) -> tuple[Mention, ...]:
        """Every name that an import takes from a library, in reading order; relative imports are left out."""
        found = list(self._imports()) + list(self._from_imports())
        return self._tree.order.sorted(found, lambda mention: mention.node)

    @cached_property
    def reached(self) -> tuple[Mention, ...]:
        """Every expression `module.name` that surely is one name of a library, also as a part of a longer one."""
        found = ((node, self._names.origins(node)) for node in self._tree.all(cst.Attribute))
        return tuple(
            Mention(origin, node)
            for node, origins in found
            if len(origins) == 1 and (origin := next(iter(origins))) is not None and not origin.startswith("@")
        )

    def _imports(self) -> Iterator[Mention]:
        for node in self._tree.all(cst.Import):
            for alias in node.names:
                yield Mention(dotted(alias.name), alias, node, self._bound(alias))

    def _from_imports(self) -> Iterator[Mention]:
        for node in self._tree.all(cst.ImportFrom):
            if node.relative or node.module is None:
                continue
            module = dotted(node.module)
            if isinstance(node.names, cst.ImportStar):
                yield Mention(module, node.names, node)
                continue
            for alias in node.names:
                yield Mention(f"{module}.{dotted(alias.name)}", alias, node, self._bound(alias))

    def _bound(self, alias: cst.ImportAlias) -> Binding | None:
        name = alias.evaluated_alias or dotted(alias.name).partition(".")[0]
        bindings = self._names.scope(alias).bindings.get(name, ())
        return next((binding for binding in bindings if binding.node is alias), None)

    def uses(self, mention: Mention) -> tuple[cst.Name, ...]:
        """Where the file reads what an import binds, as far as the name can be that."""
        if mention.binding is None:
            return ()
        wanted = mention.binding
        return tuple(
            name
            for name in self._tree.all(cst.Name)
            if name.value == wanted.name
            and not self._tree.is_label(name)
            and self._tree.enclosing(name, cst.Import, cst.ImportFrom) is None
            and wanted in self._names.reaching(name)
        )

    def of_project(self, module: str) -> bool:
        """Whether a module is part of the project that is checked: nothing is private to Keras in Keras itself."""
        project = self._names.project
        return project is not None and project.ships(module)

    def optional(self, node: cst.CSTNode) -> bool:
        """Whether code allows for a name not being there: in a `try` that catches that, or in its handler."""
        for found in self._tree.ancestors(node):
            if isinstance(found, (cst.FunctionDef, cst.ClassDef)):
                return False
            if isinstance(found, cst.Try) and any(self._catches(handler.type) for handler in found.handlers):
                return True
        return False

    def _catches(self, caught: cst.BaseExpression | None) -> bool:
        if caught is None:
            return True
        types = [element.value for element in caught.elements] if isinstance(caught, cst.Tuple) else [caught]
        return any(self._names.qualified(each) in _MISSING for each in types)
