"""What the recorder has seen so far; the instruments write to it, and the end of the run reads it."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .carry import Carry
from .compiled import Outside
from .corrupt import Files
from .marks import Marks
from .places import Places
from .rounds import Count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from .beyond import Training
    from .guard.guard import Guard
    from .recording import FitRecord, Job, Leaf, Plan, StepRecord, WeightRecord

MOST_PREVIEWS = 20_000
MOST_EVENTS = 50_000


def _nothing() -> None: ...


class Tape:
    """The notes of one run.

    Attributes:
        running: the numbers of the `fit` calls that are on the stack, outermost first.
        training: for each of them, the number of the model that it trains.
        models: the models that were trained, in the order of their first step.
        callbacks: those of the `fit` whose epoch began last.
        kerases: names of the Keras modules whose models ran.
        taken: train steps taken in each `fit` call.
        outside: calls whose batch was read before them.
        hung: where the program waited when its time was over; empty where it moved.
        place: the part of the program that runs, in words; empty for a script.
        driven: the classes and functions of a module of classes that a training was run on.
        plan: for a module of classes, what is driven with which inputs, and what is not, with the reason.
        marks: which of the changed lines ran.
        results: what calls of evaluate and predict gave.
        chances: parts of datasets that leave the order of elements to chance.
        asked: the number of such calls, by the name of the method.
        more: digests of the results that are too many to keep.
        variables: what the program's own loops train, by identity: a name and the variable of TensorFlow.
        optimizers: those of such loops.
        own_steps: steps that those loops took.
        graphs: the functions of TensorFlow that are being called, by identity.
        stepping: those in which an optimizer was applied.
        repeated: how often fit was called for a model in a place of the program.
        rounds: how often it was called by one way through the program, for whatever models.
        short: the fits that take one step.
        count: the steps in loops of the graph that runs.
        given: what the last of these calls gave, and its number.
        place_of_fit: the model and the place of the last call.
        folder: the files of the program before it ran, with size and time.
        files: the data files of the run.
        libraries: Keras and TensorFlow by their names; the program may have modules of the same names.
        raised: lines of the script on the way to what ended it: the first and the last.
        lacking: the package that was missing then, and whether a line of the program itself asked for it.
        left: files of the user's folder that the program does not find.
        guard: what keeps the run from the files of the user.
        imported: the modules that were there before the program ran.
        data: what each fit gets its batches from.
        feed: that of the last fit.
        reading: the train functions of models that only read now, by the number of the fit.
        trainings: the first fits, as they began.
        over: whether the program has ended, and its recording is written.
        sketches: numbers of samples, by their digests.
        validated: digests of the inputs that a model was tested on.
        tables: digests of the rows of arrays.
        settings: what was asked for, by the thing that was asked and the name of the value.
        parts: digests of x and y, by the digest of the sample.
        carry: the initial weights of models, and what is saved and loaded.
        end: writes all that is known, and ends the process.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.fits: list[FitRecord] = []
        self.running: list[int] = []
        self.training: list[int] = []
        self.taken: dict[int, int] = {}
        self.steps: list[StepRecord] = []
        self.calls: dict[str, None] = {}
        self.kerases: dict[str, None] = {}
        self.previews: dict[str, str] = {}
        self.parts: dict[str, tuple[str, str]] = {}
        self.hooks: list[tuple[str, str]] = []
        self.warnings: dict[tuple[str, str], None] = {}
        self.models: list[Any] = []
        self.callbacks: list[Any] = []
        self.places = Places(watched=False)
        self.results: list[tuple[str, list[WeightRecord]]] = []
        self.asked: Counter[str] = Counter()
        self.more: dict[str, Any] = {}
        self.variables: dict[int, tuple[str, Any]] = {}
        self.optimizers: list[Any] = []
        self.own_steps = 0
        self.graphs: list[int] = []
        self.stepping: set[int] = set()
        self.repeated: dict[tuple[int, str, int], int] = {}
        self.rounds: Counter[tuple[tuple[str, int], ...]] = Counter()
        self.short: set[int] = set()
        self.count = Count()
        self.given: dict[tuple[int, str, int], tuple[Any, int]] = {}
        self.place_of_fit: tuple[int, str, int] = (0, "", 0)
        self.chances: dict[str, None] = {}
        self.folder: dict[str, tuple[int, int]] = {}
        self.marks = Marks(job["script"], job["changed"], job["defaults"])
        self.files = Files(job)
        self.left: list[str] = []
        self.raised = [0, 0]
        self.lacking: tuple[str, bool] = ("", False)
        self.libraries: dict[str, ModuleType] = {}
        self.guard: Guard | None = None
        self.imported: dict[str, ModuleType] = {}
        self.notes: dict[str, None] = {}
        self.data: dict[int, Any] = {}
        self.feed: Any = None
        self.reading: dict[int, Any] = {}
        self.trainings: list[Training] = []
        self.over = False
        self.sketches: dict[str, list[float]] = {}
        self.validated: dict[str, None] = {}
        self.tables: list[list[str]] = []
        self.settings: dict[str, dict[str, Leaf]] = {}
        self.place = ""
        self.driven: dict[str, None] = {}
        self.plan: Plan = {"targets": [], "left": []}
        self.outside = Outside()
        self.hung = ""
        self.carry = Carry(self)
        self.end: Callable[[], None] = _nothing
        self._inside = threading.local()

    @property
    def fit(self) -> int:
        """The number of the innermost `fit` call; -1 outside any."""
        return self.running[-1] if self.running else -1

    @property
    def epoch(self) -> int:
        """The epoch of the innermost `fit` call, from 0."""
        epochs = self.fits[self.fit]["epochs"] if self.running else []
        return epochs[-1] if epochs else 0

    def train(self, model: object) -> int:
        """Remember a model whose weights are read at the end, and give its number."""
        for number, known in enumerate(self.models):
            if known is model:
                return number
        self.models.append(model)
        return len(self.models) - 1

    def step(self, record: StepRecord) -> None:
        """Note a train step of the running `fit`."""
        self.steps.append(record)
        if record["replica"] == 0:
            self.taken[record["fit"]] = self.taken.get(record["fit"], 0) + 1

    def preview(self, digest: str, text: str, parts: tuple[str, str]) -> None:
        """Keep the first values of a sample, and the digests of its x and y."""
        if len(self.previews) < MOST_PREVIEWS:
            self.previews[digest] = text
            self.parts[digest] = parts

    def hook(self, name: str) -> None:
        """Note the call of a hook and the kind of thread it ran in."""
        if len(self.hooks) >= MOST_EVENTS:
            self.notes["more hook calls than are kept"] = None
            return
        main = threading.current_thread() is threading.main_thread()
        self.hooks.append((name, "main" if main else "other"))

    @contextmanager
    def once(self, key: object) -> Iterator[bool]:
        """Whether this is the outermost call with `key` in this thread: a method that calls `super()` counts once."""
        inside: set[object] = self._inside.__dict__.setdefault("keys", set())
        if key in inside:
            yield False
            return
        inside.add(key)
        try:
            yield True
        finally:
            inside.discard(key)
