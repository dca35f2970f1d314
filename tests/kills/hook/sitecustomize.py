"""Counts what a run does to the files of a tree, in all of its processes together, and ends it at one of these steps.

Python imports this file at its start where the folder is on its path. It is told by the environment what to do.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

TREE, COUNTER = os.environ.get("KILLS_TREE", ""), os.environ.get("KILLS_COUNTER", "")
AT, HOW = int(os.environ.get("KILLS_AT", "0")), os.environ.get("KILLS_HOW", "")
WATCHED = ("open", "os.rename", "os.remove", "os.chmod", "os.chown")
_sync = os.fsync


def step() -> None:
    """One step more; at the step that was asked for, what was asked for happens."""
    handle = os.open(COUNTER, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, b".")
    here = os.lseek(handle, 0, os.SEEK_CUR)
    os.close(handle)
    if HOW == "full":
        if here >= AT:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    elif here == AT:
        (os.killpg if HOW == "group" else os.kill)(os.getpgid(0) if HOW == "group" else os.getpid(), signal.SIGKILL)


def watch(event: str, arguments: tuple[object, ...]) -> None:
    """Take what is done to a file of the tree for a step; what is only read is none."""
    if event not in WATCHED or not isinstance(arguments[0], str) or not arguments[0].startswith(TREE):
        return
    if event == "open":
        flags = arguments[2]
        if not isinstance(flags, int) or not flags & (os.O_WRONLY | os.O_RDWR):
            return
    elif HOW == "full":  # a full disk lets files be renamed and removed
        return
    step()


def fsync(fd: FileDescriptorLike) -> None:
    """Count before and after what was written is safe on the disk."""
    step()
    _sync(fd)
    if HOW != "full":
        step()


if TREE and COUNTER:
    os.fsync = fsync
    sys.addaudithook(watch)
