"""Starts the child processes, gives them scripts to run, and ends them with their whole process group."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, TYPE_CHECKING, Literal

from seqlint.proof import folder, recorder
from seqlint.proof.programs import SCRIPT, Corrupt, Program
from seqlint.proof.recorder import network
from seqlint.proof.recorder.recording import FORMAT, Answer, Job, Orders
from seqlint.proof.recorder.texts import comparable, printed
from seqlint.proof.recorder.worker import GRACE_S, LIMIT_STATUS, ending
from seqlint.proof.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof.recorder.recording import Recording
    from seqlint.proof.run import Settings

_START_S = 300.0
"""Seconds for the import of TensorFlow; a cold disk is slow."""
_POLL_S = 0.1
_MOST_OUTPUT = 1_000_000

# The recorder is loaded from its folder under a private name: the script that runs must not see our modules.
_BOOT = """
import importlib, importlib.util, sys
sys.path[:] = [entry for entry in sys.path if entry]
spec = importlib.util.spec_from_file_location("_seqlint_recorder", {file!r}, submodule_search_locations=[{folder!r}])
sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
importlib.import_module("_seqlint_recorder.worker").main()
"""


@contextmanager
def worker(settings: Settings) -> Iterator[Worker]:
    """A child that has imported TensorFlow, and ends with the block. It starts with its first script."""
    found = Worker(settings)
    try:
        yield found
    finally:
        found.close()


class Worker:
    """Runs scripts one after the other; made by `worker`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._process: subprocess.Popen[bytes] | None = None

    def run(
        self,
        text: str | bytes,
        script: str,
        beside: Path | None,
        program: Program = SCRIPT,
        *,
        corrupt: Corrupt | None = None,
    ) -> Run:
        """Run a program in a temporary folder of its own.

        Args:
            text: the script, the notebook or the module.
            script: the name of its file.
            beside: a folder whose small files it needs.
            program: how the file is run.
            corrupt: one data file of the run that is spoiled before the program first runs a model.
        """
        asked = partial(self._run, text, script, beside, program, corrupt)
        found = asked(alone=not self.settings.fork)
        # What does not survive a fork gets a process of its own, and a folder that no run has touched.
        dead = found.status == "crashed" and self.settings.fork
        return asked(alone=True) if dead else found

    def _run(
        self,
        text: str | bytes,
        script: str,
        beside: Path | None,
        program: Program,
        corrupt: Corrupt | None,
        *,
        alone: bool,
    ) -> Run:
        with tempfile.TemporaryDirectory(prefix="seqlint-", ignore_cleanup_errors=True) as place:
            job = _job(Path(place), self.settings, script, program, corrupt)
            if beside is not None:
                folder.copy(beside, Path(job["folder"]))
            Path(job["script"]).write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
            return _run(job, _ask_alone(job, self.settings) if alone else self._ask(job))

    def close(self) -> None:
        """End the child; it ends what it still runs."""
        if self._process is not None:
            _end(self._process)
        self._process = None

    def _ask(self, job: Job) -> Answer:
        if self._process is None or self._process.poll() is not None:
            self.close()
            started = _start(self.settings, fork=True)
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


def _ask_alone(job: Job, settings: Settings) -> Answer:
    """Run one script in a new process."""
    started = _start(settings, fork=False)
    if not isinstance(started, subprocess.Popen):
        return started
    try:
        return _exchange(started, job)
    finally:
        _end(started)


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


def _job(place: Path, settings: Settings, script: str, program: Program, corrupt: Corrupt | None) -> Job:
    inside = place / "program"
    inside.mkdir()
    return {
        "kind": program.kind, "argv": list(program.argv), "factory": program.factory, "plan": program.plan,
        "corrupt": corrupt.path if corrupt else "", "missing": corrupt is not None and corrupt.how == "missing",
        "changed": list(program.changed),
        "script": str(inside / script), "folder": str(inside), "result": str(place / "result.json"),
        "stdout": str(place / "stdout.txt"), "stderr": str(place / "stderr.txt"), "limit_s": settings.limit_s,
        "epochs": settings.epochs, "steps": settings.steps, "seed": settings.seed,
    }  # fmt: skip


def _start(settings: Settings, fork: bool) -> subprocess.Popen[bytes] | Answer:
    """A child that has imported TensorFlow, or why there is none."""
    home = Path(str(recorder.__file__)).parent
    boot = _BOOT.format(file=str(home / "__init__.py"), folder=str(home))
    orders: Orders = {
        "keras": settings.keras, "device": settings.device, "replicas": settings.replicas, "fork": fork,
    }  # fmt: skip
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [settings.python, "-c", boot, json.dumps(orders)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0,
            env=environment(settings), cwd=tempfile.gettempdir(), start_new_session=True,
        )  # fmt: skip
        if _read(process, _START_S) is not None:
            return process
        kill_group(process)
        _end(process)
        return {"status": "crashed", "detail": _last_line(errors), "seconds": 0.0}


def environment(settings: Settings) -> dict[str, str]:
    """The environment of a child."""
    environment = {
        **os.environ, "PYTHONHASHSEED": "0", "TF_CPP_MIN_LOG_LEVEL": "3", "TF_FORCE_GPU_ALLOW_GROWTH": "true",
        **network.environment(), "KERAS_BACKEND": "tensorflow", "MPLBACKEND": "Agg", "TF_USE_LEGACY_KERAS": str(int(settings.keras == "legacy")),
    }  # fmt: skip
    if paths := [os.path.abspath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]:
        environment["PYTHONPATH"] = os.pathsep.join(paths)  # the child has another working directory
    if settings.device == "cpu":
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


def _run(job: Job, answer: Answer) -> Run:
    recording = _recording(job)
    status = _status(answer, recording)
    stdout, stderr = _text(job["stdout"]), _text(job["stderr"])
    return Run(
        recording, status, answer["detail"], printed(stdout, job["folder"]), comparable(stderr[-4000:], job["folder"]),
        answer["seconds"], recording["hung"] if recording else "",
    )  # fmt: skip


def _status(answer: Answer, recording: Recording | None) -> Literal["done", "limit", "crashed"]:
    if answer["status"] == "limit":
        return "limit"
    return "done" if answer["status"] == "done" and recording is not None else "crashed"


def _recording(job: Job) -> Recording | None:
    try:
        recording: Recording = json.loads(Path(job["result"]).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return recording if recording.get("format") == FORMAT else None


def _text(path: str) -> str:
    try:
        return Path(path).read_bytes()[:_MOST_OUTPUT].decode("utf-8", "replace")
    except OSError:
        return ""
