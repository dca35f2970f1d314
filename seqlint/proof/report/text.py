"""A proof as text for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.proof.failures import missed
from seqlint.proof.report.costs import costs
from seqlint.proof.report.groups import distinct
from seqlint.proof.report.words import (
    conclusion,
    declared,
    item_label,
    legible,
    located,
    place,
    short,
    stderr,
    verdict_label,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from seqlint.proof.answers import FileProof, Item
    from seqlint.proof.run import Difference, Outcome, Proof, Run, Verdict

_COLOURS: Mapping[Outcome, str] = {
    "SAME": "32", "CHANGED AS DECLARED": "36", "NEW": "36", "DIFFERENT": "1;31", "NOT RUN": "2",
}  # fmt: skip
_LONGEST = 100


def summary(file: FileProof, colour: bool = False) -> str:
    """The answer for each finding of a file, then each proof once; several fixes may share one."""
    lines = [*(_item(item, colour) for item in file.items)]
    lines += [
        f"{left.code} {located(left)}: {_painted('NOT RUN', 'NOT RUN', colour)}: {left.reason}" for left in file.left
    ]
    if not lines:
        return f"{file.path}: no findings, so there is nothing to prove\n{_trial(file)}"
    tables = [render(proof, colour) for proof in distinct(file)]
    nothing = [] if tables else [f"{file.path}: no fix was applied, so there is nothing to prove\n{_trial(file)}"]
    return "\n".join(["".join(f"{line}\n" for line in lines), *tables, *nothing])


def _trial(file: FileProof) -> str:
    """Whether the program trains as it is."""
    if file.trial is None:
        return ""
    run = file.trial.run
    notes = [*(run.recording["notes"] if run.recording else ()), *missed(run)]
    factory = (
        ["a factory that would drive it, for the file seqlint_smoke.py next to it:", "", file.trial.factory]
        if file.trial.factory
        else []
    )
    return "".join(
        f"{line}\n" for line in (f"{file.path}: {file.trial.said}", *(f"note: {note}" for note in notes), *factory)
    )


def render(proof: Proof, colour: bool = False) -> str:
    """The table of observables, with the first difference of each, what it cost, and the conclusion."""
    lines = [f"{proof.name}: {_setting(proof)}", "", *_hung(proof)]
    if proof.obstacle:
        lines += [*_wrapped(f"NOT RUN: {proof.obstacle}"), *(f"  {line}" for line in stderr(proof))]
    else:
        lines += [line for verdict in proof.verdicts for line in _row(verdict, proof, colour)]
        lines += ["", f"speed       before {_speed(proof.before)}", f"            after  {_speed(proof.after)}"]
    lines += [*_factory(proof), *(f"note: {note}" for note in proof.notes), "", conclusion(proof)]
    return "\n".join(lines) + "\n"


def _item(item: Item, colour: bool) -> str:
    safety = "safe" if item.contract.safe else "unsafe"
    outcome = _painted(item.outcome, item_label(item), colour)
    why = f"{item.unproved}: " if item.unproved else ""
    return f"{item.code} {located(item)}: {outcome}: {why}{item.title} ({safety}, {declared(item.contract)})"


def _setting(proof: Proof) -> str:
    runs = "run before, after, and before again" if proof.again else "run before and after"
    return f"{runs}, {versions(proof)} {place(proof)}"


def _factory(proof: Proof) -> list[str]:
    lines = proof.factory.splitlines()
    what = "it" if proof.obstacle else "the rest"
    said = f"a factory that would drive {what}, for the file seqlint_smoke.py next to it:"
    return ["", said, "", *lines, ""] if lines else []


def _hung(proof: Proof) -> Iterator[str]:
    for side, run in (("before", proof.before), ("after", proof.after)):
        if run.hung:
            yield f"HANGS {side}: it {short(run.hung, _LONGEST)}"


def _row(verdict: Verdict, proof: Proof, colour: bool) -> list[str]:
    outcome = _painted(verdict.outcome, f"{verdict_label(verdict, proof.contract):<19}", colour)
    head = f"{verdict.observable:<11} {outcome}  {short(verdict.detail, _LONGEST)}".rstrip()
    return [head, *(_difference(verdict.difference, proof) if verdict.difference else ())]


def _painted(outcome: Outcome, text: str, colour: bool) -> str:
    return f"\x1b[{_COLOURS[outcome]}m{text}\x1b[0m" if colour else text


def _difference(found: Difference, proof: Proof) -> Iterator[str]:
    yield f"            {short(found.where, _LONGEST)}"
    yield f"              before: {short(legible(found.before, proof), _LONGEST)}"
    yield f"              after:  {short(legible(found.after, proof), _LONGEST)}"


def _speed(run: Run) -> str:
    taken = costs(run)
    parts = [f"{run.seconds:.1f} s"]
    if taken.samples_per_second is not None:
        parts.append(f"{taken.samples_per_second:g} samples/s")
    if taken.bytes_per_batch is not None:
        parts.append(f"{taken.bytes_per_batch} bytes a batch")
    return ", ".join(parts) + f", {taken.peak_memory_mib or 0:g} MiB at most"


def _wrapped(text: str) -> list[str]:
    first, *rest = text.splitlines() or [""]
    return [first, *(f"  {line}" for line in rest[:5])]
