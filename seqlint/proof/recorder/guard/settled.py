"""Keeps libraries from writing settings and caches of their own when they are imported, such as the `keras.json` of a user who has none."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_COMPILED = "__pycache__"
"""Where Python keeps what it has compiled: each import of a library does that, whoever runs it."""


@contextmanager
def nothing_written() -> Iterator[None]:
    """Refuse to make files and folders in this block, as on a disk that can't be written."""
    refusing, temporary = [True], os.path.realpath(tempfile.gettempdir())

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if not refusing or not (event == "os.mkdir" or (event == "open" and _writes(args[2]))):
            return
        path = args[0]
        if isinstance(path, (str, bytes)) and not _is_kept(os.path.realpath(os.fsdecode(path)), temporary):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)

    sys.addaudithook(hook)
    try:
        yield
    finally:
        refusing.clear()


def _writes(flags: object) -> bool:
    return isinstance(flags, int) and bool(flags & _WRITING)


def _is_kept(path: str, temporary: str) -> bool:
    """Whether a file may be made: compiled code, a device, or a file directly in the folder of temporary files."""
    return _COMPILED in path or path == os.devnull or os.path.dirname(path) in ("/dev", temporary)
