"""The closed list of what is observed: each one is a small function of one recorded run.

An observation is a tuple of entries, a place and a value, or the reason why there is none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.proof.values import Value, Vector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from seqlint.model import Observable
    from seqlint.proof.recorder.recording import FitRecord, Recording, StepRecord, WeightRecord
    from seqlint.proof.run import Run

Entry = tuple[str, Value]
FILE = "the file "
"""What the place of a written file begins with: it is listed with the lines of the output."""
SAID = "error stream, "
"""What the place of a line begins with that went to the standard error stream."""
CONTENT = "what is in "
"""What the place of its content begins with."""

EPOCH = ", epoch "
"""What the place of a value of a series has before its epoch."""

ASKED = ": "
"""What parts the thing that was asked for something from the name of the value."""

_IN_A_FUNCTION = "<locals>."
"""What a name has before it that is defined in a function; a class that moves there keeps its hooks."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What was seen of one observable in one run; `absent` says why nothing was.

    Attributes:
        bound, reads: of "state": names that the program has at its end, and names that its code reads.
    """

    entries: tuple[Entry, ...] = ()
    absent: str = ""
    bound: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()


def observe(observable: Observable, run: Run) -> Observed:
    """Read one observable from a run."""
    recording = run.recording
    if recording is None:
        return Observed(absent=run.detail or "nothing was recorded")
    if observable == "output":
        return Observed(tuple(_output(run, recording)))
    if observable == "errors":
        return Observed(tuple(_errors(run, recording)))
    if recording["partial"] and observable in ("weights", "state"):
        return Observed(absent=run.detail)
    return _READ[observable](recording)


def _output(run: Run, recording: Recording) -> Iterator[Entry]:
    """The lines of both streams, then the files, then what is in them."""
    yield from ((f"line {k}", line) for k, line in enumerate(run.output.splitlines(), 1))
    yield from ((f"{SAID}line {k}", line) for k, line in enumerate(run.said.splitlines(), 1))
    for file in recording["written"]:
        yield f"{FILE}{file['name']}", f"{file['name']} was {'removed' if file['removed'] else 'written'}"
    yield from ((f"{CONTENT}{file['name']}", file["content"]) for file in recording["written"] if file["content"])


def _errors(run: Run, recording: Recording) -> Iterator[Entry]:
    if run.status == "limit":
        yield "the program", f"did not end: {run.detail}"
    if recording["error"] is not None:
        yield "the program", f"{recording['error']['type']}: {recording['error']['text']}"


def _steps_of(recording: Recording) -> Iterator[tuple[str, StepRecord]]:
    """Every train step with its place; the steps of replicas are joined."""
    seen: Counter[tuple[int, int]] = Counter()
    for step in _joined(recording["steps"]):
        key = (step["fit"], step["epoch"])
        seen[key] += 1
        yield f"{_epoch(*key)}, step {seen[key]}", step


def _joined(steps: list[StepRecord]) -> Iterator[StepRecord]:
    """The global batches: the k-th batch of each replica belongs to the k-th step of its epoch."""
    batches: dict[tuple[int, int, int], list[StepRecord]] = {}
    taken: Counter[tuple[int, int, int]] = Counter()
    for step in steps:
        replica = (step["fit"], step["epoch"], step["replica"])
        batches.setdefault((step["fit"], step["epoch"], taken[replica]), []).append(step)
        taken[replica] += 1
    for parts in batches.values():
        first, *others = sorted(parts, key=lambda part: part["replica"])
        rows = [row for part in (first, *others) for row in part["rows"]]
        yield {**first, "rows": rows, "size": sum(part["size"] for part in parts)}


def _epoch(fit: int, epoch: int) -> str:
    return f"fit {fit + 1}, epoch {epoch + 1}" if fit >= 0 else "train_on_batch"


def _samples(recording: Recording) -> Observed:
    rows = [(place, k, row) for place, step in _steps_of(recording) for k, row in enumerate(step["rows"], 1)]
    return _or_untrained(tuple((f"{place}, row {k}", row) for place, k, row in rows), recording)


def _grouping(recording: Recording) -> Observed:
    return _or_untrained(
        tuple((place, " ".join(sorted(step["rows"]))) for place, step in _steps_of(recording)), recording
    )


def _spec(recording: Recording) -> Observed:
    found: dict[tuple[int, str], str] = {}
    for place, step in _steps_of(recording):
        found.setdefault((step["fit"], step["spec"]), place)
    return _or_untrained(tuple((place, spec) for (_, spec), place in found.items()), recording)


def _steps(recording: Recording) -> Observed:
    counts = Counter(_epoch(step["fit"], step["epoch"]) for _, step in _steps_of(recording))
    return _or_untrained(tuple(counts.items()), recording)


def _or_untrained(entries: tuple[Entry, ...], recording: Recording) -> Observed:
    return Observed(entries) if recording["steps"] else Observed(absent="no train step of Keras ran")


def _fits(recording: Recording, read: Callable[[str, FitRecord], Iterator[Entry]]) -> Observed:
    fits = [(f"fit {number}", fit) for number, fit in enumerate(recording["fits"], 1) if fit["planned"]]
    if not fits:
        return Observed(absent="no call of fit")
    return Observed(tuple(entry for name, fit in fits for entry in read(name, fit)))


def _epochs(recording: Recording) -> Observed:
    return _fits(recording, lambda name, fit: iter([(name, len(fit["epochs"]))]))


def _history(recording: Recording) -> Observed:
    fits = _fits(recording, _series)
    results = tuple((one["name"], _result(one)) for one in recording["results"])
    return Observed((*fits.entries, *results)) if results else fits


def _result(record: WeightRecord) -> Value:
    """What evaluate or predict gave: a number, or an array."""
    vector = Vector(record["digest"], record["values"])
    return vector if record["shape"] or not record["values"] else vector.numbers[0]


def _series(name: str, fit: FitRecord) -> Iterator[Entry]:
    """Every value, under the epoch that Keras prints: with `initial_epoch` the first one is not epoch 1."""
    first = min(fit["epochs"], default=0) + 1
    for series, values in fit["history"].items():
        for epoch, value in enumerate(values, first):
            yield f"{name}, {series}{EPOCH}{epoch}", value


def _stop(recording: Recording) -> Observed:
    return _fits(recording, lambda name, fit: iter([(name, f"after epoch {len(fit['epochs'])}: {fit['why']}")]))


def _weights(recording: Recording) -> Observed:
    if not recording["weights"]:
        return Observed(absent="no model was trained")
    return Observed(
        tuple(
            (f"model {model}, weight {number} {weight['shape']}", Vector(weight["digest"], weight["values"]))
            for model, weights in enumerate(recording["weights"], 1)
            for number, weight in enumerate(weights, 1)
        )
    )


def _hooks(recording: Recording) -> Observed:
    """Calls in the main thread in their order; in other threads, where the order is chance, their number."""
    calls = [(name.rpartition(_IN_A_FUNCTION)[2], thread) for name, thread in recording["hooks"]]
    other = Counter(name for name, thread in calls if thread == "other")
    return Observed(
        (*_in_order(calls), *((f"{name} in other threads", f"{count} calls") for name, count in sorted(other.items())))
    )


def _in_order(calls: list[tuple[str, str]]) -> Iterator[Entry]:
    number = 0
    for name, thread in calls:
        if thread == "main":
            number += 1
            yield f"call {number}", f"{name} in the main thread"
        elif thread != "other":
            yield thread, name


def _state(recording: Recording) -> Observed:
    bound, reads = frozenset(recording["bound"]), frozenset(recording["reads"])
    return Observed(tuple(recording["state"].items()), bound=bound, reads=reads)


def _settings(recording: Recording) -> Observed:
    found = recording["settings"].items()
    return Observed(
        tuple((f"{entity}{ASKED}{name}", value) for entity, values in found for name, value in values.items())
    )


def _warnings(recording: Recording) -> Observed:
    texts = sorted(f"{category}: {text}" for category, text in recording["warnings"])
    return Observed(tuple((text, "warned") for text in texts))


_READ: Mapping[Observable, Callable[[Recording], Observed]] = {
    "samples": _samples,
    "order": _samples,
    "grouping": _grouping,
    "spec": _spec,
    "epochs": _epochs,
    "steps": _steps,
    "hooks": _hooks,
    "history": _history,
    "weights": _weights,
    "stop": _stop,
    "settings": _settings,
    "state": _state,
    "warnings": _warnings,
}
