"""Makes the folder that a program runs in: small files of the user's folder are copied, and all others are linked to, to be read."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

LARGEST = 1_000_000
"""Bytes; a larger file is not copied."""
MOST = 500
"""Files; what comes after is not copied. Code comes first, and the folder of the script."""
_CROWDED = 1_000
"""A folder with more entries than this and no code is linked as a whole."""
_LISTED = 50_000
"""Entries of a folder and all in it that are looked at."""
_SKIPPED = frozenset({"__pycache__", "node_modules", "build", "dist"})
_CODE = (".py", ".json", ".toml", ".yaml", ".yml", ".cfg", ".ini", ".txt")
_OURS = frozenset(
    {"program", "temporary", "elsewhere", "elsewhere-copies", "initial.npz", "links.json", "part", "probe", "result.json", "result.json.part",
     "said.txt", "stderr.txt", "stdout.txt"}
)  # fmt: skip
"""Names in the place of a run that are its own."""


@dataclass
class Contents:
    """What is in a folder, as paths relative to it.

    Attributes:
        copied: files that are copied.
        linked: files and folders that are linked to.
    """

    copied: list[str] = field(default_factory=list)
    linked: list[str] = field(default_factory=list)


def contents(source: Path, script: str = "") -> Contents:
    """What is in a folder that a program may need.

    Args:
        script: the path of the program in it; what is near to it comes first.
    """
    found, files = Contents(), []
    near = os.path.dirname(script)
    for path, small in _entries(source):
        if small:
            files.append(path)
        else:
            found.linked.append(path)
    files.sort(key=lambda path: (not path.endswith(_CODE), not _in(path, near), path.count(os.sep), path))
    found.copied, rest = files[:MOST], files[MOST:]
    found.linked += rest
    return found


def fill(source: Path, target: Path, script: str = "") -> Contents:
    """Copy the small files of a folder and of the folders in it, and say what is there."""
    found = contents(source, script)
    for path in found.copied:
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):
            shutil.copyfile(source / path, place)
    return found


def links(
    source: Path, found: Contents, data: Iterable[str], start: str, named: Iterable[str] = ()
) -> dict[str, tuple[str, bool]]:
    """Where links of a run are, relative to its place, what they lead to, and whether the user asked for them.

    Args:
        data: files and folders that the program needs, as whole paths.
        start: the folder that the program starts in, relative to the source.
        named: the relative paths in the program: where one of them has the name of such a file or folder, it is found.
    """
    named = tuple(named)
    made = {os.path.join("program", path): (str(source / path), False) for path in found.linked}
    made.update((name, (path, False)) for name, path in _around(source))
    for path in data:
        for name in (os.path.basename(path), *_leading_to(os.path.basename(path), named)):
            there = os.path.normpath(os.path.join("program", start, name))
            if not there.startswith(os.pardir) and there not in _OURS:
                made[there] = (path, True)
        inside = os.path.normpath(os.path.join("program", os.path.relpath(path, source)))
        if not inside.startswith(os.pardir) and inside not in ("program", os.curdir):
            made[inside] = (path, True)
    return made


def _leading_to(name: str, named: Iterable[str]) -> Iterator[str]:
    """The relative paths of a program up to a name: `../data` where it reads `../data/rows.csv`."""
    for path in named:
        parts = path.split("/")
        if name in parts[1:]:
            yield "/".join(parts[: parts.index(name, 1) + 1])


def write_links(place: Path, made: dict[str, tuple[str, bool]]) -> None:
    """Leave the links for the run, which makes them once the files of the user are safe."""
    (place / "links.json").write_text(json.dumps(made), "utf-8")


def _around(source: Path) -> Iterator[tuple[str, str]]:
    """What is next to a folder, so that paths with `..` find it."""
    if source.parent == source:
        return
    with suppress(OSError), os.scandir(source.parent) as entries:
        for entry, _ in zip(entries, range(_CROWDED), strict=False):
            if entry.name != source.name and entry.name not in _OURS and not entry.name.startswith("."):
                yield entry.name, entry.path
        yield source.name, "program"


def _entries(source: Path) -> Iterator[tuple[str, bool]]:
    """Each file and folder that a program may need, and whether it is a small file; a folder means all that is in it."""
    left = _LISTED
    for name, folders, files in os.walk(source):
        here = os.path.relpath(name, source)
        left -= len(files) + len(folders)
        if here != os.curdir and (left < 0 or _is_crowded(folders, files)):
            folders.clear()
            yield here, False
            continue
        folders[:] = sorted(item for item in folders if _wanted(os.path.join(name, item)))
        for item in [item for item in folders if os.path.islink(os.path.join(name, item))]:
            yield os.path.normpath(os.path.join(here, item)), False
        for file in sorted(files):
            path = os.path.join(name, file)
            with suppress(OSError):
                if os.path.isfile(path):
                    small = os.path.getsize(path) <= LARGEST
                    yield os.path.normpath(os.path.join(here, file)), small


def _is_crowded(folders: list[str], files: list[str]) -> bool:
    return len(files) + len(folders) > _CROWDED and not any(file.endswith(".py") for file in files)


def _in(path: str, folder: str) -> bool:
    return not folder or path.startswith(folder + os.sep)


def _wanted(folder: str) -> bool:
    name = os.path.basename(folder)
    return not (name.startswith(".") or name in _SKIPPED or os.path.exists(os.path.join(folder, "pyvenv.cfg")))
