"""Classes that others are made from, and those that can't do without: what they lack, or leave wrong, others may put right."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.project.neighbours import neighbours
from seqlint.sources import surroundings

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.project import Project

_BIGGEST = 500_000  # bytes
_BASES = re.compile(r"\bclass\s+\w+\s*\(([^)]*)")
_DEMANDS = frozenset({"abc.abstractmethod", "abc.abstractproperty"})


class Subclasses:
    """The heirs of the classes of one file."""

    def __init__(self, path: str, names: Names, classes: Classes, project: Project | None) -> None:
        self._path = path
        self._names = names
        self._classes = classes
        self._project = project
        self._external: dict[str, bool] = {}

    def here(self, owner: ClassFacts) -> bool:
        """Whether other classes of this file are made from it."""
        return owner in self._bases

    @cached_property
    def _bases(self) -> frozenset[ClassFacts]:
        """The classes of this file that others are made from."""
        return frozenset(base for other in self._classes.all for base in other.lineage[1:])

    def external(self, owner: ClassFacts) -> bool:
        """Whether a class of another file nearby may be made from it: its name stands among the bases there."""
        if self._project is None:
            return False
        if owner.name not in self._external:
            self._external[owner.name] = any(
                _names_as_base(path, owner.name) for path in neighbours(self._path, ".py", ".ipynb")
            )
        return self._external[owner.name]

    def is_whole(self, owner: ClassFacts) -> bool:
        """Whether it has all that Keras asks of it, and demands nothing of heirs on the way to a batch."""
        if owner.method("__getitem__") is None or not any(map(owner.method, ("__len__", "num_batches"))):
            return False
        reached = owner.reachable("__getitem__", "__len__", "num_batches")
        return not any(each.owner is not None and self._is_demand(each.node) for each in reached)

    def _is_demand(self, method: cst.FunctionDef) -> bool:
        """Whether a method only says that heirs must have one."""
        if any(self._names.qualified(each.decorator) in _DEMANDS for each in method.decorators):
            return True
        lines = [line for line in _lines(method) if not _is_text(line)]
        if all(isinstance(line, cst.Pass) or _is_text(line, dots=True) for line in lines):
            return True
        raised = lines[-1].exc if isinstance(lines[-1], cst.Raise) else None
        error = raised.func if isinstance(raised, cst.Call) else raised
        return error is not None and self._names.qualified(error) == "builtins.NotImplementedError"


def _lines(method: cst.FunctionDef) -> list[cst.CSTNode]:
    """The statements of a body, simple ones by themselves."""
    found: list[cst.CSTNode] = []
    for line in method.body.body:
        found += line.body if isinstance(line, cst.SimpleStatementLine) else (line,)
    return found


def _is_text(line: cst.CSTNode, *, dots: bool = False) -> bool:
    """Whether a statement is a string, or `...`."""
    value = line.value if isinstance(line, cst.Expr) else None
    return isinstance(value, cst.Ellipsis) if dots else isinstance(value, (cst.SimpleString, cst.ConcatenatedString))


def _names_as_base(path: Path, name: str) -> bool:
    """Whether a file has a class statement with the name, or what it imports under it, among the bases."""
    data = surroundings.mentioning(path, name.encode(), _BIGGEST)
    if data is None:
        return False
    text = data.decode(errors="replace")
    known = {name, *re.findall(rf"\b{re.escape(name)}\s+as\s+(\w+)", text)}
    return any(known.intersection(re.findall(r"\w+", bases)) for bases in _BASES.findall(text))
