"""The values of the proof: how a program is run, and what came of it."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from seqlint.model import Contract, Observable
from seqlint.proof.programs import SCRIPT, Program

NOTHING_CHANGES = Contract()

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.proof.recorder.recording import Recording

KerasChoice = Literal["3", "legacy"]
"""Keras 3, or tf-keras as `tf.keras` (the environment variable TF_USE_LEGACY_KERAS)."""

Device = Literal["auto", "cpu", "gpu"]

Outcome = Literal["SAME", "CHANGED AS DECLARED", "NEW", "DIFFERENT", "NOT RUN"]
"""The answer for one observable. NEW: the program failed before it got there, and now goes on."""

KERAS_CHOICES: tuple[KerasChoice, ...] = get_args(KerasChoice)
DEVICES: tuple[Device, ...] = get_args(Device)


@dataclass(frozen=True, slots=True)
class Kind:
    """What an import of TensorFlow is made for: runs of one kind can share it."""

    python: str
    keras: KerasChoice
    device: Device
    hashes: int = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """How programs are run.

    Attributes:
        keras: the Keras that `tf.keras` is.
        device: "cpu" hides the GPUs; "gpu" proves nothing unless the variables lay on one.
        replicas: how many `MirroredStrategy()` has: logical CPU devices, or GPUs and parts of them. 0: two where the program names it, else one.
        limit_s: seconds for one run; then its process group is killed.
        epochs: epochs of each `fit` in the smoke run.
        steps: train steps after which a `fit` is ended.
        hashes: the seed of the hashes of texts, which is that of a process.
        python: the interpreter, which must have TensorFlow.
        guard: what keeps the runs from the user's files: "overlay", "kernel" or "calls"; empty for the strongest that the system has.
        fork: whether one import of TensorFlow serves many runs; else each run is a new process.
    """

    keras: KerasChoice = "3"
    device: Device = "cpu"
    replicas: int = 0
    limit_s: float = 120.0
    epochs: int = 3
    steps: int = 500
    seed: int = 7
    hashes: int = 0
    python: str = sys.executable
    guard: str = ""
    fork: bool = sys.platform == "linux"

    @property
    def kind(self) -> Kind:
        """What must be equal for two runs to share an import of TensorFlow."""
        return Kind(self.python, self.keras, self.device, self.hashes)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two programs that a contract compares.

    Attributes:
        name: what the report calls them.
        before, after: the texts; bytes are written as they are.
        folder: where the script lies; the small files next to it are copied for each run. None: it needs none.
        script: the name that the file has while it runs.
        program: how the file is run.
    """

    name: str
    before: str | bytes
    after: str | bytes
    contract: Contract = NOTHING_CHANGES
    folder: Path | None = None
    script: str = "program.py"
    program: Program = SCRIPT


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one program.

    Attributes:
        recording: what the child wrote; None when it wrote nothing.
        status: "done" also when the program raised; "limit" when the time limit ended it.
        detail: why there is no whole recording.
        output: what the program printed, in comparable form.
        initial: the weights of its models when they first computed, where they are kept for another run.
        said: what its own code wrote to the standard error stream, in the same form.
        errors: the end of all that was written there.
        seconds: wall time without the import of TensorFlow.
        hung: where the program waited when its time was over, with file, line and code; empty when it was at work.
    """

    recording: Recording | None
    status: Literal["done", "limit", "crashed"]
    detail: str = ""
    output: str = ""
    errors: str = ""
    seconds: float = 0.0
    hung: str = ""
    said: str = ""
    initial: bytes = b""

    @property
    def trained(self) -> bool:
        """Whether a train step of Keras ran."""
        return self.recording is not None and bool(self.recording["steps"])

    @property
    def failed(self) -> bool:
        """Whether the program did not come to a good end."""
        return self.recording is None or self.recording["partial"] or self.recording["error"] is not None


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two runs differ."""

    where: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer for one observable: its outcome, a detail in words, and the first difference."""

    observable: Observable
    outcome: Outcome
    detail: str = ""
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """What running a program before and after has shown.

    Attributes:
        again: more runs of the unchanged program, which give the noise; none where the first did not end.
        verdicts: one for each observable, in the order of `seqlint.model.OBSERVABLES`.
        obstacle: why nothing could be proved; empty when something was.
        notes: what the reader of the result should know.
        next_failure: what the program came to once the failure of a fix was gone; empty where nothing was raised after.
        factory: for the classes of a module that can't be driven, the smallest factory that would do, ready to paste.
    """

    name: str
    contract: Contract
    settings: Settings
    before: Run
    after: Run
    again: tuple[Run, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    obstacle: str = ""
    notes: tuple[str, ...] = field(default=())
    factory: str = ""
    next_failure: str = ""

    @property
    def outcome(self) -> Outcome:
        """The answer for the program: the worst of the observables, without those that were not run."""
        outcomes = {verdict.outcome for verdict in self.verdicts}
        if "DIFFERENT" in outcomes:
            return "DIFFERENT"
        if self.obstacle:
            return "NOT RUN"
        return "CHANGED AS DECLARED" if outcomes & {"CHANGED AS DECLARED", "NEW"} else "SAME"

    @property
    def held(self) -> bool:
        """Whether the contract held: something was proved, and nothing differs that should not."""
        return self.outcome in ("SAME", "CHANGED AS DECLARED")

    @property
    def changed(self) -> frozenset[Observable]:
        """The declared changes that were really seen."""
        return frozenset(v.observable for v in self.verdicts if v.outcome == "CHANGED AS DECLARED")

    def verdict(self, observable: Observable) -> Verdict:
        """The answer for one observable."""
        return next(verdict for verdict in self.verdicts if verdict.observable == observable)
