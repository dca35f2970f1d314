"""A look at the bytes of a file that tells whether it can concern seqlint at all.

Most files of a project don't mention Keras. They cost one search here; no parser is imported for them. Such a file is
never parsed, so its syntax errors are not reported either.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from seqlint.model import UnreadableSource
from seqlint.sources import disk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# A suppression comment passes too: what it names must be judged even where the code no longer mentions Keras.
_CODE = re.compile(rb"SEQ[0-9]{3}")
_NOQA = re.compile(rb"noqa[^\n]*seq")


def mentions_keras(data: bytes) -> bool:
    """Whether a file with these bytes can hold a finding: it names Keras, TensorFlow, Horovod or seqlint."""
    # Words are looked for one by one: that is ten times as fast as one expression with all of them.
    if b"keras" in data or b"tensorflow" in data or b"horovod" in data or b"seqlint" in data:
        return True
    if b"SEQ" in data and _CODE.search(data):
        return True
    lower = data.lower()
    return b"noqa" in lower and _NOQA.search(lower) is not None


# -- a file that names no Keras, but inherits from a class that does --------------------------------------------------------

# Each begins with a newline, which is faster to look for than a place behind one.
_HOOKS = re.compile(rb"\n[ \t]+(?:async )?def (?:__getitem__|__len__|on_(?:epoch|train|test|predict|batch)\w*)\b")
_DERIVED = re.compile(rb"\n[ \t]*class \w+\([^)\s]")
_IMPORT = re.compile(rb"\n[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t(]+([\w, \t]*)|import[ \t]+([\w.]+))")
_DEPTH = 3


def _can_inherit(data: bytes) -> bool:
    """Whether there is a derived class, and a hook or a batch method."""
    if b"class " not in data or not (b"__getitem__" in data or b"__len__" in data or b"def on_" in data):
        return False
    lines = b"\n" + data
    return bool(_DERIVED.search(lines) and _HOOKS.search(lines))


def may_inherit_keras(path: Path, data: bytes) -> bool:
    """Whether a class of the file can have a base of Keras's through another module of the project.

    Only for a file with a derived class that has a hook or a batch method. Follows the imports to modules of the project, up to
    three steps, and looks at their bytes.
    """
    if not _can_inherit(data):
        return False
    seen: set[Path] = {path}
    level = [(path, data)]
    for _ in range(_DEPTH):
        below = [found for file, text in level for found in _imported(file, text) if found not in seen]
        seen.update(below)
        level = [(file, text) for file in dict.fromkeys(below) if (text := _text(file)) is not None]
        if any(mentions_keras(text) for _, text in level):
            return True
    return False


def _text(path: Path) -> bytes | None:
    try:
        return disk.read(path)
    except UnreadableSource:
        return None


def _imported(path: Path, data: bytes) -> Iterator[Path]:
    """The modules of the project that a file imports."""
    folder = path.absolute().parent
    for match in _IMPORT.finditer(b"\n" + data):
        module = (match[1] or match[3]).decode()
        names = [name.split()[0] for name in (match[2] or b"").decode().split(",") if name.strip()]
        dots = len(module) - len(module.lstrip("."))
        starts = [folder.parents[dots - 2] if dots > 1 else folder] if dots else [folder, *_above(folder)]
        for start in starts:
            yield from _files(start.joinpath(*filter(None, module.lstrip(".").split("."))), names)


def _above(folder: Path) -> Iterator[Path]:
    """The folders above that absolute imports can start from, up to the root of the repository."""
    here = folder
    while not os.path.exists(here / ".git") and here.parent != here:
        here = here.parent
        yield here
        yield here / "src"


def _files(base: Path, names: list[str]) -> Iterator[Path]:
    for candidate in (base.parent / f"{base.name}.py", base / "__init__.py", *(base / f"{name}.py" for name in names)):
        if os.path.isfile(candidate):  # which, unlike that of pathlib, is false in a folder that may not be read
            yield candidate
