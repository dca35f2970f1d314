"""Bytes of a file from the disk, and back to it without ever leaving half a file."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.model import UnreadableSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        UnreadableSource: the file is missing, is no regular file, or may not be read.
    """
    try:
        # A pipe or a device would block for ever.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise UnreadableSource("this is not a regular file")
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError as error:
        raise UnreadableSource(reason(error)) from error


def write(path: Path, data: bytes, *, read: bytes) -> None:
    """Replace a file whole: the old bytes or the new ones, never a part, whatever happens in between.

    The permissions stay. A symbolic link stays a link: the file that it points to is replaced. A file with several names (hard
    links) is left alone: the others would keep the old bytes.

    Args:
        path: the file.
        data: its new bytes.
        read: the bytes that it had when it was read. If it has others now, it is left alone.

    Raises:
        UnreadableSource: the file has changed since it was read, has several names, or may not be written. It is as it was.
    """
    try:
        with prepared(path, data, read) as ready:
            ready.replace()
    except OSError as error:
        raise UnreadableSource(f"the fixed file can't be written: {reason(error)}") from error


@dataclass(frozen=True)
class Prepared:
    """A file whose new bytes are on the disk, ready to take its place.

    Attributes:
        target: the file.
        temporary: the new bytes.
        read: the old ones.
    """

    target: str
    temporary: str
    read: bytes

    def replace(self) -> None:
        """Give the file its new bytes, if it still has the old ones.

        Raises:
            UnreadableSource: it has others.
            OSError: it may not be written.
        """
        _still(self.target, self.read)
        os.replace(self.temporary, self.target)


@contextmanager
def prepared(path: Path, data: bytes, read: bytes) -> Iterator[Prepared]:
    """The new bytes of a file in a file next to it, which goes at the end of the block.

    Raises:
        UnreadableSource: the file has changed since it was read, or has several names.
        OSError: it may not be written.
    """
    from seqlint.sources import drafts  # not for those who only read

    target = os.path.realpath(path)
    if (names := os.stat(target).st_nlink) > 1:
        raise UnreadableSource(
            f"this file has {names} names (hard links), and a fix would change it under this one alone, so it was left alone"
        )
    with drafts.written(target, data) as temporary:
        _same_owner(target, temporary)
        _still(target, read)
        yield Prepared(target, temporary, read)


def _same_owner(target: str, temporary: str) -> None:
    """Give the temporary file the mode of the target, and its owner where we may (as root, for one)."""
    import shutil

    found = os.stat(target)
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(temporary, found.st_uid, found.st_gid)
    shutil.copymode(target, temporary)


def _still(target: str, read: bytes) -> None:
    # A rename would replace a read-only file, too. So it is opened for writing, which asks for leave.
    with open(target, "r+b") as file:
        if file.read() != read:
            raise UnreadableSource("this file has changed since it was read, so it was left alone")


def reason(error: OSError) -> str:
    """What the system said, as the end of a sentence."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]
