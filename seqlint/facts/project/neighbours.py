"""The files around one file that may speak of its classes."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.sources import surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LISTED = 600


def neighbours(path: str | Path, *suffixes: str) -> Iterator[Path]:
    """The files of the folder, of those below it, and of the one above where the folder is a package."""
    own = Path(os.path.abspath(path))
    top = own.parent
    while "__init__.py" in surroundings.names(top) and top.parent != top:
        top = top.parent
    folders, listed = deque([own.parent, top]), 0
    seen: set[Path] = set()
    while folders and listed < MAX_LISTED:
        folder = folders.popleft()
        if folder in seen:
            continue
        seen.add(folder)
        for name in sorted(surroundings.names(folder)):
            listed += 1
            found = folder / name
            if name.endswith(suffixes) and found != own:
                yield found
            elif "." not in name:
                folders.append(found)
