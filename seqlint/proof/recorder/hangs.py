"""Tells a program that waits for ever from one that is slow, and says where it stands."""

from __future__ import annotations

import linecache
import os
import sys
import threading
import time
from typing import TYPE_CHECKING

from .hooks import own

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from .tape import Tape

SHORTEST_S = 2.0
"""A program that has stood still for less than this is not called a hang."""
_PART = 0.5
"""The part of the time limit, at its end, in which nothing may move."""
_LOOKS = 10
_BUSY = 0.1
"""Seconds of CPU time in a second above which the program works."""
_PROC = "/proc"
_WORKS = frozenset("RD")
"""States of a process that runs, or waits for a disk."""


class Watch:
    """Looks at the run until its time limit; `hung` then says where it waits, and is empty where it moved."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._window = max(SHORTEST_S, _PART * tape.job["limit_s"])

    def until_the_limit(self) -> str:
        """Sleep until the time limit, and say where the program hangs; empty where it does not.

        Where the system does not tell the CPU time of processes nothing is called a hang.
        """
        limit = time.monotonic() + self._tape.job["limit_s"]
        time.sleep(max(0.0, limit - time.monotonic() - self._window))
        still = _has_proc()
        seen = self._look()
        while (rest := limit - time.monotonic()) > 0:
            pause = min(rest, self._window / _LOOKS)
            time.sleep(pause)
            now = self._look()
            still = still and now[0] == seen[0] and not _worked(seen[1], now[1], pause)
            seen = now
        return where(self._tape) if still else ""

    def _look(self) -> tuple[tuple[int, ...], dict[int, tuple[float, str]]]:
        """How far the program got, and what CPU time and state each of its processes has."""
        tape = self._tape
        epochs = sum(len(fit["epochs"]) for fit in tape.fits)
        printed = (os.fstat(1).st_size, os.fstat(2).st_size)
        return (len(tape.steps), len(tape.hooks), len(tape.fits), epochs, *printed), _processes()


def where(tape: Tape) -> str:
    """Where the main thread waits, and another thread that runs code of the program, in words."""
    frames = sys._current_frames()
    main = threading.main_thread().ident
    here = _stand(tape, frames.get(main)) if main is not None else ""
    others = sorted({_stand(tape, frame) for thread, frame in frames.items() if thread != main} - {""})
    text = f"waits {here or 'outside its own code'}"
    return f"{text}; another thread waits {others[0]}" if others else text


def _stand(tape: Tape, frame: FrameType | None) -> str:
    """Where a thread stands; empty where no code of the program is on its stack."""
    called: list[str] = []
    for item in _stack(frame):
        module = str(item.f_globals.get("__name__", ""))
        if own(tape, module):
            return f"in {_called(called)}called from {_place(item)}" if called else f"at {_place(item)}"
        if not module.startswith(__package__.partition(".")[0]) and "traceback_utils" not in module:
            called.append(f"{module}.{getattr(item.f_code, 'co_qualname', item.f_code.co_name)}")
    return ""


def _called(called: list[str]) -> str:
    """What the program called, and where that stands; the innermost comes first in `called`."""
    return f"{called[-1]}, " if len(called) == 1 else f"{called[-1]} (in {called[0]}), "


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _place(frame: FrameType) -> str:
    file, line = frame.f_code.co_filename, frame.f_lineno
    text = linecache.getline(file, line).strip()
    return f"{os.path.basename(file)} line {line}" + (f": {text}" if text else "")


def _has_proc() -> bool:
    return os.path.exists(f"{_PROC}/self/stat")


def _worked(before: dict[int, tuple[float, str]], now: dict[int, tuple[float, str]], seconds: float) -> bool:
    """Whether the processes used CPU time, or are about to."""
    used = sum(cpu - before.get(process, (0.0, ""))[0] for process, (cpu, _) in now.items())
    return used > _BUSY * seconds or any(state in _WORKS for _, state in now.values())


def _processes() -> dict[int, tuple[float, str]]:
    """CPU seconds and state of this process and of all that it started."""
    stats = dict(_stats())
    found = {os.getpid()}
    grown = True
    while grown:
        more = {process for process, (parent, _, _) in stats.items() if parent in found} - found
        found |= more
        grown = bool(more)
    return {process: stats[process][1:] for process in found if process in stats}


def _stats() -> Iterator[tuple[int, tuple[int, float, str]]]:
    """Each process with its parent, the CPU seconds of it and of children that it waited for, and its state."""
    if not _has_proc():
        return
    tick = os.sysconf("SC_CLK_TCK")
    for name in os.listdir(_PROC):
        if name.isdigit() and (fields := _fields(name)):
            yield int(name), (int(fields[1]), sum(map(int, fields[11:15])) / tick, fields[0])


def _fields(process: str) -> list[str]:
    """What follows the name in the stat file of a process; empty when it has ended."""
    try:
        with open(f"{_PROC}/{process}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []
