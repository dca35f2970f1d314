"""What lies around a file: lock files, requirements, other modules. Read-only, and silent about what can't be read."""

from __future__ import annotations

import codecs
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# A lock file of a big workspace has a few megabytes; what is bigger is data.
LIMIT = 32_000_000

CACHE = ".seqlint_cache"
"""The name of the folder in which is kept, at the root of a project, what was read of it."""

_MARKS = (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")


def content(path: Path, limit: int = LIMIT) -> bytes | None:
    """The bytes of a regular file of at most `limit` bytes; None for everything else."""
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
            return None
        return path.read_bytes()
    except (OSError, ValueError):
        return None


def text(path: Path, limit: int = LIMIT) -> str | None:
    """A configuration file as text; None if it can't be read.

    UTF-8, or UTF-16 with its mark: the PowerShell of Windows writes `pip freeze > requirements.txt` that way.
    """
    data = content(path, limit)
    if data is None:
        return None
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    return data.decode(encoding, errors="replace")


def names(folder: Path) -> frozenset[str]:
    """The names in a folder; none if it can't be read."""
    try:
        return frozenset(os.listdir(folder))
    except (OSError, ValueError):
        return frozenset()


def repository(folder: Path) -> Path | None:
    """The root of the repository that a folder is in: the nearest one up the tree that holds `.git`."""
    return next((here for here in (folder, *folder.parents) if os.path.lexists(here / ".git")), None)
