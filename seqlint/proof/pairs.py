"""Proves pairs of programs: runs the unchanged one twice, whose difference is noise, and the changed one once; more often where they differ."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from queue import SimpleQueue
from typing import TYPE_CHECKING

from seqlint.model import OBSERVABLES, Contract
from seqlint.proof import chances, defaults, devices, interpreters
from seqlint.proof.burdens import burdens
from seqlint.proof.contracts import judge
from seqlint.proof.directions import needs_calm, needs_one_replica, needs_tested, steered
from seqlint.proof.failures import missed, placed, said
from seqlint.proof.limits import unseen
from seqlint.proof.listings import listing, names
from seqlint.proof.moved import as_moved, fails_alike, has_trained, lacks, next_failure, without_the_last
from seqlint.proof.plans import missing_factory, planned
from seqlint.proof.regions import Lines, Region, places, reach, regions, watched
from seqlint.proof.repeats import judged, unrepeated
from seqlint.proof.rows import Sides
from seqlint.proof.run import Pair, Proof, Run, Settings, Verdict
from seqlint.proof.running import Worker, worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path


INSTALL = 'pip install "seqlint[proof]"'
_TELLING = frozenset({"samples", "weights", "history"})
"""What tells that a program computes the same: of these, one at least must have been compared."""
UNREACHED = "the code that changes did not run"
"""Other input may reach it; all other obstacles hold for any input."""
MOVED = "the failure that the fix repairs is gone, and the next one comes before all of it was trained"


def missing(settings: Settings) -> tuple[str, ...]:
    """The packages that a proof needs and the interpreter of the settings lacks; that itself where it can't be run."""
    needed = ("numpy", "tensorflow", *(("tf_keras",) if settings.keras == "legacy" else ()))
    if interpreters.is_this(settings.python):
        lacking = tuple(name for name in needed if find_spec(name) is None)
    else:
        lacking = interpreters.lacking(settings.python, needed)
    return tuple(name if os.sep in name else name.replace("_", "-") for name in lacking)


def prove(
    before: str | bytes,
    after: str | bytes,
    contract: Contract,
    *,
    name: str = "program",
    folder: Path | None = None,
    settings: Settings | None = None,
) -> Proof:
    """Run a program before and after a change, and judge what differs under a contract.

    Args:
        folder: the folder of the script; the small files in it are copied for each run.
    """
    with worker(settings or Settings()) as child:
        return prove_pair(Pair(name, before, after, contract, folder), child)


def prove_all(
    pairs: Iterable[Pair],
    settings: Settings | None = None,
    *,
    jobs: int = 1,
    how: Callable[[Pair, Worker], Proof] | None = None,
) -> Iterator[Proof]:
    """Prove many pairs on few imports of TensorFlow; the proofs come in the order of the pairs.

    Args:
        jobs: how many programs run at once, each in a child of its own.
        how: what to do with each pair; None: `prove_pair`.
    """
    with ExitStack() as stack, ThreadPoolExecutor(jobs) as pool:
        idle: SimpleQueue[Worker] = SimpleQueue()
        for _ in range(jobs):
            idle.put(stack.enter_context(worker(settings or Settings())))
        futures = [pool.submit(_prove_in, idle, pair, how or prove_pair) for pair in pairs]
        try:
            for future in futures:
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _prove_in(idle: SimpleQueue[Worker], pair: Pair, how: Callable[[Pair, Worker], Proof]) -> Proof:
    """Prove a pair in the first child that is free."""
    child = idle.get()
    try:
        return how(pair, child)
    finally:
        idle.put(child)


