"""Which samples of a run with bad input are those of a run with good input, and whether each has its own label.

A sample that is lost with its label leaves the others as they are; one that is lost alone shifts the labels after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from seqlint.proof.observables import observe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from seqlint.proof.recorder.recording import Recording
    from seqlint.proof.run import Run


_FEWEST = 2
"""Samples that two arrays must have as batches have them before they tell of others."""


class Row(NamedTuple):
    """One row of a batch: its place in the training, its digest, and those of its sample and label."""

    place: str
    digest: str
    x: str
    y: str


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
        single: whether each sample of the good run had one label; else a wrong label may be one that was drawn.
    """

    known: int
    missing: int
    wrong: tuple[Row, ...]
    alone: tuple[Row, ...]
    bare: tuple[Row, ...]
    foreign: tuple[Row, ...]
    repeats: bool
    single: bool

    @property
    def whole(self) -> bool:
        """Whether every row is a sample of the good run with its own label."""
        return not (self.wrong or self.alone or self.bare or self.foreign)

    def faults(self, other: Pairing | None = None) -> tuple[Row, ...]:
        """The rows that nobody should train on, as far as that can be told.

        Args:
            other: another run; what is wrong there in the same way is left out.
        """
        known = {row.digest for row in other.faults()} if other is not None else set()
        strange = {row.x for row in other.foreign} if other is not None else set()
        mixed = (*(self.wrong if self.single else ()), *self.alone, *self.bare)
        foreign = (row for row in self.foreign if self.repeats and row.x not in strange)
        return (*(row for row in mixed if row.digest not in known), *foreign)


def compare(good: Run, spoiled: Run) -> Pairing | None:
    """Compare the samples of two runs of the same data; None where one of them has no samples."""
    if good.recording is None or spoiled.recording is None:
        return None
    ours, theirs = _rows(good, good.recording), _rows(spoiled, spoiled.recording)
    if not ours or theirs is None:
        return None
    labels: dict[str, set[str]] = {}
    for row in ours:
        labels.setdefault(row.x, set()).add(row.y)
    kinds = [_kind(labels, row) for row in theirs]
    wrong, alone, bare, foreign = (
        tuple(row for row, found in zip(theirs, kinds, strict=True) if found == kind)
        for kind in ("wrong", "alone", "bare", "foreign")
    )
    return Pairing(
        len(labels), len(labels.keys() - {row.x for row in theirs}), wrong, alone, bare, foreign,
        _repeats(good.recording), all(len(found) == 1 for found in labels.values()),
    )  # fmt: skip


def known_rows(run: Run) -> tuple[Row, ...]:
    """Every row of a run whose parts are known."""
    if run.recording is None:
        return ()
    parts, entries = run.recording["parts"], observe("samples", run).entries
    return tuple(Row(place, str(row), *parts[str(row)]) for place, row in entries if str(row) in parts)


def belonging(calm: Run) -> dict[str, set[str]]:
    """The labels of each sample, where nothing changes the order of rows: those of batches, and of rows that no batch held.

    Two arrays of a program give labels to such rows where they do so for all samples of the batches that they hold.
    """
    labels: dict[str, set[str]] = {}
    for row in known_rows(calm):
        labels.setdefault(row.x, set()).add(row.y)
    tables = calm.recording["tables"] if calm.recording else []
    found: dict[str, set[str]] = {}
    for one, other in permutations(tables, 2):
        if len(one) == len(other) and _is_table(one, other, labels):
            for x, y in zip(one, other, strict=True):
                found.setdefault(x, set()).add(y)
    return {**found, **labels}


def _is_table(one: Sequence[str], other: Sequence[str], labels: Mapping[str, set[str]]) -> bool:
    seen = [y in labels[x] for x, y in zip(one, other, strict=True) if x in labels]
    return len(seen) >= _FEWEST and all(seen)


def _rows(run: Run, recording: Recording) -> tuple[Row, ...] | None:
    """Every row; None where the parts of some were not kept."""
    parts, entries = recording["parts"], observe("samples", run).entries
    if not all(digest in parts for _, digest in entries):
        return None
    return tuple(Row(place, str(digest), *parts[str(digest)]) for place, digest in entries)


def _kind(labels: Mapping[str, set[str]], row: Row) -> str:
    if row.x not in labels:
        return "foreign" if row.x else "alone"
    if row.y in labels[row.x]:
        return ""
    return "wrong" if row.y else "bare"


def _repeats(recording: Recording) -> bool:
    """Whether each fit has several epochs with the same samples."""
    fits: dict[int, dict[int, set[str]]] = {}
    for step in recording["steps"]:
        seen = fits.setdefault(step["fit"], {}).setdefault(step["epoch"], set())
        seen.update(recording["parts"][row][0] for row in step["rows"])
    return all(len(epochs) > 1 and _all_equal(list(epochs.values())) for epochs in fits.values())


def _all_equal(sets: Sequence[set[str]]) -> bool:
    return all(one == sets[0] for one in sets)
