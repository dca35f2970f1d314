"""Copies the small files beside a script, so that a run can't touch the user's own."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LARGEST = 1_000_000
"""Bytes; a larger file is not copied."""
MOST = 500
"""Files; what comes after is not copied. The script's own folder comes first."""
_SKIPPED = frozenset({"__pycache__", "node_modules", "build", "dist"})


def copy(source: Path, target: Path) -> None:
    """Copy the small files of a folder and of the folders in it."""
    for number, path in enumerate(_small(source)):
        if number >= MOST:
            return
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):
            shutil.copyfile(path, place)


def _small(source: Path) -> Iterator[Path]:
    for name, folders, files in os.walk(source):
        here = type(source)(name)
        folders[:] = sorted(item for item in folders if _wanted(here / item))
        for file in sorted(files):
            with suppress(OSError):
                if (here / file).stat().st_size <= LARGEST and (here / file).is_file():
                    yield here / file


def _wanted(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in _SKIPPED
    return not hidden and not (folder / "pyvenv.cfg").exists()
