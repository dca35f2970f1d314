"""A second proof on bad input: the same two programs with one data file truncated or gone.

Contracts that speak of bad input change nothing on good input: only a corrupt item shows whether it is raised with its
name, dropped with its label, or lost without a word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from seqlint.model import OBSERVABLES
from seqlint.proof.compare import first_difference
from seqlint.proof.contracts import judge
from seqlint.proof.listings import listing, names
from seqlint.proof.observables import observe
from seqlint.proof.pairings import Pairing, compare
from seqlint.proof.pairs import UNREACHED
from seqlint.proof.plans import planned
from seqlint.proof.programs import Corrupt, How
from seqlint.proof.regions import places, reach, regions, watched
from seqlint.proof.repeats import judged
from seqlint.proof.run import Difference, Pair, Proof, Run, Verdict
from seqlint.proof.story import fate, own_story, preview

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.model import Contract
    from seqlint.proof.regions import Region
    from seqlint.proof.running import Worker

HOWS: tuple[How, ...] = ("truncated", "missing")
"""The ways to spoil a file. The second one is tried where the first one shows nothing."""
_NO_FILE = "no data file of the program's own is read while it trains, so that none can be spoiled"


@dataclass(frozen=True, slots=True)
class _Case:
    """What does not change between the tries.

    Attributes:
        good: a run on good input, with which rows are compared; None where there is none that came to its end.
        path: the file that is spoiled, relative to the place of the run.
        files: how many files of its kind are read.
    """

    pair: Pair
    child: Worker
    clean: Proof
    touched: tuple[Region, ...]
    good: Run | None
    path: str
    files: int

    @property
    def name(self) -> str:
        """The file as the program knows it."""
        return str(PurePath(*PurePath(self.path).parts[1:]))


def speaks(contract: Contract) -> bool:
    """Whether a contract speaks of bad input.

    It does where errors of a working program change, or where samples do and errors go away.
    """
    return "errors" in contract.changes or ("samples" in contract.changes and "errors" in contract.repairs)


def prove_corrupt(pair: Pair, child: Worker, clean: Proof) -> Proof | None:
    """Prove a pair once more, with one data file spoiled before the programs first run a model.

    Args:
        clean: the proof of the same pair on its own input.

    Returns:
        None where the contract does not speak of bad input, or the program can't be run at all. SAME where the spoiled file changes the same before and
        after; then nothing is proved about bad input, and a note says so.
    """
    if not speaks(pair.contract) or (clean.obstacle and not clean.obstacle.startswith(UNREACHED)):
        return None
    if clean.before.recording is None or clean.after.recording is None:
        return None
    if pair.program.kind == "classes":
        pair, _ = planned(pair, child)
    if _own_input_is_bad(clean):
        return replace(clean, name=_title(pair), notes=(*clean.notes, *own_story(clean)))
    files = max(clean.before.recording["read"], clean.after.recording["read"], key=len)
    if not files:
        return _unproved(pair, clean, clean.before, clean.after, _NO_FILE)
    path, count = choose(files)
    kind = pair.program.kind
    touched = regions(listing(pair.before, kind), listing(pair.after, kind))
    return _first(_tries(_Case(pair, child, clean, touched, _good(clean), path, count)))


def choose(files: Sequence[str]) -> tuple[str, int]:
    """The file to spoil, one in the middle of the largest folder of its kind, and how many there are of this kind."""
    groups: dict[tuple[str, str], list[str]] = {}
    for file in sorted(files):
        groups.setdefault((_kind(file), str(PurePath(file).parent)), []).append(file)
    kind, _ = largest = max(groups, key=lambda group: len(groups[group]))
    return groups[largest][len(groups[largest]) // 2], sum(_kind(file) == kind for file in files)


def _kind(file: str) -> str:
    return PurePath(file).suffix.lower()


def _first(proofs: Iterator[Proof]) -> Proof:
    """The first try that shows something; where none does, one that could be judged."""
    tried: list[Proof] = []
    for proof in proofs:
        if proof.outcome in ("CHANGED AS DECLARED", "DIFFERENT"):
            return proof
        tried.append(proof)
    return max(reversed(tried), key=lambda proof: proof.outcome == "SAME")


def _own_input_is_bad(clean: Proof) -> bool:
    """Whether the changed program ends with an error that the unchanged one did not have."""
    before, after = (observe("errors", run).entries for run in (clean.before, clean.after))
    return bool(after) and before != after and not clean.obstacle


def _good(clean: Proof) -> Run | None:
    """The run on good input: that of the changed program, whose labels should be right."""
    return next((run for run in (clean.after, clean.before) if not run.failed), None)


def _tries(case: _Case) -> Iterator[Proof]:
    for how in HOWS:
        before = _run(case, case.pair.before, how, watched(case.touched)[0])
        if _no_effect(before, case.clean.before) and how != HOWS[-1]:
            continue
        after = _run(case, case.pair.after, how, watched(case.touched)[1])
        yield _judged(case, how, before, after)


def _run(case: _Case, text: str | bytes, how: How, changed: Sequence[tuple[int, int]]) -> Run:
    program = replace(case.pair.program, changed=tuple(changed))
    return case.child.run(text, case.pair.script, case.pair.folder, program, corrupt=Corrupt(case.path, how))


def _no_effect(spoiled: Run, clean: Run) -> bool:
    if spoiled.recording is None or not spoiled.recording["corrupted"]:
        return False
    return all(observe(name, spoiled) == observe(name, clean) for name in ("errors", "samples", "output"))


def _judged(case: _Case, how: How, before: Run, after: Run) -> Proof:
    obstacle = _obstacle(case, before, after)
    if obstacle:
        return _unproved(case.pair, case.clean, before, after, obstacle)
    contract = case.pair.contract
    again: tuple[Run, ...] = ()
    verdicts = judge(contract, before, after)
    if any(verdict.difference for verdict in verdicts) and before.status == "done":
        verdicts, again = judged(
            contract, before, after,
            lambda: _run(case, case.pair.before, how, []), lambda: _run(case, case.pair.after, how, []),
        )  # fmt: skip
    pairings = [compare(case.good, run) if case.good else None for run in (before, after)]
    fault = _fault(case, before, after, *pairings)
    verdicts = tuple(_settled(case, verdict, after, fault) for verdict in verdicts)
    proof = Proof(_title(case.pair), contract, case.clean.settings, before, after, again, verdicts)
    return replace(proof, notes=tuple(_story(case, proof, *pairings)))


def _obstacle(case: _Case, before: Run, after: Run) -> str:
    for run, side in ((before, "before"), (after, "after")):
        if run.recording is None:
            return f"with {case.name} spoiled the program can't be run, {side}: {run.detail}"
        if not run.recording["corrupted"] and not run.failed:
            return f"{case.name} was not there to be spoiled, {side}"
    if before.status == after.status == "limit":
        return f"with {case.name} spoiled the program did not end, before and after: {before.detail}"
    missed = reach(case.touched, before, after).missed
    called = names(case.pair.before, case.pair.program.kind)
    return f"{UNREACHED}, also with {case.name} spoiled: {places(missed, called)}" if missed else ""


def _unproved(pair: Pair, clean: Proof, before: Run, after: Run, obstacle: str) -> Proof:
    verdicts = tuple(Verdict(observable, "NOT RUN") for observable in OBSERVABLES)
    return Proof(_title(pair), pair.contract, clean.settings, before, after, (), verdicts, obstacle)


def _title(pair: Pair) -> str:
    return f"{pair.name}, with bad input"


# -- what no fix may do ----------------------------------------------------------------------------------------------


def _fault(case: _Case, before: Run, after: Run, was: Pairing | None, now: Pairing | None) -> Difference | None:
    """A row that the changed program trains on and should not, or samples that are lost in addition to the spoiled one.

    What the unchanged program did as well is not the work of the fix.
    """
    if now is None:
        return None
    for row in now.faults(was):
        return Difference(
            row.place, "a sample of good input with its own label, or none", preview(after, row.digest)
        )  # fmt: skip
    lost = max(1, was.missing if was is not None and not before.failed else 0)
    if after.failed or now.foreign or now.missing <= lost or case.files % now.known:
        return None  # with as many files as samples, or twice as many, each sample has files of its own
    return Difference("the whole run", f"{lost} of {now.known} samples lost at most", f"{now.missing} lost")


def _settled(case: _Case, verdict: Verdict, after: Run, fault: Difference | None) -> Verdict:
    """The verdict with what is known of good input: a fault breaks it; what is as on good input again is repaired."""
    if verdict.observable == "samples" and fault is not None:
        return replace(verdict, outcome="DIFFERENT", difference=fault)
    if verdict.outcome != "DIFFERENT" or verdict.observable not in case.pair.contract.repairs or case.good is None:
        return verdict
    good, now = (observe(verdict.observable, run) for run in (case.good, after))
    repaired = not now.absent and first_difference(verdict.observable, good, now) is None
    return replace(verdict, outcome="CHANGED AS DECLARED") if repaired else verdict


def _story(case: _Case, proof: Proof, was: Pairing | None, now: Pairing | None) -> Iterator[str]:
    """What the reader should know: what was done to which file, and what became of it on each side."""
    done = proof.before.recording["corrupted"] if proof.before.recording else ""
    yield f"bad input: {case.name} was {done} before the first step"
    own = judge(case.pair.contract, case.clean.before, case.clean.after)
    if all(verdict.difference is None for verdict in own):
        yield "on its own input nothing has changed"
    yield f"before: {fate(case.name, proof.before, was)}"
    yield f"after: {fate(case.name, proof.after, now)}"
    if proof.outcome == "SAME":
        yield "the bad input does the same before and after: nothing is proved about it"
