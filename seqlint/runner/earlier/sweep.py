"""Takes away the caches of projects that nobody has looked at for long: they do not lie in the projects, and do not go with them."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from seqlint.runner.earlier.store import KEPT
from seqlint.sources import user

if TYPE_CHECKING:
    from pathlib import Path

_OF_A_PROJECT = re.compile(r".*-[0-9a-f]{20}")
_OURS = re.compile(r"(results|texts)\.db(-wal|-shm|-journal)?|\.gitignore")
_DAY = 86_400  # seconds


def sweep(now: float | None = None) -> None:
    """Remove the caches that were not written for as long as a result is kept. What fails stays for the next time.

    Args:
        now: seconds since 1970.
    """
    home = user.cache_folder()
    before = (time.time() if now is None else now) - KEPT * _DAY
    with suppress(OSError):
        for folder in home.iterdir() if home is not None else ():
            if _OF_A_PROJECT.fullmatch(folder.name) and user.is_ours(folder):
                with suppress(OSError):
                    _remove(folder, before)


def _remove(folder: Path, before: float) -> None:
    files = list(folder.iterdir())
    if all(_OURS.fullmatch(file.name) and os.lstat(file).st_mtime < before for file in files):
        for file in files:
            file.unlink()
        folder.rmdir()
