"""What lies around a file: lock files, requirements, other modules. Read-only, and silent about what can't be read."""

from __future__ import annotations

import codecs
import os
import stat
from typing import TYPE_CHECKING

from seqlint.sources import reading

if TYPE_CHECKING:
    from pathlib import Path

# A lock file of a big workspace has a few megabytes; what is bigger is data.
LIMIT = 32_000_000

CACHE = ".seqlint_cache"
"""The name of the folder in which is kept, at the root of a project, what was read of it."""

_MARKS = (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")


def content(path: Path, limit: int = LIMIT) -> bytes | None:
    """The bytes of a regular file of at most `limit` bytes; None for everything else."""
    data = _read(path, LIMIT if reading.listening() else limit)
    reading.note_file(_absolute(path), data)
    return data if data is not None and len(data) <= limit else None


def mentioning(path: Path, word: bytes, limit: int = LIMIT) -> bytes | None:
    """The bytes of a regular file of at most `limit` bytes that has a word in it; None for everything else."""
    data = _read(path, limit)
    if data is None or word in data:
        return content(path, limit)
    reading.note_without(word, _absolute(path), data)
    return None


def _read(path: Path, limit: int) -> bytes | None:
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
            return None
        return path.read_bytes()
    except (OSError, ValueError):
        return None


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


# Code and folders with code have names like these, and so have the files that say what a project needs. What a training
# writes beside them does not count.
_TELLING = (".py", ".pyi", ".ipynb", ".txt", ".in", ".toml", ".lock", ".cfg", ".yml", ".yaml")


def names(folder: Path) -> frozenset[str]:
    """The names in a folder that code or requirements can have; none if it can't be read."""
    found = names_in(str(folder))
    reading.note_folder(_absolute(folder), found)
    return found


def names_in(folder: str) -> frozenset[str]:
    """The same, unnoticed."""
    try:
        return frozenset(name for name in os.listdir(folder) if "." not in name or name.endswith(_TELLING))
    except (OSError, ValueError):
        return frozenset()


def repository(folder: Path) -> Path | None:
    """The root of the repository that a folder is in: the nearest one up the tree that holds `.git`."""
    for here in (folder, *folder.parents):
        there = os.path.lexists(here / ".git")
        reading.note_presence(_absolute(here / ".git"), there)
        if there:
            return here
    return None
