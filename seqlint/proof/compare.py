"""Compares two observations: the first difference, the noise between equal runs, and how far one run got of another."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.proof import outputs
from seqlint.proof.appeared import counts, is_private
from seqlint.proof.observables import ASKED, EPOCH
from seqlint.proof.run import Difference
from seqlint.proof.sequences import NOTHING, in_turn, starts
from seqlint.proof.values import Value, distance, same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from seqlint.model import Observable
    from seqlint.proof.observables import Entry, Observed

_BY_NAME = frozenset({"history", "weights", "settings", "state", "warnings"})
"""Observables whose entries are found by their place, as those of `steps`; the others are sequences or bags."""
_FINAL = frozenset({"weights", "state", "stop", "epochs", "steps"})
"""Observables that tell nothing once a run has ended early."""
SHARED: frozenset[Observable] = frozenset({"order", "grouping"})
"""Observables that are compared for the samples that both runs saw."""
_FACTOR = 4.0
"""How many times the noise between two equal runs a difference may be."""
_ROUNDED = 1e-6
"""The relative difference of a setting that is kept in 32 bits from the same in 64."""
_LOUDEST = 1e-3
"""Relative noise above which a value is not repeatable at all."""


@dataclass(frozen=True, slots=True)
class Noise:
    """What differs between two equal runs.

    Attributes:
        stable: whether the runs can be compared at all.
        tolerance: the relative difference that is noise.
        unstable: names of what no two runs agree on.
        exact: whether a value that is no fraction must be equal all the same: a count is never off by noise alone.
    """

    stable: bool = True
    tolerance: float = 0.0
    unstable: frozenset[str] = frozenset()
    exact: bool = False


QUIET = Noise()


def measure(observable: Observable, one: Observed, others: Iterable[Observed], known: float = 0.0) -> Noise:
    """The noise between runs of the same program.

    Args:
        known: for "state", the tolerance of the history, whose values it may hold.
    """
    return _loudest([_measure(observable, one, other, known) for other in others])


def _loudest(found: Sequence[Noise]) -> Noise:
    return Noise(
        all(noise.stable for noise in found), max((noise.tolerance for noise in found), default=0.0),
        frozenset().union(*(noise.unstable for noise in found)), any(noise.exact for noise in found),
    )  # fmt: skip


def _measure(observable: Observable, one: Observed, other: Observed, known: float) -> Noise:
    if one.absent or other.absent:
        return Noise(stable=one == other)
    if observable == "output":
        loose = outputs.unstable(one.entries, other.entries)
        return Noise(loose is not None, unstable=loose or frozenset())
    if observable == "state":
        return _measure_state(dict(one.entries), dict(other.entries), known)
    if observable in _BY_NAME:
        return _measure_named(dict(one.entries), dict(other.entries))
    return Noise(stable=first_difference(observable, one, other) is None)


def _measure_named(one: dict[str, Value], other: dict[str, Value]) -> Noise:
    """What differs by more than noise is left out, with the whole series that it is of; the others still count."""
    distances = {name: distance(one.get(name), other.get(name)) for name in one.keys() | other.keys()}
    loose = {series_of(name) for name, gap in distances.items() if gap > _LOUDEST}
    unstable = frozenset(name for name in distances if series_of(name) in loose)
    loudest = max((gap for gap in distances.values() if gap <= _LOUDEST), default=0.0)
    return Noise(len(unstable) < len(distances) or not distances, _FACTOR * loudest, unstable)


def series_of(name: str) -> str:
    """The series that a value of the history belongs to; any other name is one of its own."""
    return name.partition(EPOCH)[0]


def _measure_state(one: dict[str, Value], other: dict[str, Value], known: float) -> Noise:
    """What a program keeps is of all kinds: a time that differs says nothing of the others, and a counter has no noise."""
    names = one.keys() | other.keys()
    loose = {name for name in names if _gap(one.get(name), other.get(name)) > known}
    return Noise(tolerance=known, unstable=frozenset(loose), exact=True)


def _gap(one: Value, other: Value) -> float:
    """The distance of two values; infinite where they are whole numbers that differ."""
    whole = all(isinstance(value, int) or (isinstance(value, float) and value.is_integer()) for value in (one, other))
    return math.inf if whole and not same(one, other) else distance(one, other)


def first_difference(observable: Observable, one: Observed, other: Observed, noise: Noise = QUIET) -> Difference | None:
    """The first place where two observations differ by more than the noise; None when they are equal."""
    if observable == "state":
        return _in_state(one, other, noise)
    if observable == "settings":
        rounded = replace(noise, tolerance=max(noise.tolerance, _ROUNDED))
        return _named(*_asked_of_both(one.entries, other.entries), rounded)
    if observable in _BY_NAME:
        return _named(one.entries, other.entries, noise)
    if observable == "steps":
        return _named(one.entries, other.entries, QUIET)
    if observable == "samples":
        return _bags(one.entries, other.entries)
    if observable in SHARED:
        kept = _shared(one.entries, other.entries)
        ours, theirs = _only(one.entries, kept), _only(other.entries, kept)
        return _bags(ours, theirs) if observable == "grouping" else in_turn(ours, theirs)
    if observable == "output":
        return outputs.first_difference(one.entries, other.entries, noise.unstable)
    return in_turn(one.entries, other.entries)


def _in_state(one: Observed, other: Observed, noise: Noise) -> Difference | None:
    """Compare by name, without new names that no old code can see, and private ones that only one side has."""
    before, after = dict(one.entries), dict(other.entries)
    kept = [entry for entry in one.entries if entry[0] in after or not is_private(entry[0], one)]
    seen = [entry for entry in other.entries if entry[0] in before or counts(entry[0], one)]
    return _named(kept, seen, noise)


def differing(one: Observed, other: Observed) -> Iterator[Difference]:
    """Every setting that two runs differ in."""
    left, right = _asked_of_both(one.entries, other.entries)
    yield from _all_named(left, right, Noise(tolerance=_ROUNDED))


def _named(one: Sequence[Entry], other: Sequence[Entry], noise: Noise) -> Difference | None:
    """Compare by name."""
    return next(_all_named(one, other, noise), None)


def _all_named(one: Sequence[Entry], other: Sequence[Entry], noise: Noise) -> Iterator[Difference]:
    before, after = dict(one), dict(other)
    for name in dict.fromkeys((*before, *after)):
        if name in noise.unstable:
            continue
        gap = _gap if noise.exact else distance
        if name not in before or name not in after or gap(before[name], after[name]) > noise.tolerance:
            yield Difference(name, _shown(before, name), _shown(after, name))


def _asked_of_both(one: Sequence[Entry], other: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """The values of what both runs have: that a fit or a callback is gone shows elsewhere."""
    both = {_entity(name) for name, _ in one} & {_entity(name) for name, _ in other}
    return [entry for entry in one if _entity(entry[0]) in both], [
        entry for entry in other if _entity(entry[0]) in both
    ]


def _entity(name: str) -> str:
    return name.partition(ASKED)[0]


def _shown(values: dict[str, Value], name: str) -> str:
    return str(values[name]) if name in values else NOTHING


def _bags(one: Sequence[Entry], other: Sequence[Entry]) -> Difference | None:
    """Compare without order: the first value that one side has more often than the other.

    It is placed where it comes up once too often, together with what the other side has too much in the same place.
    """
    gone, come = _surplus(one, other), _surplus(other, one)
    if not gone and not come:
        return None
    first = min((*gone, *come), key=lambda found: found[0])[1]
    return Difference(first, *(_placed(surplus, first) for surplus in (gone, come)))


def _surplus(entries: Sequence[Entry], others: Sequence[Entry]) -> list[tuple[int, str, Value]]:
    """What is there more often than among the others: number, place and value."""
    left = Counter(value for _, value in others)
    found = []
    for number, (place, value) in enumerate(entries):
        left[value] -= 1
        if left[value] < 0:
            found.append((number, place, value))
    return found


def _placed(surplus: Sequence[tuple[int, str, Value]], wanted: str) -> str:
    return next((str(value) for _, place, value in surplus if place == wanted), NOTHING)


def shares(one: Observed, other: Observed) -> bool:
    """Whether two runs have a sample in common."""
    return bool(_shared(one.entries, other.entries))


def _shared(one: Sequence[Entry], other: Sequence[Entry]) -> Counter[str]:
    """The samples that both runs saw, with how often both did: what changed elsewhere is not a matter of order."""
    before, after = (Counter(row for _, rows in entries for row in str(rows).split()) for entries in (one, other))
    return before & after


def _only(entries: Sequence[Entry], kept: Counter[str]) -> list[Entry]:
    """The entries with the kept samples alone, each as often as it is kept."""
    left = kept.copy()
    found: list[Entry] = []
    for place, rows in entries:
        names = [name for name in str(rows).split() if _take(left, name)]
        if names:
            found.append((place, " ".join(names)))
    return found


def _take(left: Counter[str], name: str) -> bool:
    left[name] -= 1
    return left[name] >= 0


def reaches(observable: Observable, shorter: Observed, longer: Observed) -> bool:
    """Whether a run that ended early equals the start of another one, as far as it got."""
    one, other = shorter.entries, longer.entries
    if observable in _FINAL or shorter.absent:
        return True
    if observable in _BY_NAME:
        return set(one) <= set(other)
    if observable in ("samples", "grouping"):
        return not Counter(value for _, value in one) - Counter(value for _, value in other)
    if observable == "output":
        return outputs.reaches(one, other)
    return starts(one, other)
