"""Judges two runs under a contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.model import OBSERVABLES, Contract
from seqlint.proof.compare import (
    QUIET,
    SHARED,
    Noise,
    first_difference,
    measure,
    reaches,
    shares,
)
from seqlint.proof.directions import of_several
from seqlint.proof.follows import output_follows, state_follows
from seqlint.proof.observables import FILE, SAID, Observed, observe
from seqlint.proof.outputs import left_out
from seqlint.proof.run import Difference, Verdict
from seqlint.proof.sequences import NOTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from seqlint.model import Observable
    from seqlint.proof.run import Proof, Run

_UNITS: dict[Observable, tuple[str, str]] = {
    "samples": ("sample", "samples"), "grouping": ("batch", "batches"), "hooks": ("call", "calls"),
    "history": ("value", "values"), "weights": ("weight", "weights"), "settings": ("value", "values"), "state": ("value", "values"),
    "warnings": ("warning", "warnings"),
}  # fmt: skip
_LINES, _FILES = ("line", "lines"), ("file", "files")
_FOLLOWS: dict[Observable, Callable[[Contract, Run, Run, Noise], str]] = {
    "state": state_follows,
    "output": output_follows,
}
"""What may pass on numbers that a contract declares as changed."""


def judge(contract: Contract, before: Run, after: Run, *again: Run) -> tuple[Verdict, ...]:
    """The answer for every observable.

    Args:
        again: more runs of the unchanged program; what differs between them and `before` is noise.
    """
    return tuple(_judge(observable, contract, before, after, again) for observable in OBSERVABLES)


def union(contracts: Iterable[Contract]) -> Contract:
    """The contract of several fixes of one file."""
    found = tuple(contracts)
    return Contract(
        frozenset().union(*(contract.changes for contract in found)),
        frozenset().union(*(contract.repairs for contract in found)),
        of_several(found),
    )


def never_seen(contract: Contract, proofs: Iterable[Proof]) -> frozenset[Observable]:
    """What a contract declares to change and no proof has shown: such a claim is stale."""
    seen: frozenset[Observable] = frozenset().union(*(proof.changed for proof in proofs))
    return (contract.changes | contract.repairs) - seen


def _judge(observable: Observable, contract: Contract, before: Run, after: Run, again: tuple[Run, ...]) -> Verdict:
    one, other = observe(observable, before), observe(observable, after)
    if one.absent and other.absent:
        return Verdict(observable, "NOT RUN", one.absent)
    if observable in SHARED and not one.absent and not other.absent and not shares(one, other):
        return Verdict(observable, "NOT RUN", "the runs have no sample in common")
    if observable == "order" and "order" not in contract.changes and (loose := _left_to_chance(before, after)):
        return loose
    noise = noise_of(observable, before, again)
    difference = _difference(observable, one, other, noise if noise.stable else QUIET)
    if not noise.stable:
        return Verdict(observable, "NOT RUN", "two runs of the unchanged program differ here, so nothing can be said")
    if difference is None:
        return Verdict(observable, "SAME", _detail(observable, one, noise))
    if _declared(observable, contract, one, other, before):
        return Verdict(observable, "CHANGED AS DECLARED", difference=difference)
    if observable in _FOLLOWS and (why := _FOLLOWS[observable](contract, before, after, noise)):
        return Verdict(observable, "CHANGED AS DECLARED", why, difference)
    return _ended_early(observable, contract, before, after) or Verdict(
        observable, "DIFFERENT", difference=difference
    )  # fmt: skip


def _left_to_chance(before: Run, after: Run) -> Verdict | None:
    """The answer where the changed program leaves an order to chance that the unchanged one keeps: these runs keep it for both."""
    was, now = (run.recording["chances"] if run.recording else [] for run in (before, after))
    new = [part for part in now if part not in was]
    if not new:
        return None
    where = f"the order in which {' and '.join(new)} gives elements"
    return Verdict("order", "DIFFERENT", difference=Difference(where, "that of its input", "left to chance"))


def noise_of(observable: Observable, before: Run, again: Collection[Run]) -> Noise:
    """What differs between equal runs of the unchanged program; nothing where it ran once."""

    def measured(name: Observable, known: float = 0.0) -> Noise:
        return measure(name, observe(name, before), [observe(name, run) for run in again], known)

    if not again:
        return QUIET
    return measured("state", measured("history").tolerance) if observable == "state" else measured(observable)


def _difference(observable: Observable, one: Observed, other: Observed, noise: Noise) -> Difference | None:
    if one.absent:
        return Difference("the whole run", f"{NOTHING}: {one.absent}", "something")
    if other.absent:
        return Difference("the whole run", "something", f"{NOTHING}: {other.absent}")
    return first_difference(observable, one, other, noise)


def _declared(observable: Observable, contract: Contract, one: Observed, other: Observed, before: Run) -> bool:
    if observable in contract.changes:
        return True
    if observable not in contract.repairs:
        return False
    if observable == "errors":
        return not other.entries
    if observable == "warnings":
        return set(other.entries) < set(one.entries)
    return before.failed


def _ended_early(observable: Observable, contract: Contract, before: Run, after: Run) -> Verdict | None:
    """The answer where one side stopped, as the contract declares, so that the rest of it is missing."""
    covered = "errors" in contract.changes | contract.repairs or "limit" in (before.status, after.status)
    if not covered or observable == "errors":
        return None
    one, other = observe(observable, before), observe(observable, after)
    if before.failed and reaches(observable, one, other):
        return Verdict(observable, "NEW", "the program failed before; equal as far as it got")
    if after.failed and reaches(observable, other, one):
        return Verdict(observable, "NOT RUN", "the program ends earlier now; equal as far as it gets")
    return None


def _counted(number: int, units: tuple[str, str]) -> str:
    return f"{number} {units[number != 1]}"


def _detail(observable: Observable, seen: Observed, noise: Noise) -> str:
    count = len(seen.entries)
    if observable in ("epochs", "steps"):
        return f"{sum(int(str(number)) for _, number in seen.entries)} in all"
    parts = [_counted(count, units)] if (units := _UNITS.get(observable)) else []
    if observable == "output":
        files = sum(place.startswith(FILE) for place, _ in seen.entries)
        lines = sum(place.startswith(("line ", SAID)) for place, _ in seen.entries)
        parts = [_counted(number, units) for number, units in ((lines, _LINES), (files, _FILES)) if number]
    if not count:
        parts = ["none"]
    if observable in ("errors", "spec", "stop") and count:
        parts = [str(seen.entries[-1][1]).splitlines()[0]]
    if noise.tolerance:
        parts.append(f"within {noise.tolerance:.1g}, four times the noise of two equal runs")
    loose = left_out(seen.entries, noise.unstable) if observable == "output" else len(noise.unstable)
    if loose:
        parts.append(f"{loose} not repeatable, left out")
    return ", ".join(parts)
