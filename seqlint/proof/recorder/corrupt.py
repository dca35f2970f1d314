"""The data files of a run: which ones are read while it trains, and the one that is spoiled to show what bad input does.

Only files in the run's own places are looked at: the copy of the program's folder, and its temporary files.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .recording import Job

MOST = 20_000
"""Files that are looked at."""
_OWN = ("program", "temporary")
"""The places that a run may write to, in addition to its recording."""
_NO_DATA = (
    ".py", ".pyc", ".pyi", ".ipynb", ".so", ".dll", ".dylib", ".pyd", ".toml", ".cfg", ".ini", ".md", ".rst", ".log",
    ".keras", ".ckpt", ".index", ".weights.h5",
)  # fmt: skip


class Files:
    """The data files of one run.

    Attributes:
        corrupted: what was done to the file that was to be spoiled; empty when nothing was.
    """

    def __init__(self, job: Job) -> None:
        self.corrupted = ""
        self._job = job
        self._place = os.path.dirname(job["folder"])
        self._marked: list[str] | None = None
        self._read: dict[str, None] = {}
        self._told = False

    def begin(self) -> None:
        """The program is about to run a model: the first time, spoil a file if that is asked for, else mark all."""
        if self._marked is not None:
            return
        self._marked = []
        wanted = self._job["corrupt"]
        if wanted:
            with suppress(OSError):
                self.corrupted = _spoil(self._place, wanted, self._job["missing"])
            return
        self._told = _tells_reads(self._place)
        self._marked = [path for path in islice(_data(self._place), MOST) if not self._told or _mark(path)]

    def look(self) -> None:
        """Note the marked files that have been read by now."""
        for path in self._marked or ():
            if not self._told or _was_read(path):
                self._read[os.path.relpath(path, self._place)] = None

    def read(self) -> list[str]:
        """The data files that were read since the program first ran a model, sorted.

        Reads after the last `fit` don't count. Where the file system does not keep the times of reads, all that were
        there.
        """
        if not self._read:
            self.look()
        return sorted(self._read)


def _data(place: str) -> Iterator[str]:
    """Every data file of the run that nobody else can hold: no link leads to it or away from it."""
    device = os.stat(place).st_dev
    for own in _OWN:
        for folder, folders, files in os.walk(os.path.join(place, own)):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
            for name in sorted(files):
                path = os.path.join(folder, name)
                if not name.lower().endswith(_NO_DATA) and _is_own(path, device):
                    yield path


def _is_own(path: str, device: int) -> bool:
    with suppress(OSError):
        found = os.lstat(path)
        return stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_dev == device and found.st_size > 0
    return False


def _mark(path: str) -> bool:
    """Set the time of the last read to the beginning of time: the next read changes it, on any kind of mount but one."""
    with suppress(OSError):
        os.utime(path, ns=(0, os.stat(path).st_mtime_ns))
        return True
    return False


def _was_read(path: str) -> bool:
    with suppress(OSError):
        return os.stat(path).st_atime_ns != 0
    return False


def _tells_reads(place: str) -> bool:
    """Whether the file system keeps the times of reads: mounted with `noatime` it does not."""
    probe = os.path.join(place, "probe")
    try:
        with open(probe, "wb") as file:
            file.write(b"probe")
        if not _mark(probe) or _was_read(probe):
            return False
        with open(probe, "rb") as file:
            file.read()
        return _was_read(probe)
    except OSError:
        return False


def _spoil(place: str, name: str, missing: bool) -> str:
    """Truncate or remove one file of the run. It is written anew, so that who holds it open keeps what it was."""
    path = os.path.join(place, name)
    inside = os.path.realpath(path).startswith(tuple(os.path.join(os.path.realpath(place), own, "") for own in _OWN))
    if not inside or not _is_own(path, os.stat(place).st_dev):
        return ""
    if missing:
        os.remove(path)
        return "removed"
    with open(path, "rb") as file:
        data = file.read()
    half, part = len(data) // 2, os.path.join(place, "part")
    with open(part, "wb") as file:
        file.write(data[:half])
    os.replace(part, path)
    return f"truncated from {len(data)} to {half} bytes"
