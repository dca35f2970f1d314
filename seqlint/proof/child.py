"""Starts the child processes, gives them jobs, and ends them with their whole process group."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, TYPE_CHECKING

from seqlint.proof import recorder
from seqlint.proof.interpreters import HOME, python_path
from seqlint.proof.recorder import network
from seqlint.proof.recorder.recording import LIMIT_STATUS
from seqlint.proof.recorder.worker import GRACE_S, ending

if TYPE_CHECKING:
    from seqlint.proof.recorder.recording import Answer, Job, Orders
    from seqlint.proof.run import Kind

_START_S = 300.0
"""Seconds for the import of TensorFlow; a cold disk is slow."""
_POLL_S = 0.1

# The recorder is loaded from its folder under a private name: the script that runs must not see our modules.
_BOOT = """
import sys
sys.path[:] = [entry for entry in sys.path if entry]
import importlib, importlib.util
spec = importlib.util.spec_from_file_location("_seqlint_recorder", {file!r}, submodule_search_locations=[{folder!r}])
sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
importlib.import_module("_seqlint_recorder.worker").main()
"""


class Child:
    """A process that has imported TensorFlow, for runs of one kind; it starts with the first of them, and has one at a time."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, job: Job) -> Answer:
        """Run one script in a fork of the process."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            started = _start(self._kind, fork=True)
            if not isinstance(started, subprocess.Popen):
                return started
            self._process = started
        try:
            answer = _exchange(self._process, job)
        except BaseException:  # the files of the run are removed next: what writes them must be gone before
            self.close()
            raise
        if self._process.poll() is not None:
            self.close()
        return answer

    def ask_alone(self, job: Job) -> Answer:
        """Run one script in a new process."""
        started = _start(self._kind, fork=False)
        if not isinstance(started, subprocess.Popen):
            return started
        try:
            return _exchange(started, job)
        finally:
            _end(started)

    def close(self) -> None:
        """End the process; it ends what it still runs."""
        if self._process is not None:
            _end(self._process)
        self._process = None


def _exchange(process: subprocess.Popen[bytes], job: Job) -> Answer:
    """Send a job and wait for its end; a child that neither answers nor ends in time is killed."""
    start = time.monotonic()
    _send(process, job)
    answer = _read(process, job["limit_s"] + 4 * GRACE_S)
    if answer is not None:
        return answer
    status, seconds = process.poll(), time.monotonic() - start
    _end(process)
    if status is None or status == LIMIT_STATUS:
        return {"status": "limit", "detail": f"it still ran after {job['limit_s']:g} s", "seconds": seconds}
    if os.path.exists(job["result"]):
        return {"status": "done", "detail": "", "seconds": seconds}
    return {"status": "crashed", "detail": ending(status), "seconds": seconds}


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a child with all the processes of its group."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _start(kind: Kind, fork: bool) -> subprocess.Popen[bytes] | Answer:
    """A child that has imported TensorFlow, or why there is none."""
    home = Path(str(recorder.__file__)).parent
    boot = _BOOT.format(file=str(home / "__init__.py"), folder=str(home))
    orders: Orders = {"keras": kind.keras, "device": kind.device, "fork": fork}
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [kind.python, "-c", boot, json.dumps(orders)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0,
            env=environment(kind), cwd=HOME, start_new_session=True,
        )  # fmt: skip
        try:
            if _read(process, _START_S) is not None:
                return process
        except BaseException:  # nobody knows this process yet who could end it
            kill_group(process)
            raise
        kill_group(process)
        _end(process)
        return {"status": "crashed", "detail": _last_line(errors), "seconds": 0.0}


def environment(kind: Kind) -> dict[str, str]:
    """The environment of a child."""
    environment = {
        **os.environ, "PYTHONHASHSEED": str(kind.hashes), "TF_CPP_MIN_LOG_LEVEL": "3", "TF_FORCE_GPU_ALLOW_GROWTH": "true",
        **network.environment(), "KERAS_BACKEND": "tensorflow", "MPLBACKEND": "Agg", "TF_USE_LEGACY_KERAS": str(int(kind.keras == "legacy")),
        **python_path(),
    }  # fmt: skip
    if kind.device == "cpu":
        environment["CUDA_VISIBLE_DEVICES"] = "-1"
    return environment


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(2 * GRACE_S)
    except subprocess.TimeoutExpired:
        kill_group(process)
    with suppress(OSError):
        _stdout(process).close()


def _send(process: subprocess.Popen[bytes], job: Job) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(job).encode("utf-8") + b"\n")
        process.stdin.flush()


def _read(process: subprocess.Popen[bytes], limit_s: float) -> Answer | None:
    """The next answer; None when the child ended or the time is over."""
    box: Queue[bytes] = Queue()
    Thread(target=lambda: box.put(_stdout(process).readline()), daemon=True).start()
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        # Who ended without an answer may have left processes that keep the pipe open: don't wait for its end.
        ended = process.poll() is not None
        with suppress(Empty):
            return _parsed(process, box.get(timeout=_POLL_S))
        if ended:
            return None
    return None


def _parsed(process: subprocess.Popen[bytes], line: bytes) -> Answer | None:
    if not line.endswith(b"\n"):
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
        return None
    answer: Answer = json.loads(line)
    return answer


def _stdout(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdout is not None
    return process.stdout


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "the child process did not start"
