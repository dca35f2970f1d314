"""The process that imports TensorFlow once, and forks for each script before TensorFlow has started a thread.

Reads one line of JSON a job from its standard input, answers with one line each on its standard output. For a script that
does not survive such a fork, it forks before the import, and runs one job. Either way this process stays to clean up.
When its standard input ends, the parent is gone or wants no more: it ends what runs, and removes its files.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import shutil
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from . import network
from .guard import namespace, settled
from .recording import LIMIT_STATUS

if TYPE_CHECKING:
    from typing import TextIO

    from .recording import Answer, Job, Orders

GRACE_S = 3.0
"""A child ends itself at its limit; this much later its process group is killed."""
_PARENT_DEATH_SIGNAL = 1
_CHILD_SUBREAPER = 36
_LONGEST_BURIAL = 300
_POLL_S = 0.01


def main() -> None:
    """Serve jobs until the standard input ends."""
    orders: Orders = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what an import prints is no answer
    _ask_kernel(_CHILD_SUBREAPER, 1)
    network.close()
    namespace.works()  # so that no run has to find out
    if hasattr(os, "fork") and not orders["fork"]:
        _serve_one(orders, answers)
        return
    _import(orders)
    _tell(answers, _ready())
    for line in iter(_line, ""):
        _tell(answers, _serve(json.loads(line), orders))


def _ready() -> Answer:
    return {"status": "ready", "detail": "", "seconds": time.process_time()}


def _tell(answers: TextIO, answer: Answer) -> None:
    with suppress(BrokenPipeError):
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _import(orders: Orders) -> None:
    with settled.nothing_written():
        import tensorflow  # noqa: F401

        from . import play  # noqa: F401

        __import__("keras")
        if orders["keras"] == "legacy":
            __import__("tf_keras")
    # A child shares what was imported with this process. Each collection of garbage would look at all of it, and copy it.
    gc.collect()
    gc.freeze()


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

    if not hasattr(os, "fork"):
        play(job, orders)
    child = os.fork()
    if not child:
        _own_group()
        play(job, orders)
    with suppress(OSError):
        os.setpgid(child, child)
    return _watched(child, job)


def _serve_one(orders: Orders, answers: TextIO) -> None:
    """Run one job in a process that is forked before TensorFlow is imported."""
    receive, send = os.pipe()
    child = os.fork()
    if not child:
        _own_group()
        os.close(send)
        os.dup2(receive, 0)
        _import(orders)
        from .play import play

        _tell(answers, _ready())
        play(json.loads(_line()), orders)
    with suppress(OSError):
        os.setpgid(child, child)
    line = _line_while_alive(child)
    if line:
        with suppress(BrokenPipeError), os.fdopen(send, "wb") as pipe:
            pipe.write(line.encode("utf-8"))
        _tell(answers, _watched(child, json.loads(line)))
    _kill_group(child)
    _bury()


def _line_while_alive(child: int) -> str:
    """The next line of the standard input; empty when it ends, or the child does, before one comes."""
    while not os.waitpid(child, os.WNOHANG)[0]:
        readable, _, _ = select.select([0], [], [], _POLL_S)
        if readable:
            return _line()
    return ""


def _watched(child: int, job: Job) -> Answer:
    """Wait for the end of a job, and clean up after it."""
    start = time.monotonic()
    status = _wait(child, job, start + job["limit_s"] + GRACE_S)
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
    """Kill and reap what a script left: as its subreaper, this process inherits it, whatever its group."""
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


def _wait(child: int, job: Job, deadline: float) -> int | None:
    """The wait status of the child; None when it had to be killed."""
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        readable, _, _ = select.select([0], [], [], _POLL_S)
        if readable:  # nobody sends a job while one runs: the parent is gone, or was interrupted
            _kill_group(child)
            _bury()
            shutil.rmtree(os.path.dirname(job["result"]), ignore_errors=True)
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
