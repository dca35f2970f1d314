"""Several files that are written together: all of them, or none."""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.model import UnreadableSource
from seqlint.sources import disk, drafts, user

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FOLDER = "journals"
_SUFFIX = ".json"


@dataclass(frozen=True)
class Change:
    """A file that is to be replaced.

    Attributes:
        path: the file.
        data: its new bytes.
        read: the bytes that it had when it was read.
    """

    path: str
    data: bytes
    read: bytes


def write(changes: Sequence[Change]) -> None:
    """Replace files, each as `disk.write` does: all of them or none.

    What fails half-way is taken back. Of a process that is killed half-way, the next run finishes the work (`recover`): what is to be
    written lies in the user's own cache folder until all is done. Where there is none, or the system knows no locks of files, files that
    were replaced by then stay so.

    Raises:
        UnreadableSource: a file has changed since it was read, has several names, or may not be written. All are as they were.
    """
    if len(changes) == 1:
        disk.write(Path(changes[0].path), changes[0].data, read=changes[0].read)
        return
    try:
        with ExitStack() as stack:
            ready = [(each, _prepared(each, stack, first=each is changes[0])) for each in changes]
            journal = stack.enter_context(_Journal.begun(changes))
            _replace(ready, journal)
    except OSError as error:
        raise UnreadableSource(f"the fixed files can't be written: {disk.reason(error)}") from error


def _prepared(change: Change, stack: ExitStack, *, first: bool) -> disk.Prepared:
    """The new bytes of a file, ready; what keeps another file than the first from being written is told with its name."""
    try:
        return stack.enter_context(disk.prepared(Path(change.path), change.data, change.read))
    except UnreadableSource as error:
        raise error if first else UnreadableSource(f"{os.path.basename(change.path)}: {error}") from error


def _replace(ready: Sequence[tuple[Change, disk.Prepared]], journal: _Journal) -> None:
    done: list[Change] = []
    try:
        for change, prepared in ready:
            prepared.replace()
            done.append(change)
    except (OSError, UnreadableSource):
        for change in done:
            disk.write(Path(change.path), change.read, read=change.data)
        journal.end()
        raise
    journal.end()


class _Journal:
    """What is about to be written, in a file that is locked for as long as this process works on it."""

    def __init__(self, path: str, handle: int) -> None:
        self._path = path
        self._handle = handle

    @classmethod
    def begun(cls, changes: Sequence[Change]) -> _Journal:
        """A new one. Until it has its name, nobody takes it for one."""
        folder = _folder()
        if folder is None or os.name == "nt":  # where a file that is open can't be renamed
            return cls("", -1)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = os.path.join(folder, os.urandom(8).hex() + _SUFFIX)
        handle = os.open(f"{path}~", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        drafts.lock(handle, wait=True)
        with os.fdopen(os.dup(handle), "wb") as file:
            file.write(_written(changes))
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{path}~", path)
        return cls(path, handle)

    def end(self) -> None:
        """All is done, or nothing."""
        if self._path:
            _remove(self._path)

    def __enter__(self) -> _Journal:
        return self

    def __exit__(self, *error: object) -> None:
        if self._handle >= 0:
            os.close(self._handle)


def recover() -> Iterator[tuple[str, str]]:
    """Finish what killed runs of this user have begun: of each the files that still have their old bytes get the new ones.

    Where somebody has changed one of the files since, all stay as they are.

    Returns:
        For each of those runs a file that was not finished, and why.
    """
    folder = _folder()
    if folder is None or not user.is_ours(folder):
        return
    for name in _names(folder):
        path = os.path.join(folder, name)
        handle = _owned(path)
        if handle is None:
            continue
        try:
            if (said := _finished(path, handle)) is not None:
                yield said
        finally:
            os.close(handle)


def _finished(path: str, handle: int) -> tuple[str, str] | None:
    with os.fdopen(os.dup(handle), "rb") as file:
        changes = _read(file.read()) if path.endswith(_SUFFIX) else ()
    states = [_state(change) for change in changes]
    if None in states:
        _remove(path)
        changed = changes[states.index(None)].path
        others = [change.path for change, state in zip(changes, states, strict=True) if state == "new"]
        why = f"a fix of several files was interrupted, and this one has changed since: it was not finished ({', '.join(others)} has it)"
        return (changed, why) if others else None
    try:
        for change, state in zip(changes, states, strict=True):
            if state == "old":
                disk.write(Path(change.path), change.data, read=change.read)
    except UnreadableSource as error:
        return changes[
            states.index("old")
        ].path, f"a fix of several files was interrupted, and can't be finished: {error}"
    _remove(path)
    return None


def _state(change: Change) -> str | None:
    """Which bytes a file has; None for others."""
    try:
        data = disk.read(Path(change.path))
    except UnreadableSource:
        return None
    return "new" if data == change.data else "old" if data == change.read else None


def _owned(path: str) -> int | None:
    """A file that is ours alone and that no living process has locked; it is locked from now on."""
    if not user.is_ours(path):
        return None
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    if drafts.lock(handle, wait=False) and os.fstat(handle).st_nlink:
        return handle
    os.close(handle)
    return None


def _folder() -> Path | None:
    home = user.cache_folder()
    return None if home is None else home / _FOLDER


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


def _written(changes: Sequence[Change]) -> bytes:
    files = [
        {
            "path": os.path.realpath(each.path),
            "old": b64encode(each.read).decode(),
            "new": b64encode(each.data).decode(),
        }
        for each in changes
    ]
    return json.dumps({"files": files}).encode()


def _read(data: bytes) -> tuple[Change, ...]:
    """What is to be written; nothing where the text is none that was written here."""
    try:
        files = json.loads(data)["files"]
        return tuple(Change(str(each["path"]), b64decode(each["new"]), b64decode(each["old"])) for each in files)
    except (KeyError, TypeError, ValueError):
        return ()
