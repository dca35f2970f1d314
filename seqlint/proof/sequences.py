"""Compares entries one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.run import Difference
from seqlint.proof.values import same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.proof.observables import Entry

NOTHING = "nothing"


def in_turn(one: Sequence[Entry], other: Sequence[Entry]) -> Difference | None:
    """The first entry whose value differs; None where all are equal."""
    for (place, a), (_, b) in zip(one, other, strict=False):
        if not same(a, b):
            return Difference(place, str(a), str(b))
    if len(one) == len(other):
        return None
    longer = one if len(one) > len(other) else other
    place, value = longer[min(len(one), len(other))]
    return Difference(place, *((str(value), NOTHING) if longer is one else (NOTHING, str(value))))


def starts(one: Sequence[Entry], other: Sequence[Entry]) -> bool:
    """Whether some entries are those that others begin with."""
    return [value for _, value in one] == [value for _, value in other[: len(one)]]
