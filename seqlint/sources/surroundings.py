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
    data, state = _read(path, LIMIT if reading.listening() else limit)
    reading.note_file(_absolute(path), data, state)
    return data if data is not None and len(data) <= limit else None


def mentioning(path: Path, word: bytes, limit: int = LIMIT) -> bytes | None:
    """The bytes of a regular file of at most `limit` bytes that has a word in it; None for everything else."""
    data, state = _read(path, limit)
    if data is None or word in data:
        return content(path, limit)
    reading.note_without(word, _absolute(path), data, state)
    return None


def _read(path: Path, limit: int) -> tuple[bytes | None, str]:
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


# Code and folders with code have names like these, and so have the files that say what a project needs. What a training
# writes beside them does not count.
_TELLING = (".py", ".pyi", ".ipynb", ".txt", ".in", ".toml", ".lock", ".cfg", ".yml", ".yaml")


def names(folder: Path) -> frozenset[str]:
    """The names in a folder that code or requirements can have; none if it can't be read."""
    state = reading.state(str(folder)) if reading.listening() else ""
    found = names_in(str(folder))
    reading.note_folder(_absolute(folder), found, state)
    return found


def names_in(folder: str) -> frozenset[str]:
    """The same, unnoticed."""
    try:
        return frozenset(name for name in os.listdir(folder) if "." not in name or name.endswith(_TELLING))
    except (OSError, ValueError):
        return frozenset()


def repository(folder: Path) -> Path | None:
    """The root of the repository that a folder is in: the nearest one up the tree that holds `.git`."""
    return next((here for here in (folder, *folder.parents) if exists(here / ".git")), None)


def exists(path: Path) -> bool:
    """Whether there is anything at a path, be it a link that leads nowhere."""
    there = os.path.lexists(path)
    reading.note_presence(_absolute(path), there)
    return there
