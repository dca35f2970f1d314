"""How often the two programs run: chance makes equal runs agree at times, and must make no answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.proof.compare import series_of
from seqlint.proof.contracts import judge, noise_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from seqlint.model import Contract, Observable
    from seqlint.proof.run import Run, Verdict

_RESULTS: tuple[Observable, ...] = ("history", "weights")
AT_TIMES = "the changed program differs here in one of two runs, so nothing can be said"


def judged(
    contract: Contract, before: Run, after: Run, first: Callable[[], Run], second: Callable[[], Run], least: int = 1
) -> tuple[tuple[Verdict, ...], tuple[Run, ...]]:
    """The answers, and the runs of the unchanged program that gave the noise.

    It runs twice, also where nothing differs: what chance made equal is not proved. Before something is called different, it runs a third
    time, and the changed program a second time.

    Args:
        first: runs the unchanged program.
        second: runs the changed one.
        least: how often the unchanged program runs once more at least.
    """
    again = tuple(first() for _ in range(least))
    verdicts = judge(contract, before, after, *again)
    if _differs(verdicts) and not _is_sure(verdicts):
        again = (*again, first())
        verdicts = judge(contract, before, after, *again)
    if _differs(verdicts) and not _is_sure(verdicts) and after.status == "done":
        others = judge(contract, before, second(), *again)
        verdicts = tuple(_in_both(*pair) for pair in zip(verdicts, others, strict=True))
    return verdicts, again


def _differs(verdicts: tuple[Verdict, ...]) -> bool:
    return any(verdict.outcome == "DIFFERENT" for verdict in verdicts)


def _is_sure(verdicts: tuple[Verdict, ...]) -> bool:
    """Whether what differs is no matter of chance: what was asked for."""
    return any(verdict.observable == "settings" and verdict.outcome == "DIFFERENT" for verdict in verdicts)


def _in_both(one: Verdict, other: Verdict) -> Verdict:
    if one.outcome != "DIFFERENT" or other.outcome == "DIFFERENT":
        return one
    return replace(one, outcome="NOT RUN", detail=AT_TIMES)


def unrepeated(contract: Contract, before: Run, again: tuple[Run, ...], verdicts: tuple[Verdict, ...]) -> str:
    """Why nothing is known of what a program computes: it does so otherwise in each run; empty where it does not.

    What a callback adds to the history, such as a time, is no result of the training.
    """
    if any(verdict.detail == AT_TIMES for verdict in verdicts):
        names = ", ".join(verdict.observable for verdict in verdicts if verdict.detail == AT_TIMES)
        return f"the changed program differs in one of two runs: {names}"
    loose = [
        name
        for observable in _RESULTS
        if observable not in contract.changes
        for name in _loose(observable, before, again)
    ]
    if not loose:
        return ""
    more = f", and {len(loose) - 1} more" if len(loose) > 1 else ""
    return f"the results are not repeatable: two runs of the unchanged program differ in {loose[0]}{more}"


def _loose(observable: Observable, before: Run, again: tuple[Run, ...]) -> Iterator[str]:
    own = _own(before)
    names = dict.fromkeys(map(series_of, sorted(noise_of(observable, before, again).unstable)))
    yield from (name for name in names if name in own or not name.startswith("fit "))


def _own(run: Run) -> set[str]:
    """The series that Keras itself computes."""
    fits = run.recording["fits"] if run.recording else []
    return {f"fit {number}, {name}" for number, fit in enumerate(fits, 1) for name in fit["series"]}
