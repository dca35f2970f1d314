"""Runs the old program on tf-keras and the new one on Keras 3, and compares what must agree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.proof.across import numbers, structure
from seqlint.proof.across.values import Across, Crossing, Judged
from seqlint.proof.recorder.recording import UNCARRIED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.proof.recorder.recording import Recording
    from seqlint.proof.run import Run
    from seqlint.proof.running import Worker

_STIRRED = 1_000


class _Runs:
    """Runs of both programs, with the initial weights of the first."""

    def __init__(self, crossing: Crossing, old: Worker, new: Worker) -> None:
        self._crossing = crossing
        self._children = (old, new)
        self._initial = b""

    def first(self) -> Run:
        """The old program, whose initial weights are kept."""
        program = replace(self._crossing.program, carry="keep")
        run = self._children[0].run(self._crossing.old, self._crossing.script, self._crossing.folder, program)
        self._initial = run.initial
        return run

    def old(self, *, stir: int = 0, calm: bool = False) -> Run:
        """The old program once more."""
        program = replace(self._crossing.program, carry="take", initial=self._initial, stir=stir, calm=calm)
        return self._children[0].run(self._crossing.old, self._crossing.script, self._crossing.folder, program)

    def new(self, *, stir: int = 0, calm: bool = False) -> Run:
        """The new program."""
        found = self._crossing
        program = replace(found.program, carry="take", initial=self._initial, stir=stir, calm=calm, others=found.others)
        return self._children[1].run(found.new, found.script, found.folder, program)


def prove_across(crossing: Crossing, old: Worker, new: Worker) -> Across:
    """Run a program before and after its migration, each on its own Keras, and say whether they do the same.

    Args:
        crossing: the program.
        old: where the old one runs, with the Keras "legacy".
        new: where the new one runs, with Keras 3.
    """
    if crossing.program.kind == "classes":
        return Across(
            crossing.path, obstacle="it runs no model when it is run as a script: verify a script that uses it"
        )
    runs = _Runs(crossing, old, new)
    before = runs.first()
    obstacle = _obstacle(before)
    if obstacle or before.recording is None:
        return Across(crossing.path, obstacle=f"before, on tf-keras: {obstacle}", ran_on=_ran_on(before))
    after = runs.new()
    if after.recording is None:
        return Across(crossing.path, obstacle=f"after, on Keras 3: {after.detail}", ran_on=_ran_on(before))
    ran_on, notes = _ran_on(before, after), _notes(before, after)
    failed = _failed(after)
    if failed:
        return Across(crossing.path, (Judged("errors", "DIFFERENT", failed),), ran_on=ran_on, notes=notes)
    judged = tuple(_judged(runs, before, after))
    if any(one.outcome == "DIFFERENT" for one in judged) and (loose := _loose(before, runs.old())):
        judged = tuple(_unrepeated(one, loose) for one in judged)
    return Across(crossing.path, judged, "", ran_on, notes)


def _judged(runs: _Runs, before: Run, after: Run) -> Iterator[Judged]:
    old, new = _recordings(before, after)
    yield from structure.steps(before, after)
    yield structure.shapes(before, after)
    rows = list(structure.samples(before, after))
    by_chance = any(one.outcome == "DIFFERENT" for one in rows) and _left_to_chance(runs, before, after)
    yield from (
        ((replace(one, outcome="BY CHANCE") if one.outcome == "DIFFERENT" else one) for one in rows)
        if by_chance
        else rows
    )
    made = [structure.initial(old, new), *structure.layers(old, new), *structure.settings(old, new)]
    yield from made
    if any(one.outcome == "DIFFERENT" for one in (*made, *rows)) and not by_chance:
        yield from numbers.compared(numbers.read(before), numbers.read(after), {}, _layers(after))
        return
    if not by_chance:
        yield from _numbers(runs, before, after, calm=False)
        return
    still = runs.old(calm=True), runs.new(calm=True)
    if any(run.recording is None or run.failed for run in still):
        yield Judged("history", "NOT RUN", "it can't be run without shuffling")
        return
    held = [one for one in structure.samples(*still) if one.outcome == "DIFFERENT"]
    if held and _left_to_chance(runs, *still, calm=True):
        yield Judged("samples without shuffling", "BY CHANCE", "the program draws them while it trains")
    else:
        yield from (replace(one, name=f"{one.name} without shuffling") for one in held)
    yield from _numbers(runs, *still, calm=True, loosely=bool(held))


def _recordings(*runs: Run) -> list[Recording]:
    return [run.recording for run in runs if run.recording is not None]


def _left_to_chance(runs: _Runs, before: Run, after: Run, *, calm: bool = False) -> bool:
    """Whether both programs draw which samples come when, or what is in them, while they train."""
    others = runs.old(stir=_STIRRED, calm=calm), runs.new(stir=_STIRRED, calm=calm)
    pairs = zip((before, after), others, strict=True)
    return all(other.recording is not None and structure.rows(run) != structure.rows(other) for run, other in pairs)


def _numbers(runs: _Runs, before: Run, after: Run, *, calm: bool, loosely: bool = False) -> Iterator[Judged]:
    """What the models compute; where that is too far apart, the noise of each program is measured first.

    Args:
        loosely: chance decides what the samples are, so that other samples are noise.
    """
    old, new = numbers.read(before), numbers.read(after)
    layers = _layers(after)
    if (why := _uncarried(before, after)) is not None:
        yield Judged("history", "NOT RUN", why)
        return
    found = list(numbers.compared(old, new, {}, layers))
    if any(one.outcome == "DIFFERENT" for one in found):
        stirred = runs.old(stir=_STIRRED, calm=calm), runs.new(stir=_STIRRED, calm=calm)
        # What comes in another order computes something else, which does not count as noise.
        telling = [
            (numbers.read(run), numbers.read(other))
            for run, other in zip((before, after), stirred, strict=True)
            if other.recording is not None and (loosely or structure.rows(run) == structure.rows(other))
        ]
        found = list(numbers.compared(old, new, numbers.noise(telling), layers))
    yield from found


def _uncarried(*runs: Run) -> str | None:
    """Why both models may have begun with other weights; None where they have not."""
    notes = (note for recording in _recordings(*runs) for note in recording["notes"])
    return next((note for note in notes if note.startswith(UNCARRIED)), None)


def _layers(run: Run) -> dict[str, str]:
    """The layer of each weight, by its place in the recording."""
    recording = run.recording
    assert recording is not None
    found = {}
    for model, weights in enumerate(recording["weights"], 1):
        known = next(
            (one for one in recording["initial"] if [w["shape"] for w in one] == [w["shape"] for w in weights]), []
        )
        for number, (weight, first) in enumerate(zip(weights, known, strict=False), 1):
            found[f"model {model}, weight {number} {weight['shape']}"] = first["layer"]
    return found


def _loose(before: Run, again: Run) -> frozenset[str]:
    """What differs between two equal runs of the old program."""
    if again.recording is None:
        return frozenset()
    found = [*structure.steps(before, again), structure.shapes(before, again), *structure.samples(before, again)]
    found += numbers.compared(numbers.read(before), numbers.read(again), {}, {})
    return frozenset(one.name for one in found if one.outcome == "DIFFERENT")


def _unrepeated(one: Judged, loose: frozenset[str]) -> Judged:
    if one.outcome != "DIFFERENT" or one.name not in loose:
        return one
    return Judged(one.name, "NOT RUN", "the old program does not do the same twice")


def _obstacle(run: Run) -> str:
    if run.recording is None:
        return run.detail
    failed = _failed(run)
    if failed:
        return failed
    return "" if run.recording["calls"] else "it calls neither fit, evaluate, predict nor an optimizer"


def _failed(run: Run) -> str:
    assert run.recording is not None
    error = run.recording["error"]
    if error is not None:
        line = run.recording["raised"][1]
        text = error["text"].splitlines()[0] if error["text"] else ""
        return f"{error['type']}: {text}{f' (line {line})' if line else ''}"
    return run.detail if run.status == "limit" else ""


def _ran_on(*runs: Run) -> tuple[str, ...]:
    return tuple(recording["versions"] for recording in _recordings(*runs))


def _notes(*runs: Run) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for recording in _recordings(*runs):
        found.update(
            {
                f"fit {k} was cut to a smoke run: {fit['cut']}": None
                for k, fit in enumerate(recording["fits"], 1)
                if fit["cut"]
            }
        )
        found.update(dict.fromkeys(recording["notes"]))
    return tuple(found)


def outcomes(found: Sequence[Across]) -> tuple[str, ...]:
    """The answers of several programs, each once."""
    return tuple(dict.fromkeys(one.answer for one in found))
