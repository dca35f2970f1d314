"""Runs programs under settings, in child processes that runs of one kind share."""

from __future__ import annotations

import json
import os
import re
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from seqlint.proof import folder
from seqlint.proof.child import Child
from seqlint.proof.programs import SCRIPT, Corrupt, Program
from seqlint.proof.recorder.clock import untimed
from seqlint.proof.recorder.recording import FORMAT
from seqlint.proof.recorder.texts import comparable, printed
from seqlint.proof.roots import paths
from seqlint.proof.run import Run
from seqlint.proof.texts import files_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof.recorder.clock import Span
    from seqlint.proof.recorder.recording import Answer, FileRecord, Job, Recording
    from seqlint.proof.run import Kind, Settings

_MOST_OUTPUT = 1_000_000
_STRATEGY = re.compile(r"\bMirroredStrategy\b")
_LOG = re.compile(r"(events\.out\.tfevents\.).*")
"""The name of a log for TensorBoard: time, machine and process come after."""


@contextmanager
def worker(settings: Settings) -> Iterator[Worker]:
    """A worker whose child ends with the block."""
    with workers() as found:
        yield found.under(settings)


@contextmanager
def workers() -> Iterator[Workers]:
    """Workers for any settings; their children end with the block."""
    found = Workers()
    try:
        yield found
    finally:
        found.close()


class Workers:
    """Gives workers for settings; made by `workers`.

    Settings of one kind, which differ in replicas, limits, epochs, steps or seed, share one import of TensorFlow. It starts with the first
    script of its kind, and has one run at a time: threads need `workers` of their own.
    """

    def __init__(self) -> None:
        self._children: dict[Kind, Child] = {}

    def under(self, settings: Settings) -> Worker:
        """A worker with these settings."""
        return Worker(settings, self._children.setdefault(settings.kind, Child(settings.kind)))

    def close(self) -> None:
        """End the children; they end what they still run."""
        for child in self._children.values():
            child.close()


class Worker:
    """Runs scripts one after the other; made by `worker`, or by `workers` to share a child with others."""

    def __init__(self, settings: Settings, child: Child) -> None:
        self.settings = settings
        self.child = child

    def run(
        self,
        text: str | bytes,
        script: str,
        companions: Path | None,
        program: Program = SCRIPT,
        *,
        corrupt: Corrupt | None = None,
    ) -> Run:
        """Run a program in a temporary folder of its own.

        Args:
            text: the script, the notebook or the module.
            script: the name of its file.
            companions: a folder whose small files it needs.
            program: how the file is run.
            corrupt: one data file of the run that is spoiled before the program first runs a model.
        """
        asked = partial(self._run, text, script, companions, program, corrupt)
        found = asked(alone=not self.settings.fork)
        # What does not survive a fork gets a process of its own, and a folder that no run has touched. A program that waits for ever may
        # wait for a lock that another thread held at the fork: that it hangs is only said where it does so by itself.
        dead = (found.status == "crashed" or bool(found.hung)) and self.settings.fork
        return asked(alone=True) if dead else found

    def _run(
        self,
        text: str | bytes,
        script: str,
        companions: Path | None,
        program: Program,
        corrupt: Corrupt | None,
        *,
        alone: bool,
    ) -> Run:
        with tempfile.TemporaryDirectory(prefix="seqlint-", ignore_cleanup_errors=True) as place:
            near = [*([] if companions is None else [str(companions)]), *map(os.path.dirname, program.data)]
            job = _job(Path(place), self.settings, script, near, program, corrupt)
            job["replicas"] = self.settings.replicas or _replicas(text)
            home = companions or Path(job["folder"])
            found = (
                folder.fill(companions, Path(job["folder"]), script) if companions is not None else folder.Contents()
            )
            if companions is not None or program.data:
                made = folder.links(home, found, program.data, program.start, paths(text) if program.data else ())
                folder.write_links(Path(place), made)
            Path(job["script"]).parent.mkdir(parents=True, exist_ok=True)
            Path(job["start"]).mkdir(parents=True, exist_ok=True)
            for name, data in program.others:
                (Path(job["folder"]) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(job["folder"]) / name).write_bytes(data)
            if program.initial:
                Path(job["initial"]).write_bytes(program.initial)
            Path(job["script"]).write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
            for path, data in files_of(text).items():
                place_of_other = Path(job["folder"], path)
                place_of_other.parent.mkdir(parents=True, exist_ok=True)
                place_of_other.write_bytes(data)
            start = time.time()
            answer = self.child.ask_alone(job) if alone else self.child.ask(job)
            return _run(job, answer, (start, time.time()))


def _replicas(text: str | bytes) -> int:
    """How many replicas show what a program does: with one, a strategy does nothing that could go wrong between two."""
    named = _STRATEGY.search(text if isinstance(text, str) else text.decode("utf-8", "replace"))
    return 2 if named else 1


def _job(
    place: Path, settings: Settings, script: str, near: list[str], program: Program, corrupt: Corrupt | None
) -> Job:
    inside = place / "program"
    inside.mkdir()
    return {
        "kind": program.kind, "argv": list(program.argv), "factory": program.factory, "plan": program.plan,
        "corrupt": corrupt.path if corrupt else "", "missing": corrupt is not None and corrupt.how == "missing",
        "changed": list(program.changed), "defaults": list(program.defaults), "calm": program.calm, "carry": program.carry, "initial": str(place / "initial.npz"), "stir": program.stir, "older": program.older, "validated": program.validated,
        "script": str(inside / script), "folder": str(inside), "start": str(inside / program.start), "near": near, "guard": settings.guard, "result": str(place / "result.json"),
        "stdout": str(place / "stdout.txt"), "stderr": str(place / "stderr.txt"),
        "said": str(place / "said.txt"), "limit_s": settings.limit_s,
        "replicas": settings.replicas or 1, "deterministic": program.deterministic, "epochs": settings.epochs, "steps": settings.steps, "seed": settings.seed + program.seed,
    }  # fmt: skip


def _run(job: Job, answer: Answer, span: Span) -> Run:
    recording = _recording(job)
    if recording is not None:
        recording["written"] = [_untimed(file, span) for file in recording["written"]]
    status = _status(answer, recording)
    stdout, stderr = _text(job["stdout"]), _text(job["stderr"])
    return Run(
        recording, status, answer["detail"], printed(stdout, job["folder"], span), comparable(stderr[-4000:], job["folder"]),
        answer["seconds"], recording["hung"] if recording else "",
        printed(_text(job["said"]), job["folder"], span), _initial(job),
    )  # fmt: skip


def _untimed(file: FileRecord, span: Span) -> FileRecord:
    return {**file, "name": untimed(_LOG.sub(r"\1…", file["name"]), span), "content": untimed(file["content"], span)}


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


def _initial(job: Job) -> bytes:
    try:
        return Path(job["initial"]).read_bytes() if job["carry"] == "keep" else b""
    except OSError:
        return b""


def _text(path: str) -> str:
    try:
        data = Path(path).read_bytes()
    except OSError:
        return ""
    text, rest = data[:_MOST_OUTPUT].decode("utf-8", "replace"), data[_MOST_OUTPUT:]
    return f"{text}\n… and {len(rest)} bytes more, {blake2b(rest, digest_size=8).hexdigest()}" if rest else text