def prove_pair(pair: Pair, child: Worker, *, twice: bool = True) -> Proof:
    """Prove one pair in a child that is already there.

    Args:
        pair: the program and what became of it.
        child: where both run.
        twice: run the unchanged program twice, to tell noise from differences; without, all must be equal to the bit.
    """
    if pair.program.kind == "classes":
        pair, planning = planned(pair, child)
        if planning is not None:
            run, obstacle, factory = planning
            return replace(_unproved(pair, child, run, run, obstacle), factory=factory)
    proof = _proved(pair, child, twice)
    if chances.lack_kernel(proof.before, proof.after):
        pair = replace(pair, program=replace(pair.program, deterministic=False))
        proof = _proved(pair, child, twice)
        return replace(proof, notes=(*proof.notes, chances.LOOSE))
    return chances.under_others(pair, child, proof) if twice else proof


def _proved(pair: Pair, child: Worker, twice: bool) -> Proof:
    kind = pair.program.kind
    touched = regions(listing(pair.before, kind), listing(pair.after, kind))
    old, new = watched(touched)
    pair = replace(pair, program=replace(pair.program, defaults=_defaults(pair)))
    before = _run(child, pair, pair.before, old)
    if before.recording is None:
        return _unproved(pair, child, before, before, f"the program can't be run: {before.detail}")
    covered = "errors" in pair.contract.changes | pair.contract.repairs
    if before.status == "limit" and not covered:
        return _unproved(pair, child, before, before, f"the program did not end: {before.detail}")
    after = _run(child, pair, pair.after, new)
    found, called = reach(touched, before, after), names(pair.before, kind)
    unreached = f"{UNREACHED}: {places(found.missed, called)}" if found.missed else ""
    failure = next_failure(pair.contract, before, after, touched)
    stopped = lacks(pair.contract, before, after, touched) if not failure else "" if has_trained(after) else failure
    if not failure and not stopped and "errors" in pair.contract.repairs:
        stopped = _hidden(child, pair, before, after, touched)
    gone = f"{MOVED}: {stopped} (line {_line_of(after)} after the fix)" if stopped else ""
    obstacle = _obstacle(before, after, child.settings) or gone or unreached
    if obstacle:
        return _unproved(pair, child, before, after, obstacle)
    again: tuple[Run, ...] = ()
    verdicts = judge(pair.contract, before, after)
    if twice and before.status == "done":
        verdicts, again = judged(
            pair.contract,
            before,
            after,
            lambda: _run(child, pair, pair.before, []),
            lambda: _run(child, pair, pair.after, []),
            least=1 if pair.program.deterministic else 2,
        )
    verdicts = as_moved(verdicts, failure) if failure else verdicts
    verdicts = steered(pair.contract, verdicts, lambda: _sides(child, pair, before, after))
    unsure = _unsure(pair.contract, before, after, again, verdicts)
    if not unsure and all(verdict.outcome in ("SAME", "NOT RUN") for verdict in verdicts):
        unsure = unseen(listing(pair.before, kind), listing(pair.after, kind), (before, after))
    if unsure:
        return replace(_unproved(pair, child, before, after, unsure), again=again)
    notes = _notes(pair, before, after)
    if found.idle:
        notes = (
            *notes,
            f"of what changes, nothing is proved about code that did not run: {places(found.idle, called)}",
        )
    factory = missing_factory(pair.program)
    return Proof(
        pair.name,
        pair.contract,
        child.settings,
        before,
        after,
        again,
        verdicts,
        notes=notes,
        factory=factory,
        next_failure=failure,
    )


def _hidden(child: Worker, pair: Pair, before: Run, after: Run, touched: Sequence[Region]) -> str:
    """What the changed program fails with in lines that have changed, and would without the change of these; else empty."""
    if pair.program.kind != "script" or after.recording is None or after.recording["steps"]:
        return ""
    one, other = (listing(text, pair.program.kind) for text in (pair.before, pair.after))
    rest = without_the_last(one, other, (before, after), touched)
    return said(after.recording) if rest and fails_alike(after, _run(child, pair, rest, [])) else ""


def _line_of(run: Run) -> int:
    """The last line of the program on the way to what ended it."""
    return run.recording["raised"][1] if run.recording else 0


def _defaults(pair: Pair) -> tuple[str, ...]:
    """The parameters whose defaults change; of a notebook none are known."""
    texts = (listing(text, pair.program.kind) for text in (pair.before, pair.after))
    return defaults.changed(*texts) if pair.program.kind != "notebook" else ()


