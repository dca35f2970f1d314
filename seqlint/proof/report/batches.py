"""The first batch in which two runs differ, row by row."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

from seqlint.proof.observables import observe

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from seqlint.model import Observable
    from seqlint.proof.run import Outcome, Proof, Run

_OF_BATCHES: tuple[Observable, ...] = ("samples", "order", "grouping")
_TOLD: tuple[Outcome, ...] = ("DIFFERENT", "CHANGED AS DECLARED")
_LINED_UP = 512
"""Rows up to which equal rows are put next to each other; larger batches are compared row by row."""


@dataclass(frozen=True, slots=True)
class Row:
    """Two digests of samples, next to each other; empty where a side has no such row."""

    before: str
    after: str

    @property
    def equal(self) -> bool:
        """Whether both runs have this sample here."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class Batch:
    """A train step and its rows; `place` is such as "fit 1, epoch 1, step 2"."""

    place: str
    rows: tuple[Row, ...]

    @property
    def reordered(self) -> bool:
        """Whether both sides have the same samples in another order."""
        one, other = (
            sorted(filter(None, side)) for side in zip(*((r.before, r.after) for r in self.rows), strict=True)
        )
        return one == other


def first_differing(proof: Proof) -> Batch | None:
    """The first batch that is not equal; None where no observable of the batches says that they differ."""
    if not any(v.observable in _OF_BATCHES and v.difference and v.outcome in _TOLD for v in proof.verdicts):
        return None
    one, other = _batches(proof.before), _batches(proof.after)
    for place in dict.fromkeys((*one, *other)):
        before, after = one.get(place, []), other.get(place, [])
        if before != after:
            return Batch(place, tuple(_lined_up(before, after)))
    return None


def _batches(run: Run) -> Mapping[str, list[str]]:
    """The digests of each global batch, by its place."""
    found: dict[str, list[str]] = {}
    for place, digest in observe("samples", run).entries:
        found.setdefault(place.rpartition(", row ")[0], []).append(str(digest))
    return found


def _lined_up(before: Sequence[str], after: Sequence[str]) -> Iterator[Row]:
    if max(len(before), len(after)) > _LINED_UP:
        yield from (Row(*pair) for pair in zip_longest(before, after, fillvalue=""))
        return
    for _, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield from (Row(*pair) for pair in zip_longest(before[i:j], after[k:m], fillvalue=""))
