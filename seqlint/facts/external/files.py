"""The facts of another file of the project, where a name leads there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.project.project import BIGGEST
from seqlint.model import UnreadableSource
from seqlint.sources import Source, surroundings
from seqlint.sources.syntax import DEEP
from seqlint.trees import grow

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.external.file import ExternalFile
    from seqlint.facts.project.project import Project
    from seqlint.trees import Grown

    Reader = Callable[[Source, Grown, Project | None], ExternalFile]


class Files:
    """The files that names of one file lead to, each read once."""

    def __init__(self, path: str, project: Project | None, reader: Reader) -> None:
        """`path` is that of the file itself, `reader` makes the facts of another one, which sees the project from its own place."""
        self._path = os.path.abspath(path)
        self._project = project
        self._reader = reader
        self._known: dict[str, ExternalFile | None] = {}

    def defining(self, name: str) -> ExternalFile | None:
        """The facts of the file in which a class or function of the project stands; None for all else, and for this file."""
        path = self._project.file(name) if self._project is not None else None
        if path is None:
            return None
        if str(path) not in self._known:
            self._known[str(path)] = self._read(path)
        return self._known[str(path)]

    def sequence(self, name: str) -> ClassFacts | None:
        """A Sequence of another file, by its name."""
        if self._project is None or self._project.class_summary(name) is None:
            return None
        other = self.defining(name)
        return sequence_of(other, name) if other is not None else None

    def end(self) -> None:
        """Let go of what was worked out of the other files."""
        for other in self._known.values():
            if other is not None:
                other.end()

    def source(self, path: str) -> Source:
        """The text of a file that was read.

        Raises:
            ValueError: it was not.
        """
        found = self._known.get(path)
        if found is None:
            raise ValueError(f"{path} was not read")
        return found.source

    def _read(self, path: Path) -> ExternalFile | None:
        data = surroundings.content(path, BIGGEST) if os.path.abspath(path) != self._path else None
        source = decoded(path, data) if data is not None else None
        return self._made(source) if source is not None else None

    def of(self, source: Source) -> ExternalFile | None:
        """The facts of another file of the project, made once; None where it is no Python."""
        if source.path not in self._known:
            self._known[source.path] = self._made(source)
        return self._known[source.path]

    def _made(self, source: Source) -> ExternalFile | None:
        try:
            tree = grow(source)
        except (UnreadableSource, cst.ParserSyntaxError, RecursionError, MemoryError, ValueError, OSError):
            return None
        if tree.depth() > DEEP:  # rules walk through it on the stack of the file that asks
            return None
        seen_from = self._project.at(Path(source.path)) if self._project is not None else None
        return self._reader(source, tree, seen_from)


def sequence_of(other: ExternalFile, name: str) -> ClassFacts | None:
    """The Sequence of a file that has a name, be it dotted."""
    return next((each for each in other.sequences if each.name == name.rpartition(".")[2]), None)


def decoded(path: Path, data: bytes) -> Source | None:
    """A file as text; None where its bytes are none."""
    try:
        return Source.from_bytes(data, str(path))
    except (UnreadableSource, ValueError):
        return None
