"""The process that imports TensorFlow once, and forks for each script before TensorFlow has started a thread.

Reads one line of JSON a job from its standard input, answers with one line each on its standard output. Where the
system can't fork safely it runs one job itself and ends.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .recording import Answer, Job, Orders

GRACE_S = 3.0
"""A child ends itself at its limit; this much later its process group is killed."""
LIMIT_STATUS = 124
"""The exit status of a child that ended itself at its limit."""
_PARENT_DEATH_SIGNAL = 1
_CHILD_SUBREAPER = 36
_LONGEST_BURIAL = 300


def main() -> None:
    """Serve jobs until the standard input ends."""
    orders: Orders = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what an import prints is no answer
    _ask_kernel(_CHILD_SUBREAPER, 1)
    _import(orders)
    answers.write(json.dumps({"status": "ready", "detail": "", "seconds": time.process_time()}) + "\n")
    answers.flush()
    for line in iter(_line, ""):
        answers.write(json.dumps(_serve(json.loads(line), orders)) + "\n")
        answers.flush()


def _import(orders: Orders) -> None:
    import tensorflow  # noqa: F401

    from . import play  # noqa: F401

    __import__("keras")
    if orders["keras"] == "legacy":
        __import__("tf_keras")


def _line() -> str:
    """One line of the standard input; read by the byte, so that none is left in a buffer when a child starts."""
    data = b""
    while not data.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            return ""
        data += byte
    return data.decode("utf-8")


def _serve(job: Job, orders: Orders) -> Answer:
    from .play import play

    if not orders["fork"]:
        play(job, orders)
    start = time.monotonic()
    child = os.fork()
    if not child:
        _own_group()
        play(job, orders)
    with suppress(OSError):
        os.setpgid(child, child)
    status = _wait(child, start + job["limit_s"] + GRACE_S)
    _kill_group(child)
    _bury()
    answer = _answer(job, status)
    answer["seconds"] = time.monotonic() - start
    return answer


def _own_group() -> None:
    """Lead a new process group, and die with the worker."""
    with suppress(OSError):
        os.setpgid(0, 0)
    _ask_kernel(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _ask_kernel(option: int, value: int) -> None:
    """Set a property of this process that Linux alone has."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value)


def _bury() -> None:
    """Kill and reap what a script left behind: as its subreaper, this process inherits it, whatever its group."""
    with suppress(ChildProcessError):
        for _ in range(_LONGEST_BURIAL):
            for child in _children():
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            if not os.waitpid(-1, os.WNOHANG)[0]:
                time.sleep(0.01)


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def _wait(child: int, deadline: float) -> int | None:
    """The wait status of the child; None when it had to be killed."""
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        readable, _, _ = select.select([0], [], [], 0.01)
        if readable:  # nobody sends a job while one runs: the parent is gone
            _kill_group(child)
            os._exit(1)
    _kill_group(child)
    os.waitpid(child, 0)
    return None


def _kill_group(child: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)


def _answer(job: Job, status: int | None) -> Answer:
    limit = f"it still ran after {job['limit_s']:g} s"
    if status is None or (os.WIFEXITED(status) and os.WEXITSTATUS(status) == LIMIT_STATUS):
        return {"status": "limit", "detail": limit, "seconds": 0.0}
    if os.path.exists(job["result"]):
        return {"status": "done", "detail": "", "seconds": 0.0}
    return {"status": "crashed", "detail": ending(os.waitstatus_to_exitcode(status)), "seconds": 0.0}


def ending(status: int) -> str:
    """How a process ended, in words; a negative status is a signal."""
    if status < 0:
        return f"the process was ended by {signal.Signals(-status).name}"
    return f"the process ended with status {status}, and left no recording"
