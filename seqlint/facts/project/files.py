"""The facts of another file of the project, where a name leads there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import UnreadableSource
from seqlint.sources import Source, surroundings
from seqlint.trees import grow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from seqlint.facts.facts import Facts
    from seqlint.facts.keras import KerasInUse
    from seqlint.facts.project.project import Project

_BIGGEST = 200_000  # bytes


class Files:
    """The files that names of one file lead to, each read once."""

    def __init__(self, path: str, project: Project | None, keras: Callable[[], KerasInUse]) -> None:
        """`path` is that of the file itself, `keras` what it runs on."""
        self._path = os.path.abspath(path)
        self._project = project
        self._keras = keras
        self._known: dict[Path, Facts | None] = {}

    def defining(self, name: str) -> Facts | None:
        """The facts of the file in which a class or function of the project stands; None for all else, and for this file."""
        path = self._project.file(name) if self._project is not None else None
        if path is None:
            return None
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: Path) -> Facts | None:
        from seqlint.facts.facts import Facts

        data = surroundings.content(path, _BIGGEST) if os.path.abspath(path) != self._path else None
        if data is None or self._project is None:
            return None
        try:
            source = Source.from_bytes(data, str(path))
            return Facts(source, grow(source), self._keras(), self._project.at(path))
        except (UnreadableSource, cst.ParserSyntaxError, RecursionError, ValueError, OSError):
            return None
