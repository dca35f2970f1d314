"""Classes of errors: their names, and their bases."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.project import UNKNOWN

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.project import Project

_MAX_BASES = 5


class Errors:
    """The errors that one file names."""

    def __init__(self, names: Names, project: Project | None, module: str) -> None:
        self._names = names
        self._project = project
        self._module = module

    def name(self, error: cst.BaseExpression) -> str | None:
        """The absolute name of a class: "builtins.KeyError", "pkg.errors.Missing"; None where that can't be told."""
        own = self._names.definition(error)
        if isinstance(own, cst.ClassDef):
            return f"{self._module}.{own.name.value}"
        name = self._names.qualified(error)
        return self._project.resolve(name) if name is not None and self._project is not None else name

    def is_own(self, error: cst.BaseExpression) -> bool:
        """Whether the class is defined in this file, or in another one of the project."""
        if isinstance(self._names.definition(error), cst.ClassDef):
            return True
        name = self._names.qualified(error)
        return name is not None and self._project is not None and self._project.class_summary(name) is not None

    def kinds(self, error: cst.BaseExpression, steps: int = _MAX_BASES) -> frozenset[str]:
        """The names of a class and of all of its bases; without "builtins.Exception" where a base is external."""
        own = self._names.definition(error)
        if isinstance(own, cst.ClassDef):
            above = [self.kinds(base.value, steps - 1) if steps else frozenset() for base in own.bases]
            return _whole({self.name(error) or ""}, above)
        name = self.name(error)
        return self._of_name(name) if name is not None else frozenset()

    def _of_name(self, name: str) -> frozenset[str]:
        above = self._project.ancestors(name) if self._project is not None else ()
        if not above:
            return _of_python(name)
        found = frozenset({name}).union(*map(_of_python, above))
        return found if UNKNOWN not in above else found - {"builtins.Exception"}


def _whole(own: set[str], above: list[frozenset[str]]) -> frozenset[str]:
    """A class with its bases; where one base is unknown, so is the whole."""
    found = frozenset(own).union(*above)
    known = all("builtins.Exception" in each for each in above)
    return found if known else found - {"builtins.Exception"}


def _of_python(name: str) -> frozenset[str]:
    """A built-in error, with all of its bases."""
    kind = getattr(builtins, name.removeprefix("builtins."), None) if name.startswith("builtins.") else None
    if not isinstance(kind, type) or not issubclass(kind, BaseException):
        return frozenset({name})
    return frozenset(f"builtins.{one.__name__}" for one in kind.__mro__)
