"""A program that failed before, and fails elsewhere now: whether the failure of a fix is gone, and the program went on to its next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.failures import said
from seqlint.proof.run import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.model import Contract
    from seqlint.proof.recorder.recording import Recording
    from seqlint.proof.regions import Lines, Region
    from seqlint.proof.run import Run


def next_failure(contract: Contract, before: Run, after: Run, touched: Sequence[Region]) -> str:
    """The failure that a program has come to; empty where the one before may be there still, or comes of the change.

    It has moved on where it raises something else, further down, and outside of what changed.
    """
    if "errors" not in contract.repairs or before.status != "done" or after.status != "done":
        return ""
    one, other = before.recording, after.recording
    if one is None or other is None or not _is_further(one, other, touched):
        return ""
    return "" if _is_changed(other, touched) else said(other)


def lacks(contract: Contract, before: Run, after: Run, touched: Sequence[Region]) -> str:
    """The failure that a program has come to where it lacks a package, in lines that have changed; else empty.

    A library that needs another one says nothing of the change. What the changed lines import themselves is of their doing.
    """
    one, other = before.recording, after.recording
    if "errors" not in contract.repairs or one is None or other is None or not other["lacking"]:
        return ""
    own = other["imports"] and _is_changed(other, touched)
    was, now = one["raised"][0], other["raised"][0]
    if own or one["error"] in (None, other["error"]) or not was or now < _first_of(was, touched):
        return ""
    return said(other)


def without_the_last(before: str, after: str, runs: tuple[Run, Run], touched: Sequence[Region]) -> str:
    """The changed program without the change of the lines that raised something new; empty where there is no such, or nothing else changed.

    If it fails there as well, that failure is one of the program's own, which the failure before has hidden.

    Args:
        before, after: the texts.
        runs: of these.
    """
    one, other = (run.recording for run in runs)
    if one is None or other is None or not _is_further(one, other, touched):
        return ""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    found = [region for region in touched if any(line and _holds(region.after, line) for line in other["raised"])]
    if not found or len(found) == len(touched):
        return ""
    for region in reversed(found):
        new[region.after[0] - 1 : region.after[1]] = old[region.before[0] - 1 : region.before[1]]
    return "".join(new)


def fails_alike(one: Run, other: Run) -> bool:
    """Whether two runs end in the same failure: its type and its first sentence."""
    told = [said(run.recording).partition(". ")[0] if run.recording else "" for run in (one, other)]
    return told[0] == told[1] != ""


def has_trained(run: Run) -> bool:
    """Whether a model was run, and each training came to its end: only then is the code that a fix repairs known to work."""
    if run.recording is None or not run.recording["calls"]:
        return False
    fits = [fit for fit in run.recording["fits"] if fit["planned"]]
    return all(fit["epochs"] and not fit["why"].endswith("was raised") for fit in fits)


def as_moved(verdicts: Iterable[Verdict], failure: str) -> tuple[Verdict, ...]:
    """The verdicts, with that of the errors as a repaired one."""
    return tuple(
        Verdict(
            "errors", "CHANGED AS DECLARED", f"the failure is gone, and the next one is {failure}", verdict.difference
        )
        if verdict.observable == "errors" and verdict.outcome == "DIFFERENT"
        else verdict
        for verdict in verdicts
    )


def _is_further(one: Recording, other: Recording, touched: Sequence[Region]) -> bool:
    """Whether both failed, and the second run came further down the program than the first, or further in training."""
    if one["error"] is None or other["error"] is None or one["error"] == other["error"]:
        return False
    before, after = one["raised"][0], other["raised"][0]
    if not before or not after:
        return False
    there = _moved(before, touched)
    return after > there or (after == there and len(other["steps"]) > len(one["steps"]))


def _moved(line: int, touched: Sequence[Region]) -> int:
    """Where a line of the program before is after; the last line of what became of it where it has changed itself."""
    shift = 0
    for region in touched:
        if region.before[0] <= line <= region.before[1]:
            return max(region.after[1], region.after[0])
        if region.before[1] < line:
            shift = region.after[1] - region.before[1]
    return line + shift


def _first_of(line: int, touched: Sequence[Region]) -> int:
    """Where a line of the program before is after; the first line of what became of it where it has changed itself."""
    changed = (region.after[0] for region in touched if region.before[0] <= line <= region.before[1])
    return next(changed, _moved(line, touched))


def _is_changed(recording: Recording, touched: Sequence[Region]) -> bool:
    """Whether what was raised comes from lines that have changed."""
    return any(_holds(region.after, line) for region in touched for line in recording["raised"] if line)


def _holds(lines: Lines, line: int) -> bool:
    return lines[0] <= line <= lines[1]
