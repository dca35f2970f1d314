"""What a model computes: equal within what two libraries differ by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.proof.across.values import Judged
from seqlint.proof.observables import EPOCH, observe
from seqlint.proof.values import Vector, distance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from seqlint.proof.observables import Entry
    from seqlint.proof.recorder.recording import Recording
    from seqlint.proof.run import Run
    from seqlint.proof.values import Value

FLOOR = 1e-3
"""The relative difference that two libraries may always have: both compute in float32, in another order."""
_TINY = 1e-5
"""Numbers below this are taken for zero."""
_MORE_THAN_NOISE = 4.0
_COUNTER = re.compile(r"_\d+$")
_RENAMED = {"lr": "learning_rate", "acc": "accuracy"}
_FEW_LAYERS = 4


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a run has computed, by what it is called in both libraries."""

    history: Mapping[str, Value]
    results: Mapping[str, Value]
    weights: Mapping[str, Value]
    saves: Mapping[str, Value]


def read(run: Run) -> Numbers:
    """The numbers of a run."""
    recording = run.recording
    assert recording is not None
    entries = observe("history", run).entries
    series = {_series(place): value for place, value in entries if EPOCH in place}
    results = {place: value for place, value in entries if EPOCH not in place}
    return Numbers(series, results, dict(_weights(recording)), dict(_saves(recording)))


def _series(place: str) -> str:
    """A place in the history with the name that Keras 3 gives."""
    fit, _, rest = place.partition(", ")
    name, _, epoch = rest.rpartition(EPOCH)
    before = "val_" if name.startswith("val_") else ""
    plain = _COUNTER.sub("", name.removeprefix("val_"))
    return f"{fit}, {before}{_RENAMED.get(plain, plain)}{EPOCH}{epoch}"


def _weights(recording: Recording) -> Iterator[Entry]:
    for model, weights in enumerate(recording["weights"], 1):
        for number, weight in enumerate(weights):
            if weight["values"]:  # of the others, which are too big, only digests are known
                yield (
                    f"model {model}, weight {number + 1} {weight['shape']}",
                    Vector(weight["digest"], weight["values"]),
                )


def _saves(recording: Recording) -> Iterator[Entry]:
    for number, save in enumerate(recording["saves"], 1):
        yield f"{number}. {save['what']}", len(save["weights"])
        for k, weight in enumerate(save["weights"], 1):
            if weight["values"]:
                yield (
                    f"{number}. {save['what']}, weight {k} {weight['shape']}",
                    Vector(weight["digest"], weight["values"]),
                )


def compared(old: Numbers, new: Numbers, noise: Mapping[str, float], layers: Mapping[str, str]) -> Iterator[Judged]:
    """The answers for history, results, weights, and what is saved and loaded.

    Args:
        noise: by how much each differs from run to run, by itself.
        layers: the layer of each weight, by its place.
    """
    for name in ("history", "results", "weights", "saved and loaded"):
        before, after = _of(old, name), _of(new, name)
        if not before and not after:
            yield Judged(name, "NOT RUN", f"no {name}" if name != "saved and loaded" else "nothing was saved or loaded")
            continue
        yield _judged(name, before, after, max(FLOOR, _MORE_THAN_NOISE * noise.get(name, 0.0)), layers)


def _of(numbers: Numbers, name: str) -> Mapping[str, Value]:
    return {
        "history": numbers.history,
        "results": numbers.results,
        "weights": numbers.weights,
        "saved and loaded": numbers.saves,
    }[name]


def _judged(
    name: str, before: Mapping[str, Value], after: Mapping[str, Value], tolerance: float, layers: Mapping[str, str]
) -> Judged:
    gone = next((place for place in before if place not in after), None)
    more = next((place for place in after if place not in before), None)
    if gone is not None or more is not None:
        return Judged(name, "DIFFERENT", f"{gone} is gone" if gone is not None else f"{more} is new")
    far = {place: relative_distance(value, after[place]) for place, value in before.items()}
    worst = max(far, key=lambda place: far[place])
    if far[worst] <= tolerance:
        return Judged(name, "SAME", f"differs by {far[worst]:.1g} at most, where {tolerance:.1g} is allowed")
    unlike = [layers.get(place, "") for place in far if far[place] > tolerance]
    where = f" ({', '.join(list(dict.fromkeys(filter(None, unlike)))[:_FEW_LAYERS])})" if any(unlike) else ""
    shown = f"{worst}: {_shown(before[worst])} before, {_shown(after[worst])} after"
    return Judged(name, "DIFFERENT", f"{shown}; {tolerance:.1g} is allowed{where}")


def relative_distance(one: Value, other: Value) -> float:
    """The relative distance of two values; zero where both are next to nothing."""
    numbers = [list(value.numbers) if isinstance(value, Vector) else [value] for value in (one, other)]
    flat = [number for side in numbers for number in side if isinstance(number, (int, float))]
    if (
        flat
        and len(flat) == sum(map(len, numbers))
        and len(numbers[0]) == len(numbers[1])
        and max(map(abs, flat)) < _TINY
    ):
        return 0.0
    return distance(one, other)


def noise(pairs: Sequence[tuple[Numbers, Numbers]]) -> dict[str, float]:
    """By how much runs of one program differ; nothing is known of what is infinitely different."""
    found: dict[str, float] = {}
    for one, other in pairs:
        for name in ("history", "results", "weights", "saved and loaded"):
            before, after = _of(one, name), _of(other, name)
            far = [relative_distance(value, after[place]) for place, value in before.items() if place in after]
            found[name] = max([found.get(name, 0.0), *(each for each in far if each != float("inf"))])
    return found


def _shown(value: Value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
