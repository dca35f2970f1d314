"""`seqlint fix --verify`: applies only the fixes whose contract held."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from seqlint.cli import console, progress, proving
from seqlint.engine import Applied, Fixed, Refused, forget, texts
from seqlint.model import ConfigError, UnreadableSource
from seqlint.proof import files_of, keep_what_held, prove_file, summary, workers
from seqlint.runner import text, work
from seqlint.sources import Source, is_page, several
from seqlint.sources.discovery import Problem
from seqlint.sources.several import Change
from seqlint.sources.surroundings import supposing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from seqlint.engine import Other
    from seqlint.proof import FileProof, Item, Workers
    from seqlint.runner.plan import Job
    from seqlint.runner.work import FixedFile

Each = TypeVar("Each")

_ONE = Lock()
"""Files are looked at and written by one thread at a time: while it supposes what other files hold, so would all others."""


def run(
    jobs: Sequence[Job], trial: proving.Trial, report: str, processes: int, *, write: bool
) -> tuple[list[Fixed], list[Problem], list[FileProof]]:
    """Prove the fixes of files, and keep those that held.

    Args:
        report: where the page goes; empty: nowhere.
        processes: how many files are proved at once.
        write: whether the files are written.

    Returns:
        What became of each file, what could not be read or written, and the proofs of the files that were run.

    Raises:
        ConfigError: what a proof needs is missing, or a file is not in the project that the user names.
    """
    problems: list[Problem] = []
    jobs = [job for job in jobs if not _is_page(job, problems)]
    for job in jobs:
        trial.root_of(Path(os.path.abspath(job.path)))
    prove = partial(_became, trial=trial, write=write, now={})
    with progress.shown("proving", len(jobs)) as done:
        became = list(
            _each(_at_once(prove, list(zip(jobs, work.run(work.fix, jobs, 1), strict=True)), processes), done)
        )
    files = [one.file for one in became if one.file is not None]
    problems += [one.problem for one in became if one.problem is not None]
    proofs = [one.proof for one in became if one.proof is not None]
    if proofs:
        proving.write_report(report, proofs)
    return files, problems, proofs


@dataclass(frozen=True, slots=True)
class _Became:
    """What became of a file: the file, what was wrong with it, and its proof, as far as there are such."""

    file: Fixed | None
    problem: Problem | None = None
    proof: FileProof | None = None


def _at_once(
    prove: Callable[[Job, FixedFile | Problem, Workers], _Became],
    files: Sequence[tuple[Job, FixedFile | Problem]],
    processes: int,
) -> Iterator[_Became]:
    """What became of each file, in order; each thread has workers of its own."""
    count = min(processes, len(files)) or 1
    with ExitStack() as stack:
        idle: SimpleQueue[Workers] = SimpleQueue()
        for _ in range(count):
            idle.put(stack.enter_context(workers()))

        def one(file: tuple[Job, FixedFile | Problem]) -> _Became:
            lent = idle.get()
            try:
                return prove(*file, lent)
            finally:
                idle.put(lent)

        if count == 1:
            yield from map(one, files)
            return
        pool = stack.enter_context(ThreadPoolExecutor(count))
        yield from pool.map(one, files)


def _became(
    job: Job, result: FixedFile | Problem, lent: Workers, *, trial: proving.Trial, write: bool, now: dict[str, bytes]
) -> _Became:
    """What became of a file.

    Args:
        now: what this run has written so far, by absolute paths.
    """
    while True:
        with _ONE:
            job, result = _renewed(job, result, now)
        if isinstance(result, Problem):
            return _Became(None, result)
        if not result.changed:
            return _Became(result.fixed if result.problem is None else _untouched(job, result.fixed), result.problem)
        try:
            fixed, proof = _proved(job, result.fixed, lent, trial)
        except ConfigError as error:
            return _Became(_untouched(job, result.fixed), Problem(job.path, str(error)))
        with _ONE:
            if _is_old(job, fixed, now):
                continue
            problem = _written(job, fixed, now) if write else None
            return _Became(fixed if problem is None else _untouched(job, fixed), problem, proof)


def _renewed(job: Job, result: FixedFile | Problem, now: Mapping[str, bytes]) -> tuple[Job, FixedFile | Problem]:
    """The fixes of a file, made again where this run has meanwhile changed one of the files that they change."""
    if isinstance(result, Problem) or not _is_old(job, result.fixed, now):
        return job, result
    forget()
    here = replace(job, data=now.get(os.path.abspath(job.path), job.data))
    (again,) = work.run(work.fix, [here], 1)
    return here, again


def _is_old(job: Job, fixed: Fixed, now: Mapping[str, bytes]) -> bool:
    """Whether this run has written one of the files of a fix since they were read."""
    read = {os.path.abspath(job.path): job.data, **{other.path: other.data for other in fixed.others}}
    return any(now.get(path, data) != data for path, data in read.items())


def _each(items: Iterable[Each], done: Callable[[int], object]) -> Iterator[Each]:
    """The items; each is done when the next one is asked for."""
    for item in items:
        yield item
        done(1)


def _is_page(job: Job, problems: list[Problem]) -> bool:
    """Whether a file is a page, of which nothing can be run; then that is a problem."""
    found = is_page(job.path)
    if found:
        problems.append(Problem(job.path, "--verify runs Python files and notebooks; this page of text was skipped"))
    return found


def _proved(job: Job, fixed: Fixed, lent: Workers, trial: proving.Trial) -> tuple[Fixed, FileProof]:
    lines = trial.lines(proving.in_use(fixed.before, job.config))
    children = [lent.under(trial.settings(line)) for line in lines]
    with _ONE:
        prepared = proving.prepare(job.path, fixed, job.config, trial)
    console.remark(f"running {job.path} before and after its fixes, in a temporary folder\n")
    proof = prove_file(prepared.asked, children)
    proof = keep_what_held(prepared.asked, proof, children, prepared.join)
    console.remark(summary(proof) + "\n")
    with _ONE:
        return _what_became(job, fixed, proof, prepared.asked.folder), proof


def _what_became(job: Job, fixed: Fixed, proof: FileProof, folder: Path | None) -> Fixed:
    """The file with the fixes that were kept alone; the others are refused, with the answer of their proof."""
    if proof.held:
        return fixed
    source = Source.from_bytes(proof.written or fixed.before.to_bytes(), job.path)
    left = list(fixed.applied)
    taken = [(item, _take(left, item)) for item in proof.items]
    kept = tuple(done for item, done in taken if item in proof.kept)
    refused = tuple(
        Refused(done.code, done.title, _why(item), done.start) for item, done in taken if item not in proof.kept
    )
    others = tuple(_kept_of(fixed, proof.written or b"", folder))
    with supposing(texts({other.path: other for other in others})):
        checked = text.check(source, job.config)
    return Fixed(source, fixed.before, kept, (*fixed.refused, *refused), checked, others)


def _kept_of(fixed: Fixed, written: bytes, folder: Path | None) -> Iterator[Other]:
    """The other files as the fixes that were kept leave them."""
    held = {os.path.normpath(os.path.join(folder or "", name)): data for name, data in files_of(written).items()}
    for other in fixed.others:
        data = held.get(os.path.normpath(other.path))
        if data is not None:
            yield replace(other, after=Source.from_bytes(data, other.path))


def _take(left: list[Applied], item: Item) -> Applied:
    """What the engine noted of a fix: places of later passes differ, so the nearest line decides."""
    same = [done for done in left if (done.code, done.title) == (item.code, item.title)]
    found = min(same, key=lambda done: _distance(done, item))
    left.remove(found)
    return found


def _distance(done: Applied, item: Item) -> tuple[bool, int]:
    return proving.cell_of(done.start) != item.cell, abs(done.start.shown.line - item.line)


def _why(item: Item) -> str:
    obstacle = item.unproved or next((proof.obstacle for proof in item.proofs if proof.obstacle), "")
    if item.outcome == "DIFFERENT":
        unlike = [one.observable for proof in item.proofs for one in proof.verdicts if one.outcome == "DIFFERENT"]
        return f"its proof is DIFFERENT in {', '.join(dict.fromkeys(unlike))}, which it does not declare"
    if item.held:
        return "its proof held, but not together with the other fixes"
    return f"NOT RUN: {obstacle.splitlines()[0] if obstacle else 'nothing was proved'}"


def _untouched(job: Job, fixed: Fixed) -> Fixed:
    """A file that could not be written: as it was, with what is found in it."""
    return Fixed(fixed.before, fixed.before, (), (), text.check(fixed.before, job.config))


def _written(job: Job, fixed: Fixed, now: dict[str, bytes]) -> Problem | None:
    if fixed.source.text == fixed.before.text:
        return None
    others = [Change(other.path, other.after.to_bytes(), other.data) for other in fixed.others]
    try:
        several.write([Change(job.path, fixed.source.to_bytes(), job.data), *others])
    except UnreadableSource as error:
        return Problem(job.path, str(error))
    now.update(texts({other.path: other for other in fixed.others}, fixed.source))
    return None
