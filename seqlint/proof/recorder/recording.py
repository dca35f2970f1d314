"""The shape of one recorded run: what the child writes as JSON, and the parent reads."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

FORMAT = 4
"""The version of the shape; a file with another one is refused."""

Leaf = str | float | int | bool | None
"""A value that JSON keeps as it is."""

LIMIT_STATUS = 124
"""The exit status of a child that ended itself at its limit."""
DATA = "the data "
"""What the state of the object begins with that the last fit took its batches from."""
VARIABLES = ", variable "
"""What the state of an object of a library has before the number of a variable in it."""
MADE_UP = " by made-up values"
"""What ends the name of what a callback does once it is told values that never came."""
CUT_SHORT = "the smoke run ended it"
"""What says of a fit that its last epoch is not whole."""
UNCARRIED = "the initial weights of a model could not be carried over"
"""What a note begins with where what models compute can't be compared with another run."""
Ran = bool | Literal["imported"] | None
"""Whether some lines ran; "imported" where nothing but imports of the module did, None where there is no code."""


class StepRecord(TypedDict):
    """One train step.

    Attributes:
        fit: the number of the `fit` call from 0; -1 outside any.
        epoch: the epoch, from 0.
        spec: structure, shapes and dtypes of the batch; the number of rows is written `n`.
        rows: one digest for each sample, in the order of the batch.
        size: bytes of the batch.
    """

    fit: int
    epoch: int
    replica: int
    spec: str
    rows: list[str]
    size: int


class FitRecord(TypedDict):
    """One call of `fit`.

    Attributes:
        depth: 0 for a call of the program, 1 for a call that ran inside another fit.
        asked: the epochs that the program asked for; 0 when the call was refused.
        planned: the epochs that the smoke run allows.
        epochs: the epochs that began, in order.
        history: the series that `fit` returned; those of the epochs so far when it raised.
        series: the names of what Keras computes in each epoch; callbacks may add others to the history.
        why: why training ended.
        cut: what the smoke run left out; empty when nothing.
    """

    depth: int
    asked: int
    planned: int
    epochs: list[int]
    history: dict[str, list[Leaf]]
    series: list[str]
    why: str
    cut: str
    seconds: float


class WeightRecord(TypedDict):
    """One weight at the end of the program; `values` is base64 of float64, empty when there are too many."""

    name: str
    shape: list[int]
    digest: str
    values: str


class FileRecord(TypedDict):
    """A file in the folder of the program that it made, changed or removed.

    Attributes:
        content: the text of a small file, else the size and a digest.
    """

    name: str
    content: str
    removed: bool


class ErrorRecord(TypedDict):
    """What ended the program."""

    type: str
    text: str


class Target(TypedDict):
    """One class or function of a module of classes, and the inputs that are made for it.

    Attributes:
        name: qualified, as the module has it.
        kind: "data", "callback" or "function".
        arguments: for each parameter that is given, how its value is made.
        files: files that the code opens under names of its own, and how they are made.
        text: the call, in words.
        steps: steps of an epoch; 0 where the data has an end of its own.
        epochs: epochs that are trained.
        again: whether the same was driven with other sizes before.
    """

    name: str
    kind: str
    again: bool
    arguments: dict[str, dict[str, Any]]
    files: dict[str, dict[str, Any]]
    text: str
    steps: int
    epochs: int


class Left(TypedDict):
    """A class or function that can't be driven: why, and the smallest factory that would do."""

    name: str
    reason: str
    factory: str


class Plan(TypedDict):
    """What is driven, chosen once, on the unchanged module; both sides then get the same inputs."""

    targets: list[Target]
    left: list[Left]


class InitialRecord(TypedDict):
    """What a weight of a model was when the model first computed, before anything was carried over.

    Attributes:
        layer: where it is, in words.
        size: how many numbers it holds.
        mean, spread: of these, the spread as their standard deviation.
        set: whether the program has set it itself, or loaded it.
        matched: whether the other run has a weight in its place; true where nothing is taken over.
        trained: whether training may change it.
    """

    layer: str
    shape: list[int]
    size: int
    mean: float
    spread: float
    set: bool
    matched: bool
    trained: bool


class SaveRecord(TypedDict):
    """What was saved or loaded: "save", "save weights", "load" or "load weights", with the weights at that time."""

    what: str
    weights: list[WeightRecord]


class Devices(TypedDict):
    """Where the variables of one model or own loop lay, and where its first step or call computed; not watched with `--device cpu`."""

    variables: list[str]
    steps: list[str]


