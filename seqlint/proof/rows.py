"""What must hold of samples that a contract lets change, epoch by epoch."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from seqlint.proof.observables import partial_epochs
from seqlint.proof.pairings import belonging, known_rows
from seqlint.proof.run import Difference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from seqlint.proof.pairings import Row
    from seqlint.proof.run import Run

_FEW = 4
"""Rows below which an order may be the same by chance."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The runs before and after a change.

    Attributes:
        calm: the unchanged program in which nothing changes the order of rows; None where that was not asked.
        single: the changed program on one replica; None where that was not asked, or it has no more.
    """

    before: Run
    after: Run
    calm: Run | None = None
    single: Run | None = None
    _rows: dict[str, tuple[Row, ...]] = field(default_factory=dict)

    def epochs(self, side: str) -> dict[str, list[Row]]:
        """The rows of each whole epoch, by its name, as far as they are known."""
        if side not in self._rows:
            partial = tuple(partial_epochs(self.before) | partial_epochs(self.after))
            known = known_rows(self.before if side == "before" else self.after)
            self._rows[side] = tuple(row for row in known if not partial or not row.place.startswith(partial))
        found: dict[str, list[Row]] = {}
        for row in self._rows[side]:
            found.setdefault(row.place.partition(", step ")[0], []).append(row)
        return found


def pairs_match(sides: Sides) -> Difference | None:
    """Each sample has the label that it has where nothing changes the order of rows; what is not known there may have any."""
    labels = belonging(sides.calm) if sides.calm is not None else {}
    for rows in sides.epochs("after").values():
        for row in rows:
            if row.x in labels and row.y not in labels[row.x]:
                return Difference(row.place, "a sample with its own label", row.digest)
    return None


def inputs_stay(sides: Sides) -> Difference | None:
    """Each epoch has the inputs that it had."""
    return _same_bags(sides, lambda row: row.x, "the inputs that this epoch had")


def labels_stay(sides: Sides) -> Difference | None:
    """Each epoch has the labels that it had."""
    return _same_bags(sides, lambda row: row.y, "the labels that this epoch had")


def _same_bags(sides: Sides, part: Callable[[Row], str], what: str) -> Difference | None:
    """Each epoch of the first fit has the same as before, however they are ordered."""
    before, after = sides.epochs("before"), sides.epochs("after")
    for name in [name for name in before if name in after]:
        more = Counter(map(part, after[name])) - Counter(map(part, before[name]))
        less = Counter(map(part, before[name])) - Counter(map(part, after[name]))
        if more or less:
            return Difference(name, what, f"{more.total()} others, and {less.total()} are lost")
    return None


def none_lost(sides: Sides) -> Difference | None:
    """Each epoch has all samples that it had, and perhaps more."""
    before, after = sides.epochs("before"), sides.epochs("after")
    for name in [name for name in before if name in after]:
        lost = Counter(row.digest for row in before[name]) - Counter(row.digest for row in after[name])
        if lost:
            return Difference(name, "all samples that it had", f"{lost.total()} are lost")
    return None


def epochs_equal(sides: Sides) -> Difference | None:
    """All epochs of a fit hold the same samples, or else none comes again before all others came."""
    if not any(_unlike(*pair) for pair in _pairs_of_epochs(sides)) or _takes_turns(sides):
        return None
    return next(_unlike(*pair) for pair in _pairs_of_epochs(sides) if _unlike(*pair))


def _unlike(one: tuple[str, list[Row]], other: tuple[str, list[Row]]) -> Difference | None:
    lost = Counter(row.x for row in one[1]) - Counter(row.x for row in other[1])
    return Difference(other[0], f"the samples of {one[0]}", f"{lost.total()} of them are not there") if lost else None


def _takes_turns(sides: Sides) -> bool:
    """Whether no sample comes twice more than another one: epochs of steps that are no whole pass over the data."""
    seen: dict[str, Counter[str]] = {}
    for name, rows in sides.epochs("after").items():
        seen.setdefault(name.partition(",")[0], Counter()).update(row.x for row in rows)
    return all(max(counts.values()) - min(counts.values()) <= 1 for counts in seen.values())


def epochs_differ(sides: Sides) -> Difference | None:
    """No two epochs of a fit have the same samples, as where random numbers are drawn anew."""
    for (one, rows), (other, more) in _pairs_of_epochs(sides):
        if len(rows) >= _FEW and Counter(row.x for row in rows) == Counter(row.x for row in more):
            return Difference(other, f"other samples than in {one}", "the same samples")
    return None


def orders_differ(sides: Sides) -> Difference | None:
    """A new order in each epoch, that is more than the old one backwards or turned."""
    for (one, rows), (other, more) in _pairs_of_epochs(sides):
        first, second = ([row.digest for row in part] for part in (rows, more))
        if len(first) >= _FEW and len(set(first)) >= _FEW and _is_turned(first, second):
            return Difference(other, f"another order than in {one}", "the same order, or the same backwards or turned")
    return None


def _is_turned(first: list[str], second: list[str]) -> bool:
    """Whether a list is another one, as it is, backwards, or begun at another place."""
    if Counter(first) != Counter(second):
        return False
    return any(first[at:] + first[:at] in (second, second[::-1]) for at in range(len(first)))


def _pairs_of_epochs(sides: Sides) -> Iterator[tuple[tuple[str, list[Row]], tuple[str, list[Row]]]]:
    """Each two whole epochs of a fit after the change."""
    fits: dict[str, list[tuple[str, list[Row]]]] = {}
    for name, rows in sides.epochs("after").items():
        fits.setdefault(name.partition(",")[0], []).append((name, rows))
    for epochs in fits.values():
        yield from combinations(epochs, 2)


def shared_samples(sides: Sides) -> Difference | None:
    """No input is trained on that the model is tested on."""
    tested = set(sides.after.recording["validated"]) if sides.after.recording else set()
    for rows in sides.epochs("after").values():
        for row in rows:
            if row.x in tested:
                return Difference(row.place, "no sample that the model is tested on", row.digest)
    return None


def tests_stay(sides: Sides) -> Difference | None:
    """All inputs that the model was tested on still are."""
    was, now = (set(run.recording["validated"]) if run.recording else set() for run in (sides.before, sides.after))
    lost = was - now
    return (
        Difference("the whole run", f"{len(was)} inputs are tested", f"{len(lost)} of them no more") if lost else None
    )
