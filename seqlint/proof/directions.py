"""What must hold of a change that a contract declares: that samples may change does not mean that any others will do."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

from seqlint.proof.compare import differing, series_of
from seqlint.proof.observables import ASKED, observe
from seqlint.proof.pairings import belonging, known_rows
from seqlint.proof.run import Difference
from seqlint.proof.values import Vector, distance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from seqlint.model import Contract, Direction, Observable
    from seqlint.proof.pairings import Row
    from seqlint.proof.run import Run, Verdict

_FEW = 4
"""Rows below which an order may be the same by chance."""
_ROUNDED = 1e-5
"""The relative difference of a number that was computed in 32 bits from the same in 64."""
_UNEVEN = 0.1
_RISING = ("acc", "auc", "precision", "recall", "f1", "iou", "dice", "r2", "psnr", "ssim", "bleu", "top_k")
_FALLING = ("loss", "error", "mse", "mae", "rmse", "mape", "crossentropy", "perplexity", "fid", "wer")


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
        """The rows of each epoch, by its name; of runs whose rows are all known."""
        if side not in self._rows:
            self._rows[side] = known_rows(self.before if side == "before" else self.after)
        found: dict[str, list[Row]] = {}
        for row in self._rows[side]:
            found.setdefault(row.place.partition(", step ")[0], []).append(row)
        return found


def steered(contract: Contract, verdicts: Sequence[Verdict], sides: Callable[[], Sides]) -> tuple[Verdict, ...]:
    """The verdicts, where what is declared must have its direction.

    Args:
        sides: the runs; asked for only where something declared has changed.
    """
    changed = {verdict.observable for verdict in verdicts if verdict.outcome == "CHANGED AS DECLARED"}
    wanted = [name for name in sorted(contract.holds) if not changed.isdisjoint(_ALL[name].of)]
    if not wanted:
        return tuple(verdicts)
    runs = sides()
    broken: dict[Observable, tuple[str, Difference]] = {}
    for name in wanted:
        found = _ALL[name].seen(runs)
        if found is not None:
            place = next(observable for observable in _ALL[name].of if observable in changed)
            broken.setdefault(place, (f"{_ALL[name].words}, and it is not so", found))
    return tuple(_broken(verdict, broken) for verdict in verdicts)


def _broken(verdict: Verdict, broken: Mapping[Observable, tuple[str, Difference]]) -> Verdict:
    if verdict.observable not in broken:
        return verdict
    detail, difference = broken[verdict.observable]
    return replace(verdict, outcome="DIFFERENT", detail=detail, difference=difference)


def needs_calm(contract: Contract) -> bool:
    """Whether a direction needs the unchanged program once more, with all orders as they are."""
    return "pairs match" in contract.holds


def needs_one_replica(contract: Contract) -> bool:
    """Whether a direction needs the changed program once more, on one replica."""
    return "as on one replica" in contract.holds


def needs_tested(contract: Contract) -> bool:
    """Whether a direction needs to know which inputs a model is tested on."""
    return not {"parts apart", "tests stay"}.isdisjoint(contract.holds)


def of_several(contracts: Sequence[Contract]) -> frozenset[Direction]:
    """What holds of several fixes together: what each of those holds that change the same."""
    names = {name for contract in contracts for name in contract.holds}
    return frozenset(
        name for name in names
        if all(name in one.holds for one in contracts if not (one.changes | one.repairs).isdisjoint(_ALL[name].of))
    )  # fmt: skip


# -- rows ------------------------------------------------------------------------------------------------------------


def _pairs_match(sides: Sides) -> Difference | None:
    labels = belonging(sides.calm) if sides.calm is not None else {}
    for rows in sides.epochs("after").values():
        for row in rows:
            if row.x in labels and row.y not in labels[row.x]:
                return Difference(row.place, "a sample with its own label", row.digest)
    return None


def _inputs_stay(sides: Sides) -> Difference | None:
    return _same_bags(sides, lambda row: row.x, "the inputs that this epoch had")


def _labels_stay(sides: Sides) -> Difference | None:
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


def _none_lost(sides: Sides) -> Difference | None:
    before, after = sides.epochs("before"), sides.epochs("after")
    for name in [name for name in before if name in after]:
        lost = Counter(row.digest for row in before[name]) - Counter(row.digest for row in after[name])
        if lost:
            return Difference(name, "all samples that it had", f"{lost.total()} are lost")
    return None


def _epochs_equal(sides: Sides) -> Difference | None:
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


def _epochs_differ(sides: Sides) -> Difference | None:
    for (one, rows), (other, more) in _pairs_of_epochs(sides):
        if len(rows) >= _FEW and Counter(row.x for row in rows) == Counter(row.x for row in more):
            return Difference(other, f"other samples than in {one}", "the same samples")
    return None


def _orders_differ(sides: Sides) -> Difference | None:
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
    """Each two epochs of a fit after the change."""
    recording = sides.after.recording
    whole = [not fit["cut"].startswith("the smoke run") for fit in recording["fits"]] if recording else []
    for number, is_whole in enumerate(whole, 1):
        epochs = [(name, rows) for name, rows in sides.epochs("after").items() if name.startswith(f"fit {number}, ")]
        if is_whole:
            yield from combinations(epochs, 2)


def _parts_apart(sides: Sides) -> Difference | None:
    tested = set(sides.after.recording["validated"]) if sides.after.recording else set()
    for rows in sides.epochs("after").values():
        for row in rows:
            if row.x in tested:
                return Difference(row.place, "no sample that the model is tested on", row.digest)
    return None


def _tests_stay(sides: Sides) -> Difference | None:
    was, now = (set(run.recording["validated"]) if run.recording else set() for run in (sides.before, sides.after))
    lost = was - now
    return (
        Difference("the whole run", f"{len(was)} inputs are tested", f"{len(lost)} of them no more") if lost else None
    )


# -- numbers ---------------------------------------------------------------------------------------------------------


def _only_rounded(sides: Sides) -> Difference | None:
    """Each sample has the numbers that it had, as 32 bits can tell."""
    if sides.before.recording is None or sides.after.recording is None:
        return None
    was, now = sides.before.recording["sketches"], sides.after.recording["sketches"]
    pairs = zip(observe("samples", sides.before).entries, observe("samples", sides.after).entries, strict=False)
    for (place, one), (_, other) in pairs:
        if one != other and str(one) in was and str(other) in now and not _near(was[str(one)], now[str(other)]):
            return Difference(place, str(one), str(other))
    return None


def _near(one: list[float], other: list[float]) -> bool:
    scale = max(map(abs, (*one, *other)), default=0.0)
    return len(one) == len(other) and all(
        abs(a - b) <= _ROUNDED * max(abs(a), abs(b), scale * 1e-2) for a, b in zip(one, other, strict=True)
    )


def _single_for_double(sides: Sides) -> Difference | None:
    before, after = (observe("spec", run).entries for run in (sides.before, sides.after))
    for (place, one), (_, other) in zip(before, after, strict=False):
        if str(one).replace("float64", "float32") != str(other).replace("float64", "float32"):
            return Difference(place, str(one), str(other))
    return None


def _losses_stay(sides: Sides) -> Difference | None:
    """Of what a fit logs, the losses are as they were."""
    was, now = (dict(observe("history", run).entries) for run in (sides.before, sides.after))
    for name, value in was.items():
        if series_of(name).endswith("loss") and distance(value, now.get(name)) > _ROUNDED:
            return Difference(name, str(value), str(now.get(name)))
    return None


def _answers_stay(sides: Sides) -> Difference | None:
    """What was predicted are the same numbers, in whatever order."""
    was, now = (dict(observe("history", run).entries) for run in (sides.before, sides.after))
    for name, value in was.items():
        other = now.get(name)
        if name.startswith("predict") and isinstance(value, Vector) and isinstance(other, Vector):
            one, two = sorted(value.numbers), sorted(other.numbers)
            if not _near(one, two):
                return Difference(name, f"{len(one)} numbers", f"{len(two)} numbers, and others")
    return None


def _as_on_one_replica(sides: Sides) -> Difference | None:
    """Uneven shares of a last batch move a mean a little; what counts twice moves it by half."""
    if sides.single is None:
        return None
    alone, after = (dict(observe("history", run).entries) for run in (sides.single, sides.after))
    for name, value in alone.items():
        if name in after and distance(value, after[name]) > _UNEVEN:
            return Difference(name, str(value), str(after[name]))
    return None


# -- settings --------------------------------------------------------------------------------------------------------


def _only(*endings: str) -> Callable[[Sides], Difference | None]:
    """Of what was asked for, nothing differs but values of these things."""

    def seen(sides: Sides) -> Difference | None:
        found = differing(observe("settings", sides.before), observe("settings", sides.after))
        return next((one for one in found if not any(end in one.where for end in endings)), None)

    return seen


def _better_by_name(sides: Sides) -> Difference | None:
    """What is watched is better where it is higher or lower, as its name says."""
    for name, value in observe("settings", sides.after).entries:
        entity, _, which = name.partition(ASKED)
        monitor = dict(observe("settings", sides.after).entries).get(f"{entity}{ASKED}monitor")
        if which == "better" and monitor is not None and (wanted := _wanted(str(monitor))) not in ("", value):
            return Difference(name, wanted, str(value))
    return None


def _wanted(monitor: str) -> str:
    name = monitor.lower()
    if any(word in name for word in _FALLING):
        return "lower"
    return "higher" if any(word in name for word in _RISING) else ""


@dataclass(frozen=True, slots=True)
class _Direction:
    """The observables that it is asked of where one of them has changed, the sentence that the reader sees, and where it first does not hold."""

    of: tuple[Observable, ...]
    words: str
    seen: Callable[[Sides], Difference | None]


def _first(*parts: Callable[[Sides], Difference | None]) -> Callable[[Sides], Difference | None]:
    return lambda sides: next(filter(None, (part(sides) for part in parts)), None)


_ALL: Mapping[Direction, _Direction] = {
    "pairs match": _Direction(("samples",), "each sample must keep its own label", _pairs_match),
    "inputs stay": _Direction(
        ("samples", "order", "grouping"), "each epoch must have the inputs that it had", _inputs_stay
    ),
    "labels stay": _Direction(("samples",), "each epoch must have the labels that it had", _labels_stay),
    "epochs equal": _Direction(("samples",), "all epochs must have the same samples", _epochs_equal),
    "epochs differ": _Direction(("samples",), "each epoch must have samples of its own", _epochs_differ),
    "orders differ": _Direction(("order", "grouping"), "each epoch must have an order of its own", _orders_differ),
    "only rounded": _Direction(
        ("spec",), "nothing but the precision may be another", _first(_single_for_double, _only_rounded)
    ),
    "none lost": _Direction(("samples",), "no sample may be lost", _none_lost),
    "parts apart": _Direction(("samples",), "no sample may be trained and tested on", _parts_apart),
    "tests stay": _Direction(("history",), "no input may be tested no more", _tests_stay),
    "losses stay": _Direction(("history",), "the losses must be what they were", _losses_stay),
    "answers stay": _Direction(("history",), "the predictions must be the same in another order", _answers_stay),
    "as on one replica": _Direction(("history",), "several replicas must log what one does", _as_on_one_replica),
    "better by name": _Direction(("settings",), "what is watched must be better as its name says", _better_by_name),
    "only steps asked": _Direction(
        ("settings",), "nothing but the number of steps may be another", _only("an epoch of ")
    ),
    "only rates asked": _Direction(
        ("settings",),
        "nothing but the learning rate may be another",
        _only("learning_rate", "the learning rate of ", "the learning rates"),
    ),
    "only metrics asked": _Direction(("settings",), "nothing but the metrics may be another", _only("the metrics of ")),
    "only losses asked": _Direction(("settings",), "nothing but the loss may be another", _only("the loss of ")),
    "only moments asked": _Direction(
        ("settings",),
        "nothing but what is watched, and when, may be another",
        _only(": better", ": monitor", ": save_freq", ": min_delta", "made-up values"),
    ),
}


def names(contract: Contract) -> Iterable[str]:
    """What must hold under a contract, in words."""
    return [_ALL[name].words for name in sorted(contract.holds)]
