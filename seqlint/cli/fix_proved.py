"""`seqlint fix --verify`: applies only the fixes whose contract held."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from seqlint.cli import console, progress, proving
from seqlint.engine import Applied, Fixed, Refused
from seqlint.model import UnreadableSource
from seqlint.proof import keep_what_held, prove_file, summary, workers
from seqlint.runner import text, work
from seqlint.sources import Source, disk, is_page
from seqlint.sources.discovery import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from seqlint.proof import FileProof, Item, Workers
    from seqlint.runner.plan import Job

Each = TypeVar("Each")


def run(
    jobs: Sequence[Job], trial: proving.Trial, report: str, *, write: bool
) -> tuple[list[Fixed], list[Problem], list[FileProof]]:
    """Prove the fixes of files one after the other, and keep those that held.

    Args:
        report: where the page goes; empty: nowhere.
        write: whether the files are written.

    Returns:
        What became of each file, what could not be read or written, and the proofs of the files that were run.

    Raises:
        ConfigError: what a proof needs is missing.
    """
    files: list[Fixed] = []
    problems: list[Problem] = []
    proofs: list[FileProof] = []
    jobs = [job for job in jobs if not _is_page(job, problems)]
    with workers() as lent, progress.shown("proving", len(jobs)) as done:
        for job, result in _each(zip(jobs, work.run(work.fix, jobs, 1), strict=True), done):
            if isinstance(result, Problem):
                problems.append(result)
                continue
            fixed, problem = result.fixed, result.problem
            if result.changed:
                fixed, proof = _proved(job, fixed, lent, trial)
                proofs.append(proof)
                problem = _written(job, fixed) if write else None
            files.append(fixed if problem is None else _untouched(job, fixed))
            problems += [problem] if problem is not None else []
    if proofs:
        proving.write_report(report, proofs)
    return files, problems, proofs


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
    child = lent.under(trial.settings(proving.line_of(proving.in_use(fixed.before, job.config))))
    prepared = proving.prepare(job.path, fixed, job.config)
    console.remark(f"running {job.path} before and after its fixes, in a temporary folder\n")
    proof = prove_file(prepared.asked, [child])
    proof = keep_what_held(prepared.asked, proof, [child], prepared.join)
    console.remark(summary(proof) + "\n")
    return _what_became(job, fixed, proof), proof


def _what_became(job: Job, fixed: Fixed, proof: FileProof) -> Fixed:
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
    return Fixed(source, fixed.before, kept, (*fixed.refused, *refused), text.check(source, job.config))


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


def _written(job: Job, fixed: Fixed) -> Problem | None:
    if fixed.source.text == fixed.before.text:
        return None
    try:
        disk.write(Path(job.path), fixed.source.to_bytes(), read=job.data)
    except UnreadableSource as error:
        return Problem(job.path, str(error))
    return None
