"""`seqlint verify`."""

from __future__ import annotations

import os
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import console, inputs, options
from seqlint.cli.report import BROKEN, CLEAN, FOUND

if TYPE_CHECKING:
    from seqlint.config import Config
    from seqlint.engine import Fixed
    from seqlint.facts.keras import KerasInUse
    from seqlint.proof import KerasChoice, Proof, Settings
    from seqlint.runner.plan import Job, Request
    from seqlint.sources import Source


class Form(str, Enum):
    """How the proof is written."""

    text = "text"
    json = "json"


class RunOn(str, Enum):
    """The Keras that the script runs on."""

    auto = "auto"
    keras3 = "keras3"
    tf_keras = "tf-keras"


class On(str, Enum):
    """The device that the script runs on."""

    auto = "auto"
    cpu = "cpu"
    gpu = "gpu"


def verify(
    path: Annotated[str, typer.Argument(metavar="SCRIPT", help="A Python script that runs by itself.")],
    run_on: Annotated[
        RunOn, typer.Option("--run-on", help="The Keras that `tf.keras` is; auto: what the project uses.")
    ] = RunOn.auto,
    device: Annotated[On, typer.Option("--device", help="Where to run; cpu hides the GPUs.")] = On.cpu,
    replicas: Annotated[
        int, typer.Option("--replicas", min=1, max=64, help="Logical CPU devices for MirroredStrategy.")
    ] = 1,
    limit: Annotated[float, typer.Option("--limit", min=1, metavar="SECONDS", help="The time for each run.")] = 120,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Cut each fit to this many epochs.")] = 3,
    steps: Annotated[int, typer.Option("--steps", min=1, help="End each fit after this many train steps.")] = 500,
    output_format: Annotated[Form, typer.Option("--output-format", help="How the proof is written.")] = Form.text,
    select: options.Select = None,
    ignore: options.Ignore = None,
    extend_select: options.ExtendSelect = None,
    config: options.ConfigFile = None,
    keras: options.Keras = "",
    color: options.Color = options.Colour.auto,
) -> int:
    """Run a script before and after its fixes on TensorFlow, and compare what it does.

    The script is run, with all that it does, in child processes and in a copy of its folder's small files.

    Exit code: 0 nothing has changed but what the fixes declare, 1 something else has, 2 the script can't be run or
    something is broken.
    """
    asked = options.request(
        select=select, ignore=ignore, extend_select=extend_select, exclude=None, force_exclude=False, config=config,
        keras=keras, unsafe=True,
    )  # fmt: skip
    job = _job(path, asked)
    fixed = _fixed(job) if job is not None else None
    proof = None
    if job is not None and fixed is not None and fixed.applied and not fixed.checked.broken:
        from seqlint.proof import Settings

        in_use = _in_use(fixed.before, job.config)
        line: KerasChoice = "legacy" if _is_legacy(run_on, in_use) else "3"
        settings = Settings(line, device.value, replicas, float(limit), epochs, steps)
        proof = _with_notes(_proof(path, fixed, settings), in_use, run_on)
    _say(path, fixed, proof, output_format, console.paint(color).on)
    return _exit_code(fixed, proof)


def _job(path: str, asked: Request) -> Job | None:
    """The script and its configuration; None where it does not mention Keras.

    Raises:
        ConfigError: the path is no file, or the configuration is wrong.
        UnreadableSource: the file can't be read.
    """
    from seqlint.model import ConfigError, UnreadableSource

    if not os.path.isfile(path):
        raise ConfigError(f"verify takes one script, and {path} is {'a folder' if os.path.isdir(path) else 'no file'}")
    planned = inputs.planned([path], None, "", asked)
    for problem in planned.problems:
        raise UnreadableSource(f"{problem.path}: {problem.message}")
    return planned.jobs[0] if planned.jobs else None


def _fixed(job: Job) -> Fixed:
    """The script with all its fixes, not written.

    Raises:
        UnreadableSource: the encoding of the file lacks a character of the fixed text.
    """
    from seqlint.model import UnreadableSource
    from seqlint.runner import work

    result = work.fix(job)
    if result.problem is not None:
        raise UnreadableSource(f"{result.problem.path}: {result.problem.message}")
    return result.fixed


def _in_use(source: Source, config: Config) -> KerasInUse:
    from seqlint.facts.keras import keras_in_use

    return keras_in_use(Path(os.path.abspath(source.path)), config.root, config.keras, source.text)


def _is_legacy(run_on: RunOn, in_use: KerasInUse) -> bool:
    """Whether the script runs with tf-keras as `tf.keras`: as asked for, or because its project leaves no other."""
    return in_use.lines == frozenset({"2"}) if run_on is RunOn.auto else run_on is RunOn.tf_keras


def _with_notes(proof: Proof, in_use: KerasInUse, run_on: RunOn) -> Proof:
    """The proof, which says so where it ran on another Keras than was asked for, or than the project uses."""
    from seqlint.facts.keras import parse_range

    if proof.before.recording is None:
        return proof
    ran_on = proof.before.recording["versions"].partition(",")[0]
    name, _, version = ran_on.partition(" ")
    lines = parse_range(version if name == "keras" else name).lines
    notes = []
    if run_on is not RunOn.auto and ("2" in lines) is not (run_on is RunOn.tf_keras):
        notes.append(
            f"--run-on {run_on.value} says what `tf.keras` is, and the script imports {ran_on} by its own name"
        )
    elif not lines & in_use.lines:
        notes.append(f"the project uses Keras {in_use.range} ({in_use.source}), and this proof ran on {ran_on}")
    return replace(proof, notes=(*proof.notes, *notes))


def _proof(path: str, fixed: Fixed, settings: Settings) -> Proof:
    from seqlint.model import ConfigError
    from seqlint.proof import INSTALL, Pair, missing, prove_pair, union, worker

    lacking = missing(settings)
    if lacking:
        raise ConfigError(f"verify runs the script, and {' and '.join(lacking)} can't be imported: {INSTALL}")
    console.remark(f"running {path} before and after its fixes, in a temporary folder\n")
    script = Path(os.path.abspath(path))
    contract = union(fix.contract for fix in fixed.applied)
    texts = (fixed.before.to_bytes(), fixed.source.to_bytes())
    with worker(settings) as child:
        return prove_pair(Pair(path, *texts, contract, script.parent, script.name), child)


def _say(path: str, fixed: Fixed | None, proof: Proof | None, form: Form, colour: bool) -> None:
    from seqlint.cli import verified

    write = verified.as_json if form is Form.json else verified.as_text
    console.say(write(path, fixed, proof, colour))


def _exit_code(fixed: Fixed | None, proof: Proof | None) -> int:
    if fixed is not None and fixed.checked.broken:
        return BROKEN
    if proof is None or proof.held:
        return CLEAN
    return FOUND if proof.outcome == "DIFFERENT" else BROKEN