def _run(child: Worker, pair: Pair, text: str | bytes, changed: Sequence[Lines]) -> Run:
    program = replace(pair.program, changed=tuple(changed), validated=needs_tested(pair.contract))
    return child.run(text, pair.script, pair.folder, program)


def _sides(child: Worker, pair: Pair, before: Run, after: Run) -> Sides:
    """The runs that a direction is seen in; the unchanged program runs once more where it needs that."""
    calm = single = None
    if needs_calm(pair.contract):
        calm = child.run(pair.before, pair.script, pair.folder, replace(pair.program, calm=True))
    if needs_one_replica(pair.contract) and child.settings.replicas > 1:
        alone = Worker(replace(child.settings, replicas=1), child.child)
        single = alone.run(pair.after, pair.script, pair.folder, pair.program)
    return Sides(before, after, calm, single)


def _unproved(pair: Pair, child: Worker, before: Run, after: Run, obstacle: str) -> Proof:
    verdicts = tuple(Verdict(observable, "NOT RUN") for observable in OBSERVABLES)
    notes = _notes(pair, before, after)
    return Proof(pair.name, pair.contract, child.settings, before, after, (), verdicts, obstacle, notes)


def _obstacle(before: Run, after: Run, settings: Settings) -> str:
    """Why two runs prove nothing; empty when they can be judged."""
    if before.status == after.status == "limit":
        return f"the program did not end, before and after: {before.detail}"
    if after.recording is None or before.recording is None:
        return ""
    if settings.device == "gpu" and (found := _not_on_gpu(before, after)):
        return found
    ends = [(run.status, run.recording and run.recording["error"]) for run in (before, after)]
    if before.trained or after.trained or ends[0] != ends[1]:
        return ""
    error = before.recording["error"]
    if error is not None and error["type"] == "FactoryError":
        return error["text"]
    if error is not None:
        return f"the program fails before a model is trained, before and after: {placed(before.recording)}"
    if before.recording["calls"] or after.recording["calls"]:
        return ""
    return "the program runs no model: it calls neither fit, evaluate, predict nor an optimizer"


def _unsure(contract: Contract, before: Run, after: Run, again: tuple[Run, ...], verdicts: tuple[Verdict, ...]) -> str:
    """Why runs that were judged prove nothing: where neither batches nor results could be compared, who knows."""
    repaired = before.failed and "errors" in contract.repairs and not after.failed
    if repaired or any(verdict.outcome == "DIFFERENT" for verdict in verdicts):
        return ""
    if found := unrepeated(contract, before, again, verdicts):
        return found
    telling = [verdict for verdict in verdicts if verdict.observable in _TELLING]
    if before.failed or after.failed or any(verdict.outcome != "NOT RUN" for verdict in telling):
        return ""
    details = dict.fromkeys(f"{verdict.observable}: {verdict.detail}" for verdict in telling)
    return f"nothing that the program computes could be compared. {'; '.join(details)}"


def _not_on_gpu(before: Run, after: Run) -> str:
    found = (devices.elsewhere(run.recording, "GPU") for run in (before, after) if run.recording)
    return next(filter(None, found), "")


def _notes(pair: Pair, before: Run, after: Run) -> tuple[str, ...]:
    notes: dict[str, None] = {}
    for run in (before, after):
        for number, fit in enumerate(run.recording["fits"] if run.recording else (), 1):
            if fit["cut"]:
                notes[f"fit {number} was cut to a smoke run: {fit['cut']}"] = None
        for note in run.recording["notes"] if run.recording else ():
            notes[note] = None
    for run in (before, after):
        notes.update(dict.fromkeys(missed(run)))
    if before.recording is not None and pair.program.deterministic:
        notes.update(dict.fromkeys(devices.remarks(before.recording, "GPU")))
    notes.update(dict.fromkeys(burdens(before, after)))
    return tuple(notes)
