"""What lies around a file: lock files, requirements, other modules. Read-only, and silent about what can't be read."""

from __future__ import annotations

import codecs
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

from seqlint.sources import reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

# A lock file of a big workspace has a few megabytes; what is bigger is data.
LIMIT = 32_000_000

_MARKS = (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")


def content(path: Path, limit: int = LIMIT) -> bytes | None:
    """The bytes of a regular file of at most `limit` bytes; None for everything else."""
    data, state = read(path, LIMIT if reading.listening() else limit)
    reading.note_file(_absolute(path), data, state)
    return data if data is not None and len(data) <= limit else None


def mentioning(path: Path, word: bytes, limit: int = LIMIT) -> bytes | None:
    """The bytes of a regular file of at most `limit` bytes that has a word in it; None for everything else."""
    data, state = read(path, limit)
    if data is None or word in data:
        return content(path, limit)
    reading.note_without(word, _absolute(path), data, state)
    return None


_instead: Mapping[str, bytes] = {}


@contextmanager
def instead(files: Mapping[str, bytes]) -> Iterator[None]:
    """Inside of the block files hold other bytes than on the disk: those that they are going to have.

    Args:
        files: the bytes by the absolute paths.
    """
    global _instead
    outer, _instead = _instead, files
    try:
        yield
    finally:
        _instead = outer


def read(path: Path, limit: int) -> tuple[bytes | None, str]:
    """The same, unnoticed, and the state of the file right before."""
    planned = _instead.get(_absolute(path)) if _instead else None
    if planned is not None:
        return planned if len(planned) <= limit else None, reading.state(str(path))
    try:
        found = os.stat(path)
        state = reading.state_of(found)
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
            return None, state
    except (OSError, ValueError):
        return None, reading.ABSENT
    try:
        return path.read_bytes(), state
    except OSError:
        return None, state


def _absolute(path: Path) -> str:
    text = str(path)
    return text if os.path.isabs(text) else os.path.abspath(text)


def text(path: Path, limit: int = LIMIT) -> str | None:
    """A configuration file as text; None if it can't be read.

    UTF-8, or UTF-16 with its mark: the PowerShell of Windows writes `pip freeze > requirements.txt` that way.
    """
    data = content(path, limit)
    if data is None:
        return None
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    return data.decode(encoding, errors="replace")


_CODE = (".py", ".pyi", ".ipynb")
_NEEDS = (".cfg", ".in", ".lock", ".toml", ".txt", ".yaml", ".yml")
_NEEDED = frozenset({"Pipfile", "requirements", "setup.py"})


def names(folder: Path) -> frozenset[str]:
    """The names in a folder that modules and folders with modules can have; none if it can't be read."""
    return _names(folder, reading.FOLDER)


def names_of_needs(folder: Path) -> frozenset[str]:
    """The names in a folder that the files can have which say what a project needs; none if it can't be read."""
    return _names(folder, reading.NEEDS)


def _names(folder: Path, kind: str) -> frozenset[str]:
    state = reading.state(str(folder)) if reading.listening() else ""
    found = names_in(str(folder), kind)
    reading.note_folder(kind, _absolute(folder), found, state)
    return found


def names_in(folder: str, kind: str) -> frozenset[str]:
    """The names in a folder that matter for a kind of question, unnoticed. What a training writes next to its code does not."""
    try:
        found = os.listdir(folder)
    except (OSError, ValueError):
        return frozenset()
    if kind == reading.NEEDS:
        return frozenset(name for name in found if name.endswith(_NEEDS) or name in _NEEDED)
    return frozenset(name for name in found if "." not in name or name.endswith(_CODE))


def repository(folder: Path) -> Path | None:
    """The root of the repository that a folder is in: the nearest one up the tree that holds `.git`."""
    return next((here for here in (folder, *folder.parents) if exists(here / ".git")), None)


_MARKS_OF_PROJECTS = ("pyproject.toml", "seqlint.toml", "setup.py", "setup.cfg")


def project(folder: Path) -> Path | None:
    """The root of the project that a folder is in: its repository's, else the nearest folder up the tree that says it is one."""
    marked = (here for here in (folder, *folder.parents) for name in _MARKS_OF_PROJECTS if exists(here / name))
    return repository(folder) or next(marked, None)


def exists(path: Path) -> bool:
    """Whether there is anything at a path, be it a link that leads nowhere."""
    there = os.path.lexists(path)
    reading.note_presence(_absolute(path), there)
    return there