class Recording(TypedDict):
    """All that was recorded of one run.

    Attributes:
        versions: of Keras and TensorFlow, as a sentence.
        error: None when the program came to its end.
        partial: the time limit came first, so that final values are missing.
        calls: what ran a model: names of methods such as fit, predict_on_batch and apply_gradients.
        previews: the first values of a sample, by its digest.
        hooks: class and hook, and "main" or "other" for the thread; where a fit begins, its callbacks and its name.
        state: simple values of module globals, class attributes and environment, by name.
        bound: names of globals and of attributes of plain objects at the end, whatever they hold.
        reads: names that the code of the script reads, as `names.read_in` gives them.
        warnings: category and text, each once.
        cards: names of the GPUs that TensorFlow found; not asked with `--device cpu`.
        devices: where each model lay and ran: those that were trained, those that only computed, and last what own loops train.
        memory: peak memory, in MiB.
        open: files that are still open at the end; those of the run by their names in its folder.
        threads: threads of Python that still run at the end, without the main one.
        read: data files in the run's own places that were read while it trained, as `corrupt` of a job names one.
        corrupted: what was done to the file that was to be spoiled, in words; empty when nothing was.
        parts: digests of x and of y of a sample, by its digest; empty for a part that the sample lacks.
        driven: classes and functions of a module of classes that were in use when a model was trained, base classes too.
        plan: what was chosen to be driven; empty but for modules of classes without a factory.
        hung: where the program waited for ever when its time was over, in words; empty where it did not.
        replicas: how many a strategy had that takes all GPUs.
        chances: parallel parts of datasets that leave the order of elements to chance.
        results: what calls of evaluate, predict and single batches gave, under names such as "evaluate 1, 0".
        raised: of what ended the program, the line of the script that was running, and the last line of it on the way there; 0 for none.
        lacking: the package that was missing where the program failed; empty where none was.
        imports: whether a line of the program itself asked for it.
        left: files of the user's folder that were neither copied nor linked to.
        start: the folder in which the program started, relative to that of its project.
        sketches: the first values of a sample and the mean of each of its parts, by its digest.
        validated: digests of the inputs that a model was tested on; only where that was asked.
        tables: the digests of the rows of each array that the program had when its first fit began; only of calm runs.
        settings: what was asked for, by the thing that was asked, such as "the optimizer of fit 1", and the name of the value.
        written: files in the folder of the program that it made, changed or removed, sorted by name.
        initial: the weights of each model when it first computed; only where weights are carried over.
        saves: what was saved and loaded; only where weights are carried over.
        ran: for each range of `Job.changed` whether it ran; None also where the file was not watched.
    """

    format: int
    versions: str
    error: ErrorRecord | None
    partial: bool
    fits: list[FitRecord]
    steps: list[StepRecord]
    calls: list[str]
    previews: dict[str, str]
    weights: list[list[WeightRecord]]
    hooks: list[tuple[str, str]]
    state: dict[str, Leaf]
    bound: list[str]
    reads: list[str]
    warnings: list[tuple[str, str]]
    cards: list[str]
    devices: list[Devices]
    memory: float
    open: list[str]
    threads: int
    initial: list[list[InitialRecord]]
    saves: list[SaveRecord]
    ran: list[Ran]
    replicas: int
    chances: list[str]
    results: list[WeightRecord]
    sketches: dict[str, list[float]]
    validated: list[str]
    tables: list[list[str]]
    settings: dict[str, dict[str, Leaf]]
    written: list[FileRecord]
    left: list[str]
    start: str
    raised: list[int]
    lacking: str
    imports: bool
    read: list[str]
    corrupted: str
    parts: dict[str, tuple[str, str]]
    notes: list[str]
    hung: str
    driven: list[str]
    plan: Plan


class Job(TypedDict):
    """One program to run: the child's orders, as one line of JSON.

    Attributes:
        kind: how the file is run: "script", "notebook", "classes", or "plan", which tries inputs and trains nothing.
        argv: what `sys.argv` holds after the name of the script.
        factory: for "classes", "module:function", which makes what is driven; empty: inputs are made for each class.
        plan: for "classes" without a factory, the `Plan` that a run with "plan" has made, as JSON.
        corrupt: a data file that is spoiled before the program first runs a model, relative to the folder that holds its
            folder; empty: none.
        said: where to write what the program's own code writes to its standard error stream.
        missing: whether that file is removed; else it is truncated.
        start: the folder that the program starts in.
        near: folders of the user that the program may write to.
        guard: the guard of the run; empty for the strongest that the system has.
        replicas: how many a strategy has that takes all GPUs.
        deterministic: whether TensorFlow uses deterministic operations alone.
        defaults: parameters of its functions whose defaults change.
        calm: whether nothing may change the order of rows or files.
        carry: "keep" leaves the initial weights of models in the file `initial`, "take" takes those that are there; else empty.
        stir: what is added to the seeds of what Keras and TensorFlow draw, where weights are carried over.
        older: whether tf-keras takes what Keras 2 took before 2.11.
        validated: whether it is noted which inputs a model is tested on.
        changed: lines of the script, first and last, of which it is noted whether they ran.
    """

    kind: str
    argv: list[str]
    factory: str
    plan: str
    corrupt: str
    missing: bool
    calm: bool
    carry: str
    initial: str
    stir: int
    older: bool
    validated: bool
    changed: list[tuple[int, int]]
    defaults: list[str]
    script: str
    folder: str
    start: str
    near: list[str]
    guard: str
    result: str
    stdout: str
    stderr: str
    said: str
    limit_s: float
    replicas: int
    deterministic: bool
    epochs: int
    steps: int
    seed: int


class Orders(TypedDict):
    """How a child is set up; `fork` false means that it runs one job and ends."""

    keras: str
    device: str
    fork: bool


class Answer(TypedDict):
    """How a job ended: "done", "limit" or "crashed"."""

    status: str
    detail: str
    seconds: float
