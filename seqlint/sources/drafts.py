"""The file that a fixed one is written to before it takes the place of the old one, and those that a killed run has left."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUFFIX = ".seqlint"
_NAME = re.compile(rf"\.(.+)\.([0-9a-f]{{16}})([0-9a-f]{{16}}){re.escape(SUFFIX)}", re.DOTALL)
_LONGEST = 255  # bytes of a name, on nearly every file system
_TRIES = 100


@contextmanager
def written(target: str, data: bytes) -> Iterator[str]:
    """A new file with some bytes, safe on the disk, in the folder of the file that it is to replace.

    It is locked for as long as this process lives and is in the block, so that nobody takes it for one that is left over. At the end of
    the block it has been renamed, or it is removed.

    Raises:
        OSError: it can't be written.
    """
    handle, path = _created(target)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if os.name == "nt":  # a file that is open can't be renamed there, nor removed by others
                file.close()
            yield path
    except BaseException:
        with suppress(OSError):
            os.unlink(path)
        raise


def sweep(paths: Iterable[str]) -> None:
    """Remove files that a run has left which was killed while it wrote.

    Only those go that seqlint has named, and that no living process has locked. What can't be removed stays.

    Args:
        paths: files; those with other names are left alone.
    """
    for path in paths:
        if is_draft(os.path.basename(path)):
            with suppress(OSError):
                _remove(path)


def is_draft(name: str) -> bool:
    """Whether seqlint has given a file its name. The name holds a digest of itself, which no other program writes."""
    found = _NAME.fullmatch(name)
    return found is not None and found[3] == _digest(found[1], found[2])


def _created(target: str) -> tuple[int, str]:
    """A new file that is locked. Between the two steps another run may have removed it; then there is one more."""
    folder, name = os.path.split(target)
    for _ in range(_TRIES):
        token = os.urandom(8).hex()
        short = name if len(os.fsencode(name)) <= _LONGEST - 42 else "_"
        path = os.path.join(folder, f".{short}.{token}{_digest(short, token)}{SUFFIX}")
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        lock(handle, wait=True)
        if os.fstat(handle).st_nlink:
            return handle, path
        os.close(handle)
    raise FileExistsError(f"{target}: no file can be made next to it")


def _remove(path: str) -> None:
    handle = _opened(path)
    try:
        if os.name != "nt" and lock(handle, wait=False):
            os.unlink(path)
    finally:
        os.close(handle)
    if os.name == "nt":  # where it fails as long as somebody has the file open
        os.unlink(path)


def _opened(path: str) -> int:
    """A file that is no link, and no pipe that would wait; to write, which some file systems ask of who locks."""
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        return os.open(path, os.O_RDWR | flags)
    except PermissionError:  # it has the mode of the file that it was to replace
        return os.open(path, os.O_RDONLY | flags)


def lock(handle: int, *, wait: bool) -> bool:
    """Lock an open file; whether that has worked. The system unlocks it when the process ends, however it does.

    Where a file system knows no locks, one that is being written can't be told from one that is left over: no file is removed there.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def _digest(name: str, token: str) -> str:
    """What the name of a file for another one ends with."""
    return blake2b(f"{token}/{name}".encode("utf-8", "surrogateescape"), digest_size=8, person=b"seqlint").hexdigest()
