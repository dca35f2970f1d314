"""Runs one script as `__main__` under the recorder, and writes the recording as JSON."""

from __future__ import annotations

import builtins
import importlib
import json
import logging
import os
import sys
import threading
import traceback
import types
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import (
    aliases,
    alike,
    batches,
    beyond,
    calm,
    carry,
    chance,
    ends,
    entering,
    fits,
    handles,
    hangs,
    hooks,
    lacking,
    leaving,
    loops,
    names,
    notebooks,
    older,
    outside,
    places,
    setup,
    streams,
    written,
)
from .drive import player
from .guard import guard
from .recording import FORMAT, LIMIT_STATUS
from .tape import Tape
from .texts import comparable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .recording import ErrorRecord, Job, Orders, Recording


_LIBRARIES = ("keras", "tf_keras", "tensorflow")
_CHOSEN_BEFORE = ("KERAS_BACKEND", "TF_USE_LEGACY_KERAS")
"""Variables of the environment that Keras reads when it is imported."""


def play(job: Job, orders: Orders) -> None:
    """Run the script of a job in this process, write the result, and end the process."""
    tape = Tape(job)
    _redirect(job)
    tape.guard = guard.enter(job)
    kerases = _lines(job, orders)  # before the program's own modules may hide one
    tape.libraries = {name: sys.modules[name] for name in _LIBRARIES if name in sys.modules}
    tape.left = entering.enter(job, tape.guard)
    setup.place(orders, job["replicas"])
    setup.seed(job["seed"], job["deterministic"])
    if job["carry"]:
        alike.prepare(tape)
    if job["calm"]:
        calm.hold_still()
    batches.prepare(tape)
    loops.instrument(tape)
    chance.instrument(tape)
    streams.instrument(job["said"])
    tape.places = places.Places(watched=orders["device"] != "cpu")
    for keras in kerases:
        fits.instrument(tape, keras)
        hooks.instrument(tape, keras)
        outside.instrument(tape, keras)
        if job["carry"]:
            carry.instrument(tape, keras)
        if job["older"] and keras.__name__ == "tf_keras":
            older.instrument(tape, keras)
    outside.watch(tape)
    _listen(tape)
    _limit(tape, orders)
    environment = dict(os.environ)
    tape.folder = written.files(job["folder"])
    tape.imported = dict(sys.modules)
    main = _main(job)

    def end(error: ErrorRecord | None = None) -> None:
        if job["carry"] == "keep":
            tape.carry.write()
        recording = _recording(tape, orders, error, main, environment)
        _write(job, recording)
        tape.over = True
        try:
            recording["settings"].update(beyond.look(tape))
            _write(job, recording)
        finally:
            _leave(0)

    tape.end = end
    end(_run(tape, main))


