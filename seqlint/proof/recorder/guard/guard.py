"""The guard of one run: the strongest that the system has."""

from __future__ import annotations

import filecmp
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from ..texts import COPIES
from . import calls, landlock, libraries, namespace, seccomp
from .copies import Copies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..recording import Job

OVERLAY, KERNEL, CALLS = "overlay", "kernel", "calls"
"""A folder over all files; calls of Python that work on copies, with a kernel that refuses the rest; those calls alone."""
_NAMED = 3
"""Paths in a note."""
_REFUSED = frozenset({"PermissionError", "PermissionDeniedError", "CalledProcessError"})
_UPPER = "elsewhere"
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts",
            "/dev/shm", "/dev/dri", "/dev/kfd", "/proc/self", "/proc/thread-self")  # fmt: skip
_CARDS = "nvidia"
_CACHES = frozenset({"__pycache__", ".cache", ".config", ".nv", ".matplotlib"})
"""Folders in which libraries keep what they can make again."""
_MACHINE = ("/dev", "/proc", "/sys", "/run")


class Guard:
    """What keeps a run from the files of the user.

    Attributes:
        kind: which guard it is.
    """

    def __init__(self, kind: str, place: str, writes: namespace.Overlay | Copies) -> None:
        self.kind = kind
        self._place = os.path.realpath(place)
        self._writes = writes

    def changed(self) -> Iterator[tuple[str, str]]:
        """Each file outside of the place that the program wrote, and where its content is now; empty for what it removed.

        What libraries keep in their caches is left out, and so is what was written as it was.
        """
        for path, content in sorted(self._all()):
            if not set(path.split(os.sep)) & _CACHES and not path.startswith((*_MACHINE, self._place)):
                yield path, content

    def notes(self, written: Iterable[str], error: str) -> Iterator[str]:
        """What the reader of the result should know.

        Args:
            written: names of what the program wrote; those elsewhere are whole paths.
            error: the type of what ended the program.
        """
        elsewhere = [name for name in written if os.path.isabs(name)]
        if elsewhere:
            more = len(elsewhere) - _NAMED
            listed = ", ".join((*elsewhere[:_NAMED], *([f"{more} more"] if more > 0 else [])))
            yield f"what the program writes outside of its folder goes to copies that are gone now: {listed}"
        if self.kind != OVERLAY and error in _REFUSED:
            yield "on this system, a proof refuses what other programs and some libraries write outside of the program's folder"

    def _all(self) -> list[tuple[str, str]]:
        if isinstance(self._writes, namespace.Overlay):
            return list(self._of_overlay(self._writes))
        with self._writes.own_calls():
            return list(self._of_copies(self._writes))

    def _of_overlay(self, overlay: namespace.Overlay) -> Iterator[tuple[str, str]]:
        for path, content in overlay.changed():
            if not content or not _same(overlay.original(path), content):
                yield path, content

    def _of_copies(self, copies: Copies) -> Iterator[tuple[str, str]]:
        for path, content in copies.all():
            if not _same(path, content):
                yield path, content
        yield from ((path, "") for path in copies.gone if os.path.lexists(path))


def enter(job: Job) -> Guard:
    """Put this process under the strongest guard that the system has, or under the one that the job asks for."""
    place = os.path.dirname(job["folder"])
    upper, asked = os.path.join(place, _UPPER), job["guard"]
    if asked == OVERLAY or (not asked and namespace.works()):
        with suppress(OSError):
            return Guard(OVERLAY, place, namespace.enter(place, upper, _likely(job)))
        if asked:
            raise OSError("this system allows no overlay")
    copies = Copies(place, os.path.join(place, COPIES))
    held = False
    if asked in ("", KERNEL):
        with suppress(OSError):
            landlock.enter([place, *_devices()])
            held = True
            seccomp.enter()
    libraries.install(copies)
    calls.install(copies, programs=held)
    return Guard(KERNEL if held else CALLS, place, copies)


def _likely(job: Job) -> Iterable[str]:
    """Folders that programs write to."""
    return (*job["near"], os.path.expanduser("~"), "/tmp", os.getcwd())


def _devices() -> Iterator[str]:
    yield from _DEVICES
    with suppress(OSError):
        yield from (f"/dev/{name}" for name in os.listdir("/dev") if name.startswith(_CARDS))


def _same(original: str, content: str) -> bool:
    """Whether a file was written as it was."""
    if os.path.isdir(content):
        return os.path.isdir(original)
    with suppress(OSError):
        return filecmp.cmp(original, content, shallow=False)
    return False
