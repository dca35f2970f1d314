"""Which samples of a run with bad input are those of a run with good input, and whether each has its own label.

A sample that is lost with its label leaves the others as they are; one that is lost alone shifts the labels behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.proof.observables import observe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from seqlint.proof.recorder.recording import Recording
    from seqlint.proof.run import Run

Row = tuple[str, str]
"""The place of a row in the training, and its digest."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """What became of the samples of the good run.

    Attributes:
        known: the number of different samples in the good run.
        missing: how many of them never came.
        wrong: rows whose sample goes with the label of another one.
        alone: rows that hold a label without a sample.
        bare: rows that hold a sample without its label.
        foreign: rows whose sample the good run never saw.
        repeats: whether the good run saw the same samples in each of several epochs; else a foreign sample may be
            one that was drawn in another way.
    """

    known: int
    missing: int
    wrong: tuple[Row, ...]
    alone: tuple[Row, ...]
    bare: tuple[Row, ...]
    foreign: tuple[Row, ...]
    repeats: bool

    @property
    def whole(self) -> bool:
        """Whether every row is a sample of the good run with its own label."""
        return not (self.wrong or self.alone or self.bare or self.foreign)

    @property
    def faults(self) -> tuple[Row, ...]:
        """The rows that nobody should train on, as far as that can be told."""
        return (*self.wrong, *self.alone, *self.bare, *(self.foreign if self.repeats else ()))


def compare(good: Run, spoiled: Run) -> Pairing | None:
    """Compare the samples of two runs of the same data; None where one of them has no samples."""
    if good.recording is None or spoiled.recording is None:
        return None
    ours, theirs = (_rows(run) for run in (good, spoiled))
    parts = {**spoiled.recording["parts"], **good.recording["parts"]}
    if not ours or not all(row in parts for _, row in (*ours, *theirs)):
        return None
    labels: dict[str, set[str]] = {}
    for _, row in ours:
        labels.setdefault(parts[row][0], set()).add(parts[row][1])
    seen = {parts[row][0] for _, row in theirs}
    kinds = [_kind(labels, parts[row]) for _, row in theirs]
    wrong, alone, bare, foreign = (
        tuple(row for row, found in zip(theirs, kinds, strict=True) if found == kind)
        for kind in ("wrong", "alone", "bare", "foreign")
    )
    return Pairing(len(labels), len(labels.keys() - seen), wrong, alone, bare, foreign, _repeats(good.recording, parts))


def _rows(run: Run) -> tuple[Row, ...]:
    return tuple((place, str(row)) for place, row in observe("samples", run).entries)


def _kind(labels: Mapping[str, set[str]], row: tuple[str, str]) -> str:
    x, y = row
    if x not in labels:
        return "foreign" if x else "alone"
    if y in labels[x]:
        return ""
    return "wrong" if y else "bare"


def _repeats(recording: Recording, parts: Mapping[str, tuple[str, str]]) -> bool:
    """Whether each fit has several epochs with the same samples."""
    fits: dict[int, dict[int, set[str]]] = {}
    for step in recording["steps"]:
        seen = fits.setdefault(step["fit"], {}).setdefault(step["epoch"], set())
        seen.update(parts[row][0] for row in step["rows"])
    return all(len(epochs) > 1 and _all_equal(list(epochs.values())) for epochs in fits.values())


def _all_equal(sets: Sequence[set[str]]) -> bool:
    return all(one == sets[0] for one in sets)
