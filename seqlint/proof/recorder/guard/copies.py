"""Copies of what a program writes outside of its place, for systems where the kernel lays no folder over the files.

A file is copied when it is first written, and read there from then on; what is removed is remembered. `Copies` only says where
something is: `calls` and `libraries` have the program ask it.
"""

from __future__ import annotations

import errno
import os
import shutil
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST = 2_000_000_000
"""Bytes; a larger file is not copied to be changed."""
_MACHINE = ("/dev", "/proc", "/sys")
_GET_PATH = 50
"""What macOS is asked for the path of an open file."""


class Copies:
    """Where the files of a program are.

    Attributes:
        gone: what was removed, by its real path.
        written: what was written, by its real path, and where it is.
    """

    def __init__(self, place: str, store: str) -> None:
        os.makedirs(store, exist_ok=True)
        self.gone: set[str] = set()
        self.written: dict[str, str] = {}
        self._place, self._store = os.path.realpath(place), os.path.realpath(store)
        self._busy = threading.local()

    @contextmanager
    def own_calls(self) -> Iterator[bool]:
        """Calls in this block are our own; whether the ones around it are so, too."""
        outer = getattr(self._busy, "own", False)
        self._busy.own = True
        try:
            yield outer
        finally:
            self._busy.own = outer

    @property
    def busy(self) -> bool:
        """Whether the calls of this thread are our own."""
        return bool(getattr(self._busy, "own", False))

    def real(self, path: Any, folder: int | None = None, follow: bool = True) -> str:
        """The real path of a file that lies outside of the place of the run; empty for one in it, and for any other value.

        Args:
            folder: the file descriptor of the folder that a relative path starts from.
            follow: whether a link is followed.
        """
        if isinstance(path, int) or path is None:
            return ""
        try:
            text = os.fsdecode(path)
        except TypeError:
            return ""
        if "\0" in text:
            return ""
        if folder is not None and not os.path.isabs(text):
            text = os.path.join(path_of(folder), text)
        whole = os.path.abspath(text)
        if not follow:
            whole = os.path.join(os.path.realpath(os.path.dirname(whole)), os.path.basename(whole))
        else:
            whole = os.path.realpath(whole)
            while os.path.islink(self.copy_of(whole)):
                target = os.readlink(self.copy_of(whole))
                whole = os.path.realpath(os.path.join(os.path.dirname(whole), target))
        own = (self._place, *_MACHINE, os.devnull)
        return "" if any(whole == one or whole.startswith(one + os.sep) for one in own) else whole

    def copy_of(self, real: str) -> str:
        """Where the copy of a file is, or would be."""
        drive, rest = os.path.splitdrive(real)
        parts = [part for part in (drive.strip(":\\/"), rest.strip("\\/" if os.name == "nt" else "/")) if part]
        return os.path.join(self._store, *parts)

    def all(self) -> Iterator[tuple[str, str]]:
        """The path of each file and folder that was written, and where it is."""
        for folder, folders, files in os.walk(self._store):
            for name in (*folders, *files):
                path = os.path.join(folder, name)
                parts = os.path.relpath(path, self._store).split(os.sep)
                start = f"{parts.pop(0)}:{os.sep}" if os.name == "nt" else os.sep
                yield start + os.sep.join(parts), path

    def reads(self, path: Any, folder: int | None = None, follow: bool = True) -> str:
        """Where a file is read that was written or removed; empty for any other."""
        if not self.written and not self.gone:
            return ""
        real = self.real(path, folder, follow)
        if not real:
            return ""
        copy = self.copy_of(real)
        if os.path.lexists(copy) and not (os.path.isdir(copy) and self.is_there(real)):
            return copy
        return copy if self._is_gone(real) else ""

    def writes(self, path: Any, folder: int | None = None, keep: bool = True, follow: bool = True) -> str:
        """Where a file outside of the place is written; empty for one in it.

        Args:
            keep: whether what is in the file counts.

        Raises:
            PermissionError: the program could not write it either, or it is too large to be copied.
        """
        real = self.real(path, folder, follow)
        if not real:
            return ""
        copy, parent = self.copy_of(real), os.path.dirname(real)
        if os.path.isdir(parent) and not self._is_gone(parent):
            os.makedirs(os.path.dirname(copy), exist_ok=True)
        if not os.path.lexists(copy) and self.is_there(real):
            self._check(real)
            if keep:
                _copy(real, copy)
        elif not os.path.lexists(copy) and os.path.isdir(parent) and not os.path.isdir(self.copy_of(parent)):
            self._check(parent)
        self.gone.discard(real)
        self.written[real] = copy
        return copy

    def removes(self, path: Any, folder: int | None = None) -> tuple[str, str]:
        """What is to be removed: its real path, and where its copy is; both empty for a file in the place."""
        real = self.real(path, folder, follow=False)
        return (real, self.copy_of(real)) if real else ("", "")

    def remove(self, real: str) -> None:
        """Remember that a file is gone."""
        self.written.pop(real, None)
        self.gone.add(real)

    def is_there(self, real: str) -> bool:
        """Whether a file is there that was neither copied nor removed."""
        return os.path.lexists(real) and not self._is_gone(real)

    def names(self, path: Any) -> list[str] | None:
        """The names in a folder of which something was written or removed; None for any other."""
        real = self.real(path_of(path) if isinstance(path, int) else os.curdir if path is None else path)
        if not real or not (self.written or self.gone):
            return None
        names: dict[str, None] = {}
        for folder in (*([real] if self.is_there(real) else ()), self.copy_of(real)):
            with suppress(FileNotFoundError, NotADirectoryError):
                names.update(dict.fromkeys(os.listdir(folder)))
        return [name for name in names if os.path.lexists(self._now(os.path.join(real, name)))]

    def now(self, path: str) -> str:
        """Where an entry of a folder is read."""
        return self.reads(path, follow=False) or path

    def _now(self, real: str) -> str:
        copy = self.copy_of(real)
        return copy if os.path.lexists(copy) or self._is_gone(real) else real

    def _is_gone(self, real: str) -> bool:
        while real not in self.gone:
            if os.path.lexists(self.copy_of(real)) and not os.path.isdir(self.copy_of(real)):
                return False
            if real == (real := os.path.dirname(real)):
                return False
        return True

    def _check(self, real: str) -> None:
        if not os.path.islink(real) and not os.access(real, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), real)
        if os.path.isfile(real) and os.path.getsize(real) > LARGEST:
            raise PermissionError(
                errno.EACCES, "a proof does not write the user's files, and this one is too large for a copy", real
            )


def path_of(descriptor: int) -> str:
    """The path of an open file or folder; empty where the system does not tell."""
    for place in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            return os.readlink(f"{place}/{descriptor}")
    try:
        import fcntl

        return os.fsdecode(fcntl.fcntl(descriptor, _GET_PATH, b"\0" * 1024).rstrip(b"\0"))
    except (ImportError, OSError, AttributeError):
        return ""


def _copy(real: str, copy: str) -> None:
    if os.path.islink(real):
        os.symlink(os.readlink(real), copy)
    elif os.path.isdir(real):
        shutil.copytree(real, copy, symlinks=True)
    else:
        shutil.copy2(real, copy)
