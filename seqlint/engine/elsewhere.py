"""Fixes that change other files of the project, too: what they must not change, and what becomes of those files."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.model import Elsewhere, UnreadableSource
from seqlint.sources import Source, surroundings
from seqlint.sources.discovery import is_left_out
from seqlint.sources.edits import apply
from seqlint.sources.patterns import Patterns
from seqlint.sources.reading import digest, note_unsure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from seqlint.config import Config
    from seqlint.model import Edit, Fix

_SUFFIXES = (".py", ".pyi")


@dataclass(frozen=True)
class Other:
    """Another file that fixes change.

    Attributes:
        data: its bytes as they were before the first fix.
        before, after: the text then, and now.
    """

    data: bytes
    before: Source
    after: Source

    @property
    def path(self) -> str:
        """The file, absolute."""
        return self.after.path


Others = dict[str, Other]
"""Other files by their absolute paths."""


def divided(fix: Fix, source: Callable[[str], Source]) -> Fix:
    """A fix whose `edits` are those of the file of its finding alone; the others are in `elsewhere`.

    Args:
        source: the text of another file by its path.
    """
    own = tuple(edit for edit in fix.edits if not edit.path)
    paths = sorted({edit.path for edit in fix.edits if edit.path})
    return replace(fix, edits=own, elsewhere=tuple(_elsewhere(source(path), fix.edits) for path in paths))


def _elsewhere(source: Source, edits: Iterable[Edit]) -> Elsewhere:
    own = tuple(dict.fromkeys(replace(edit, path="") for edit in edits if edit.path == source.path))
    places = tuple((source.position(edit.start), source.position(edit.end)) for edit in own)
    return Elsewhere(source.path, digest(source.to_bytes()), own, places)


def why_not(fix: Fix, source: Source, config: Config) -> str:
    """Why a fix must not change the other files that it would; empty where it may, or changes none."""
    if not fix.elsewhere:
        return ""
    first = os.path.basename(fix.elsewhere[0].path)
    if config.single:
        return f"it would change `{first}`, too, and only this text is at hand"
    if source.excerpt is not None or not os.path.isfile(source.path):
        return f"it would change `{first}`, too, and this is not a file of the project"
    root = _root(os.path.abspath(source.path), config)
    return next(filter(None, (_barred(each.path, root, config) for each in fix.elsewhere)), "")


def _root(path: str, config: Config) -> str:
    """The folder of the project that a file is in: that of its configuration, else that of its repository, else its own."""
    if config.file is not None:
        return os.path.abspath(config.root)
    folder = Path(path).parent
    return str(surroundings.project(folder) or (config.root if folder.is_relative_to(config.root) else folder))


def _barred(path: str, root: str, config: Config) -> str:
    name = os.path.basename(path)
    if not path.endswith(_SUFFIXES):
        return f"it would change `{name}`, too, which is not a Python file"
    # Links and permissions leave no trace in what was read.
    inside = os.path.realpath(path).startswith(os.path.join(os.path.realpath(root), ""))
    if not inside or os.path.islink(path):
        note_unsure()
        return f"it would change `{name}`, too, which lies outside of the project"
    if is_left_out(path, root, (Patterns(str(config.root), config.exclude),), respects=config.respect_gitignore):
        return f"it would change `{name}`, too, which is ignored or excluded"
    if _is_writable(path):
        return ""
    note_unsure()
    return f"it would change `{name}`, too, which can't be written"


def _is_writable(path: str) -> bool:
    try:
        found = os.stat(path)
    except OSError:
        return False
    owned = os.access(path, os.W_OK) and os.access(os.path.dirname(path), os.W_OK)
    return owned and bool(found.st_mode & 0o222) and found.st_nlink == 1


def changed(others: Mapping[str, Other], wanted: Iterable[Elsewhere]) -> Others:
    """The other files after some more fixes.

    Raises:
        ValueError: a file is not the one for which the edits were made, or can't take them.
    """
    found = dict(others)
    for path, edits in by_path(wanted).items():
        other = found.get(path) or _opened(path)
        if any(each.digest != digest(other.after.to_bytes()) for each in wanted if each.path == path):
            raise ValueError(f"{os.path.basename(path)} has changed since it was read")
        if not other.after.takes(edits):
            raise ValueError(f"{os.path.basename(path)} can't take the edits")
        after = other.after.edited(apply(other.after.utf8, edits), edits)
        found[path] = replace(other, after=after)
    return found


def by_path(wanted: Iterable[Elsewhere]) -> dict[str, tuple[Edit, ...]]:
    """The edits of each other file, equal ones once."""
    found: dict[str, tuple[Edit, ...]] = {}
    for each in wanted:
        found[each.path] = tuple(dict.fromkeys((*found.get(each.path, ()), *each.edits)))
    return found


def _opened(path: str) -> Other:
    data = surroundings.content(Path(path))
    if data is None:
        raise ValueError(f"{os.path.basename(path)} can't be read")
    try:
        source = Source.from_bytes(data, path)
        if source.to_bytes() != data:
            raise ValueError(f"{os.path.basename(path)} would be written in another encoding")
    except UnreadableSource as error:
        raise ValueError(str(error)) from error
    return Other(data, source, source)


def texts(others: Mapping[str, Other], own: Source | None = None) -> dict[str, bytes]:
    """What the files hold after the fixes, by their absolute paths.

    Args:
        own: the file of the findings, with its fixes.
    """
    found = {path: other.after.to_bytes() for path, other in others.items()}
    return found if own is None or own.notebook else {**found, os.path.abspath(own.path): own.to_bytes()}
