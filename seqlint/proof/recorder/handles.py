"""What a program still holds when it has ended: open files, and threads."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .recording import Job

_OPEN = "/proc/self/fd"
_NO_DATA = ("/dev/", "/proc/", "/sys/")
WATCH = "seqlint-limit"
"""The name of the thread that waits for the time limit of the run."""


def files(job: Job) -> list[str]:
    """Open files, each as often as it is open; nothing where the system does not tell."""
    own = {os.path.realpath(path) for path in (job["stdout"], job["stderr"], job["said"])}
    folder = os.path.realpath(job["folder"])
    return sorted(_named(path, folder) for path in _paths() if path not in own)


def _paths() -> Iterator[str]:
    with suppress(OSError):
        for number in os.listdir(_OPEN):
            with suppress(OSError):
                path = os.readlink(os.path.join(_OPEN, number))
                if os.path.isfile(path) and not path.startswith(_NO_DATA):
                    yield path


def _named(path: str, folder: str) -> str:
    place = os.path.dirname(folder)
    return os.path.relpath(path, folder) if path.startswith(place + os.sep) else path


def threads() -> int:
    """Threads that run Python code, without the main one and that of the time limit."""
    return sum(thread is not threading.main_thread() and thread.name != WATCH for thread in threading.enumerate())
