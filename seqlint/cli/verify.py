"""`seqlint verify`."""

from __future__ import annotations

import os
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from seqlint.cli import choices, console, inputs, options, progress, proving
from seqlint.cli.report import BROKEN, CLEAN, FOUND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.engine import Fixed
    from seqlint.facts.keras import KerasInUse
    from seqlint.proof import FileProof, KerasChoice, Proof
    from seqlint.runner.plan import Job, Plan, Request


class Form(str, Enum):
    """How the proof is written."""

    text = "text"
    json = "json"


class RunOn(str, Enum):
    """The Keras that the program runs on."""

    auto = "auto"
    three = "3"
    two = "2"
    both = "both"


def verify(
    context: typer.Context,
    path: Annotated[
        str,
        typer.Argument(
            metavar="FILE [-- ARGUMENTS]",
            help="A Python file or a notebook; arguments after '--' go to the script.",
        ),
    ],
    keras: Annotated[
        RunOn,
        typer.Option(
            "--keras", help="The Keras to run on: 2 is tf-keras as `tf.keras`, auto is what the project uses."
        ),
    ] = RunOn.auto,
    factory: Annotated[
        str,
        typer.Option(
            "--factory", metavar="MODULE:FUNCTION", help="A function that makes the data for the fit of a module."
        ),
    ] = "",
    device: options.Device = choices.On.cpu,
    replicas: options.Replicas = 0,
    time_limit: options.TimeLimit = 120,
    epochs: options.Epochs = 3,
    steps: options.Steps = 500,
    python: options.Python = "",
    report: options.Report = "",
    output_format: Annotated[Form, typer.Option("--output-format", help="How the proof is written.")] = Form.text,
    select: options.Select = None,
    ignore: options.Ignore = None,
    extend_select: options.ExtendSelect = None,
    config: options.ConfigFile = None,
    trust_rules: options.TrustRules = False,
    color: options.Color = choices.Colour.auto,
) -> int:
    """Run a file before and after its fixes on TensorFlow, and compare what it does.

    A script is run with all that it does, in child processes, in a copy of its folder's small files and without a
    network. A module of classes is driven by --factory, by the functions of a seqlint_smoke.py next to it, or on inputs
    that seqlint makes.

    Exit code: 0 nothing has changed but what the fixes declare, 1 something else has, 2 a fix could not be proved or
    something is broken.
    """
    asked = inputs.request(
        select=select, ignore=ignore, extend_select=extend_select, exclude=None, force_exclude=False, config=config,
        keras="", unsafe=True, trust_rules=trust_rules,
    )  # fmt: skip
    trial = proving.Trial(device, replicas, time_limit, epochs, steps, python)
    proving.check_report(report)
    planned = _planned(path, asked)
    console.complain_of(planned.untrusted)
    job = planned.jobs[0] if planned.jobs else None
    fixed = _fixed(job) if job is not None else None
    proof = None
    if job is not None and fixed is not None and fixed.applied and not fixed.checked.broken:
        proof = _proof(path, fixed, job, keras, trial, tuple(context.obj or ()), factory)
        proving.write_report(report, [proof])
    _say(path, fixed, proof, output_format, console.paint(color).on)
    return BROKEN if planned.untrusted else _exit_code(fixed, proof)


def _planned(path: str, asked: Request) -> Plan:
    """The file and its configuration as the one job; none where it does not mention Keras.

    Raises:
        ConfigError: the path is no file, or the configuration is wrong.
        UnreadableSource: the file can't be read.
    """
    from seqlint.model import ConfigError, UnreadableSource
    from seqlint.sources import is_page

    if not os.path.isfile(path):
        raise ConfigError(f"verify takes one file, and {path} is {'a folder' if os.path.isdir(path) else 'no file'}")
    if is_page(path):
        raise ConfigError(
            f"verify runs a Python file or a notebook, and {path} is a page of text: save its program as a file"
        )
    planned = inputs.planned([path], None, "", asked)
    for problem in planned.problems[len(planned.untrusted) :]:
        raise UnreadableSource(f"{problem.path}: {problem.message}")
    return planned


def _fixed(job: Job) -> Fixed:
    """The file with all its fixes, not written.

    Raises:
        UnreadableSource: the encoding of the file lacks a character of the fixed text.
    """
    from seqlint.model import UnreadableSource
    from seqlint.runner import work

    result = work.fix(job)
    if result.problem is not None:
        raise UnreadableSource(f"{result.problem.path}: {result.problem.message}")
    return result.fixed


def _proof(
    path: str, fixed: Fixed, job: Job, keras: RunOn, trial: proving.Trial, argv: tuple[str, ...], factory: str
) -> FileProof:
    from seqlint.proof import prove_file, with_notes, workers

    found = proving.in_use(fixed.before, job.config)
    with workers() as lent:
        asked_for = [lent.under(trial.settings(line)) for line in _lines(keras, found)]
        prepared = proving.prepare(path, fixed, job.config, argv, factory)
        console.remark(f"running {path} before and after its fixes, in a temporary folder\n")
        with progress.shown("running"):
            proved = prove_file(prepared.asked, asked_for)
    return with_notes(proved, partial(_notes, found=found, keras=keras))


def _lines(keras: RunOn, found: KerasInUse) -> Iterator[KerasChoice]:
    if keras in (RunOn.three, RunOn.both):
        yield "3"
    if keras in (RunOn.two, RunOn.both):
        yield "legacy"
    if keras is RunOn.auto:
        yield proving.line_of(found)


def _notes(proof: Proof, found: KerasInUse, keras: RunOn) -> Iterator[str]:
    """What to say of a proof that ran on another Keras than was asked for, or than the project uses."""
    from seqlint.facts.keras import parse_range

    if proof.before.recording is None:
        return
    ran_on = proof.before.recording["versions"].partition(",")[0]
    name, _, version = ran_on.partition(" ")
    lines = parse_range(version if name == "keras" else name).lines
    asked = "2" if proof.settings.keras == "legacy" else "3"
    if keras is not RunOn.auto and ("2" in lines) is not (asked == "2"):
        yield f"--keras {asked} sets what `tf.keras` is, but the script imports {ran_on} by its own name"
    elif not lines & found.lines:
        yield f"the project uses Keras {found.range} ({found.source}), and this proof ran on {ran_on}"


def _say(path: str, fixed: Fixed | None, proof: FileProof | None, form: Form, colour: bool) -> None:
    from seqlint.cli import verified

    write = verified.as_json if form is Form.json else verified.as_text
    console.say(write(path, fixed, proof, colour))


def _exit_code(fixed: Fixed | None, proof: FileProof | None) -> int:
    if fixed is not None and fixed.checked.broken:
        return BROKEN
    if proof is None or proof.held:
        return CLEAN
    return FOUND if proof.outcome == "DIFFERENT" else BROKEN
