"""The files of a run: the one that is looked at, and those that its names lead to."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from seqlint.run.frames import Frame, names_of
from seqlint.run.objects import Module
from seqlint.sources import surroundings
from seqlint.sources.syntax import neighbour

if TYPE_CHECKING:
    import ast

BIGGEST = 200_000
"""Bytes of a file that is read on the way."""


class Finder(Protocol):
    """Finds the files of modules: `seqlint.facts.project.modules.Modules` is one."""

    def find(self, name: str, folder: str) -> tuple[str, str] | None:
        """The file of the module that a dotted name starts with, as code in a folder sees it, and the rest of the name."""

    def name_of(self, path: str) -> str:
        """The import name of a file."""


@dataclass
class Modules:
    """The modules of a run, each made once."""

    finder: Finder | None
    known: dict[str, Module | None] = field(default_factory=dict)

    def main(self, tree: ast.Module, path: Path | None, text: str) -> Module:
        """The module that is looked at."""
        made = _module("__main__", path, tree, plain=":=" not in text and "yield" not in text)
        if path is not None:
            self.known[os.path.abspath(path)] = made
        return made

    def locate(self, name: str, seen_from: Module) -> tuple[str, str] | None:
        """The file of the module that a dotted name starts with, and the rest of the name; None where that is a library."""
        if self.finder is None or seen_from.path is None:
            return None
        return self.finder.find(name, os.path.dirname(os.path.abspath(seen_from.path)))

    def absolute(self, node: ast.ImportFrom, seen_from: Module) -> str:
        """The dotted name of the module of `from ..data import x`."""
        if not node.level:
            return node.module or ""
        if self.finder is None or seen_from.path is None:
            return ""
        path = os.path.abspath(seen_from.path)
        parts = self.finder.name_of(path).split(".")
        up = node.level - (1 if os.path.basename(path) == "__init__.py" else 0)
        return ".".join([*parts[: len(parts) - up], *([node.module] if node.module else [])])

    @property
    def frames(self) -> list[Frame]:
        """The names of those that were read."""
        return [module.frame for module in self.known.values() if module is not None]

    def read(self, path: str) -> Module | None:
        """The module of a file; None where that is no Python, or big."""
        if path not in self.known:
            self.known[path] = None
            self.known[path] = self._read(path)
        return self.known[path]

    def _read(self, path: str) -> Module | None:
        data = surroundings.content(Path(path), BIGGEST)
        tree = _parsed(data) if data is not None else None
        if data is None or tree is None:
            return None
        name = self.finder.name_of(path) if self.finder is not None else path
        return _module(name, Path(path), tree, plain=b":=" not in data and b"yield" not in data)


@lru_cache(maxsize=64)
def _parsed(data: bytes) -> ast.Module | None:
    """One tree for all runs of a process: files of a project import the same few."""
    return neighbour(data)


def _module(name: str, path: Path | None, tree: ast.Module, *, plain: bool) -> Module:
    own = names_of(tree, plain=plain)
    frame = Frame(tree, None, own.own | own.outer)
    made = Module(name, path, tree, frame, plain)
    frame.module = made
    return made
