"""Finds what a program needs around it: the folder of its project, and the folder that it starts in."""

from __future__ import annotations

import ast
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof.programs import Program

_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
"""What the folder of a project has."""
_FARTHEST = 8
_SHORTEST = 3
"""Letters of a text that may be the name of a folder."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a program runs.

    Attributes:
        folder: the folder of its project, or as much of it as the program needs.
        script: the path of the file in it.
        start: the folder that the program starts in, relative to `folder`.
    """

    folder: Path
    script: str
    start: str = ""


def place_of(path: Path, text: str, program: Program, root: Path | None = None, here: Path | None = None) -> Place:
    """The folder that a program needs: that of its project; without one its own, or that from which its imports are found.

    Args:
        path: of the file, whole.
        root: the folder that the user names.
        here: where the user is.
    """
    folder = root or _project(path.parent)
    if folder is None:
        folder = path.parent
        while program.kind == "classes" and (folder / "__init__.py").is_file() and folder != folder.parent:
            folder = folder.parent
        folder = _wide_enough(path.parent, folder, text)
    return Place(folder, path.relative_to(folder).as_posix(), _start(path, text, folder, here or Path.cwd()))


def _project(own: Path) -> Path | None:
    """The nearest folder that has the marks of a project; a home folder is none."""
    for folder in (own, *own.parents[:_FARTHEST]):
        if folder in (Path.home(), folder.parent):
            return None
        if any((folder / mark).exists() for mark in _MARKS):
            return folder
    return None


def _start(path: Path, text: str, folder: Path, here: Path) -> str:
    """The folder in which most paths of a program are found: its own, that of the user, or that of the project."""
    named = [*paths(text)]
    places = [path.parent, *([here] if here.is_relative_to(folder) else []), folder]
    best = max(places, key=lambda place: sum(_is_there(place, name) for name in named))
    return "" if best == folder else best.relative_to(folder).as_posix()


def paths(text: str | bytes) -> Iterator[str]:
    """Texts in a program that may be relative paths."""
    with suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                value = node.value.strip()
                if _SHORTEST <= len(value) < 200 and not value.startswith(("/", "~")) and "\n" not in value:
                    yield value


def _is_there(place: Path, name: str) -> bool:
    with suppress(OSError, ValueError):
        found = place / name
        return found.is_dir() if name.isidentifier() else found.exists()
    return False


def _wide_enough(own: Path, folder: Path, text: str) -> Path:
    """The nearest folder above from which the imports of the project are found; the given one where none is."""
    wanted = {name for name in _imported(text) if not _has(own, name) and not _has(folder, name)}
    wanted = {name for name in wanted if name not in sys.stdlib_module_names and not _installed(name)}
    above = folder
    for _ in range(_FARTHEST):
        if not wanted or above == above.parent or above == Path.home():
            break
        above = above.parent
        if any(_has(above, name) for name in wanted):
            return above
    return folder


def _imported(text: str) -> set[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module and not node.level
    }
    return {name.partition(".")[0] for name in names}


def _has(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or any((folder / name).glob("*.py"))


def _installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
