"""Copies the small files next to a script, so that a run can't touch the user's own."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from itertools import count, islice
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
    for path in islice((path for path, small in _files(source) if small), MOST):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):
            shutil.copyfile(path, place)


def left_out(source: Path, most: int) -> tuple[str, ...]:
    """The names of files that `copy` leaves out, relative to the folder, and at most so many of them."""
    copied = count()
    paths = (path for path, small in _files(source) if not small or next(copied) >= MOST)
    return tuple(str(path.relative_to(source)) for path in islice(paths, most))


def _files(source: Path) -> Iterator[tuple[Path, bool]]:
    """Each regular file that a script may need, and whether it is small."""
    for name, folders, files in os.walk(source):
        here = type(source)(name)
        folders[:] = sorted(item for item in folders if _wanted(here / item))
        for file in sorted(files):
            path = here / file
            with suppress(OSError):
                if path.is_file():
                    yield path, path.stat().st_size <= LARGEST


def _wanted(folder: Path) -> bool:
    hidden = folder.name.startswith(".") or folder.name in _SKIPPED
    return not hidden and not os.path.exists(folder / "pyvenv.cfg")