def _redirect(job: Job) -> None:
    for name, number in (("stdout", 1), ("stderr", 2)):
        file = os.open(job[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)  # type: ignore[literal-required]
        os.dup2(file, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = streams.Said(job["said"])
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115


def _lines(job: Job, orders: Orders) -> list[types.ModuleType]:
    """The Keras modules that the program may use.

    With the switch on, `tf.keras` is tf-keras. So is `keras`, unless the program imports `tf_keras` next to it: then it means both.
    """
    nearby = {path for place in (Path(job["folder"]), Path(job["script"]).parent) for path in place.glob("*.py")}
    texts = [path.read_text("utf-8", "replace") for path in {*nearby, Path(job["script"])}]
    named = any("tf_keras" in text for text in texts)
    if orders["keras"] == "legacy" and not named:
        aliases.install()
        return [importlib.import_module("tf_keras")]
    legacy = orders["keras"] == "legacy" or named
    return [importlib.import_module(name) for name in (("tf_keras", "keras") if legacy else ("keras",))]


def _listen(tape: Tape) -> None:
    def show(message: Any, category: type[Warning], *args: Any, **kwargs: Any) -> None:
        tape.warnings[(category.__name__, comparable(str(message), tape.job["folder"]))] = None

    class Logged(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            tape.warnings[("log", comparable(record.getMessage(), tape.job["folder"]))] = None
            streams.note(record.getMessage())

    warnings.showwarning = show
    for name in ("tensorflow", "absl", "keras"):
        logging.getLogger(name).addHandler(Logged(logging.WARNING))


def _limit(tape: Tape, orders: Orders) -> None:
    """At the time limit, write what was seen so far. The parent kills the process group a little later anyway."""

    def stop() -> None:
        tape.hung = hangs.Watch(tape).until_the_limit()
        if tape.over:
            _leave(0)
        _write(tape.job, _recording(tape, orders, None, None, {}))
        _leave(LIMIT_STATUS)

    threading.Thread(target=stop, name=handles.WATCH, daemon=True).start()


def _script(tape: Tape, main: types.ModuleType) -> None:
    entering.join_package(tape.job, main)
    exec(tape.marks.compiled(Path(tape.job["script"]).read_bytes()), main.__dict__)


_PLAYERS: dict[str, Callable[[Tape, types.ModuleType], None]] = {
    "script": _script, "notebook": notebooks.play, "classes": player.play, "plan": player.plan,
}  # fmt: skip


def _main(job: Job) -> types.ModuleType:
    main = types.ModuleType("__main__")
    main.__file__ = job["script"]
    main.__dict__["__builtins__"] = builtins
    sys.modules["__main__"] = main
    return main


def _run(tape: Tape, main: types.ModuleType) -> ErrorRecord | None:
    """Run the program to its end, as Python would, and say what ended it."""
    here, end = os.getpid(), leaving.Leaving(tape)
    raised: BaseException | None = None
    try:
        _PLAYERS[tape.job["kind"]](tape, main)
    except SystemExit as stop:
        raised = stop
    except BaseException as error:
        streams.show(error)
        raised = error
        tape.raised = _way_to(tape, error)
        tape.lacking = lacking.package(error), _is_own(tape, error)
    end.leave()
    if os.getpid() != here:
        leaving.leave_fork(raised)
    return _error(tape, raised)


def _way_to(tape: Tape, error: BaseException) -> list[int]:
    """The lines of the script on the way to an error: the first and the last."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_code.co_filename == tape.job["script"]]
    return [lines[0], lines[-1]] if lines else [0, 0]


def _is_own(tape: Tape, error: BaseException) -> bool:
    """Whether a line of the script raised an error, rather than one of a library; the import system counts as neither."""
    files = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    return (
        next((file for file in reversed(files) if not file.startswith("<frozen importlib")), "") == tape.job["script"]
    )


def _error(tape: Tape, raised: BaseException | None) -> ErrorRecord | None:
    if raised is None or (isinstance(raised, SystemExit) and raised.code in (None, 0)):
        return None
    if isinstance(raised, SystemExit):
        return {"type": "SystemExit", "text": str(raised.code)}
    text = f"{tape.place}: {raised}" if tape.place else str(raised)
    return {"type": type(raised).__name__, "text": comparable(text, tape.job["folder"])}


def _recording(
    tape: Tape,
    orders: Orders,
    error: ErrorRecord | None,
    main: types.ModuleType | None,
    environment: dict[str, str],
) -> Recording:
    """All that is known; `main` None stands for a run that the time limit ended."""
    if main:
        tape.notes.update(dict.fromkeys(_without_effect(environment)))
    files = written.changed(tape.job["folder"], tape.folder, tape.guard) if main else []
    if tape.guard is not None:
        made = [file["name"] for file in files if not os.path.isdir(file["name"])]
        tape.notes.update(dict.fromkeys(tape.guard.notes(made, error["type"] if error else "")))
    return {
        "format": FORMAT, "versions": _versions(tape, orders), "error": error, "partial": main is None,
        "fits": list(tape.fits), "steps": list(tape.steps), "calls": list(tape.calls),
        "previews": dict(tape.previews),
        "weights": ends.all_weights(tape) if main else [],
        "hooks": list(tape.hooks), "state": ends.state(tape, main, environment) if main else {},
        "bound": ends.bound(tape, main) if main else [], "reads": names.of_script(tape) if main else [],
        "warnings": list(tape.warnings), "devices": ends.devices(tape),
        "initial": tape.carry.initial, "saves": tape.carry.saves, "cards": places.cards() if orders["device"] != "cpu" else [], "memory": ends.memory(), "open": handles.files(tape.job), "threads": handles.threads(), "ran": tape.marks.ran,
        "results": outside.results(tape),
        "written": files, "left": tape.left, "raised": tape.raised, "lacking": tape.lacking[0], "imports": tape.lacking[1],
        "start": _start(tape.job),
        "read": tape.files.read(), "corrupted": tape.files.corrupted, "parts": dict(tape.parts),
        "sketches": dict(tape.sketches), "validated": list(tape.validated), "tables": tape.tables,
        "settings": {entity: dict(values) for entity, values in tape.settings.items()},
        "notes": list(tape.notes), "hung": tape.hung, "driven": list(tape.driven), "chances": list(tape.chances), "replicas": tape.job["replicas"], "plan": tape.plan,
    }  # fmt: skip


def _without_effect(environment: dict[str, str]) -> Iterator[str]:
    for name in _CHOSEN_BEFORE:
        value = os.environ.get(name)
        if value != environment.get(name):
            yield f"the program sets {name} to {value!r}, which has no effect here: Keras is imported before it starts"


def _versions(tape: Tape, orders: Orders) -> str:
    """The Keras that ran: `import keras` is Keras 3 also where `tf.keras` is tf-keras."""
    expected = "tf_keras" if orders["keras"] == "legacy" else "keras"
    names = {"tf_keras": "tf-keras", "keras": "keras", "tensorflow": "TensorFlow"}
    return ", ".join(
        f"{names[name]} {tape.libraries[name].__version__}" for name in (*(tape.kerases or (expected,)), "tensorflow")
    )


def _start(job: Job) -> str:
    """The folder in which the program started, in words."""
    found = os.path.relpath(job["start"], job["folder"])
    return "the folder of the project" if found == os.curdir else found


def _write(job: Job, recording: Recording) -> None:
    part = f"{job['result']}.part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(recording, file)
    os.replace(part, job["result"])


def _leave(status: int) -> None:
    """End without waiting for the threads and exit hooks of TensorFlow, which may hang."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(status)
