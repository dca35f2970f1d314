"""What must hold of a change that a contract declares: that samples may change does not mean that any others will do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.proof import figures, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from seqlint.model import Contract, Direction, Observable
    from seqlint.proof.rows import Sides
    from seqlint.proof.run import Difference, Verdict


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
    return not {"parts share no sample", "tests stay"}.isdisjoint(contract.holds)


def of_several(contracts: Sequence[Contract]) -> frozenset[Direction]:
    """What holds of several fixes together: what each of those holds that change what it is read from."""
    names = {name for contract in contracts for name in contract.holds}
    return frozenset(
        name for name in names
        if all(name in one.holds for one in contracts if not (one.changes | one.repairs).isdisjoint(_ALL[name].read))
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Direction:
    """What must hold.

    Attributes:
        of: the observables that it is asked of where one of them has changed.
        words: the sentence that the reader sees.
        seen: where it first does not hold.
        along: other observables that this is read from: where another fix changes one of them, it can't be seen.
    """

    of: tuple[Observable, ...]
    words: str
    seen: Callable[[Sides], Difference | None]
    along: tuple[Observable, ...] = ()

    @property
    def read(self) -> frozenset[Observable]:
        """All observables that it is read from."""
        return frozenset((*self.of, *self.along))


def _first(*parts: Callable[[Sides], Difference | None]) -> Callable[[Sides], Difference | None]:
    return lambda sides: next(filter(None, (part(sides) for part in parts)), None)


_ALL: Mapping[Direction, _Direction] = {
    "pairs match": _Direction(("samples",), "each sample must keep its own label", rows.pairs_match),
    "inputs stay": _Direction(
        ("samples", "order", "grouping"), "each epoch must have the inputs that it had", rows.inputs_stay
    ),
    "labels stay": _Direction(("samples",), "each epoch must have the labels that it had", rows.labels_stay),
    "epochs equal": _Direction(("samples",), "all epochs must have the same samples", rows.epochs_equal),
    "epochs differ": _Direction(("samples",), "each epoch must have samples of its own", rows.epochs_differ),
    "orders differ": _Direction(("order", "grouping"), "each epoch must have an order of its own", rows.orders_differ),
    "only rounded": _Direction(
        ("spec",),
        "nothing but the precision may be another",
        _first(figures.single_for_double, figures.only_rounded),
        along=("samples", "order", "grouping"),
    ),
    "none lost": _Direction(("samples",), "no sample may be lost", rows.none_lost),
    "parts share no sample": _Direction(("samples",), "no sample may be trained and tested on", rows.shared_samples),
    "tests stay": _Direction(("history",), "no input may be tested no more", rows.tests_stay),
    "losses stay": _Direction(("history",), "the losses must be what they were", figures.losses_stay),
    "answers stay": _Direction(("history",), "the predictions must be the same in another order", figures.answers_stay),
    "as on one replica": _Direction(("history",), "several replicas must log what one does", figures.as_on_one_replica),
    "better by name": _Direction(
        ("settings",), "what is watched must be better as its name says", figures.better_by_name
    ),
    "only steps asked": _Direction(
        ("settings",), "nothing but the number of steps may be another", figures.only("an epoch of ")
    ),
    "only rates asked": _Direction(
        ("settings",),
        "nothing but the learning rate may be another",
        figures.only("learning_rate", "the learning rate of ", "the learning rates"),
    ),
    "only metrics asked": _Direction(
        ("settings",), "nothing but the metrics may be another", figures.only("the metrics of ")
    ),
    "only losses asked": _Direction(("settings",), "nothing but the loss may be another", figures.only("the loss of ")),
    "only restoring asked": _Direction(
        ("settings",),
        "nothing but which weights are kept may be another",
        figures.only(": restore_best_weights", ": save_best_only"),
    ),
    "only moments asked": _Direction(
        ("settings",),
        "nothing but what is watched, and when, may be another",
        figures.only(": better", ": monitor", ": save_freq", ": min_delta", "made-up values"),
    ),
}


def names(contract: Contract) -> Iterable[str]:
    """What must hold under a contract, in words."""
    return [_ALL[name].words for name in sorted(contract.holds)]
