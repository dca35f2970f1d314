"""One job after the other, or many at once in a pool of processes."""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from seqlint.engine import Checked, Fixed, unreadable
from seqlint.model import SeqlintError, UnreadableSource
from seqlint.runner import text
from seqlint.sources import Source, disk
from seqlint.sources.discovery import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from multiprocessing.context import BaseContext

    from seqlint.runner.plan import Job

MANY = 30
"""The number of jobs from which a pool is worth its start."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class FixedFile:
    """What became of a file.

    Attributes:
        fixed: the text before and after, and what is still found.
        problem: why the fixes could not be kept; `fixed` is then the file as it was.
    """

    fixed: Fixed
    problem: Problem | None = None

    @property
    def changed(self) -> bool:
        """Whether the fixes change anything."""
        return self.fixed.source.text != self.fixed.before.text


def check(job: Job) -> Checked:
    """Check one file. A file that can't be decoded gives the finding that says so."""
    try:
        source = Source.from_bytes(job.data, job.path)
    except UnreadableSource as error:
        return _undecodable(job, error)
    return text.check(source, job.config)


def fix(job: Job) -> FixedFile:
    """Fix one file without writing it."""
    try:
        source = Source.from_bytes(job.data, job.path)
    except UnreadableSource as error:
        return _untouched(_undecodable(job, error))
    fixed = text.fix(source, job.config)
    try:
        fixed.source.to_bytes()
    except UnreadableSource as error:
        return _untouched(text.check(source, job.config), error)
    return FixedFile(fixed)


def fix_on_disk(job: Job) -> FixedFile:
    """Fix one file and write it, if it still has the bytes that were read."""
    result = fix(job)
    if not result.changed:
        return result
    try:
        disk.write(Path(job.path), result.fixed.source.to_bytes(), read=job.data)
    except UnreadableSource as error:
        return _untouched(text.check(result.fixed.before, job.config), error)
    return result


def _undecodable(job: Job, error: UnreadableSource) -> Checked:
    source = Source(job.path, "")
    return Checked(source, (unreadable(source, error),), broken=True)


def _untouched(checked: Checked, error: UnreadableSource | None = None) -> FixedFile:
    """A file that is left as it was, with what is found in it."""
    source = checked.source
    problem = None if error is None else Problem(source.path, str(error))
    return FixedFile(Fixed(source, source, (), (), checked), problem)


def run(work: Callable[[Job], Result], jobs: Sequence[Job], workers: int) -> list[Result | Problem]:
    """The results of all jobs, in their order; a problem where seqlint itself, or its process, failed over a job.

    Args:
        work: a function of a module: other processes look it up by its name.
        workers: the number of processes; 1 works here.

    Raises:
        RuleError: a rule can't be loaded.
    """
    contained = partial(_contained, work)
    if workers <= 1 or len(jobs) < MANY:
        return [contained(job) for job in jobs]
    with _pool(min(workers, len(jobs))) as pool:
        futures = [pool.submit(contained, job) for job in jobs]
        results = [_result(future) for future in futures]
    again = _one_by_one(contained, [job for job, result in zip(jobs, results, strict=True) if result is None])
    return [next(again) if result is None else result for result in results]


def _contained(work: Callable[[Job], Result], job: Job) -> Result | Problem:
    """A fault of seqlint ends the work on one file, not on the others."""
    try:
        return work(job)
    except SeqlintError:
        raise
    except Exception as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        place = f"{Path(last.filename).name}:{last.lineno}"
        return Problem(job.path, f"seqlint failed on this file, please report it: {error!r} at {place}")


def _result(future: Future[Result]) -> Result | None:
    """None where a process died: it took the whole pool down, with all jobs that waited."""
    try:
        return future.result()
    except BrokenProcessPool:
        return None


def _one_by_one(work: Callable[[Job], Result | Problem], jobs: Sequence[Job]) -> Iterator[Result | Problem]:
    """The results of jobs of which one or more end their process: each is alone, so the guilty ones are known."""
    waiting = deque(jobs)
    while waiting:
        with _pool(1) as pool:
            while waiting:
                job = waiting.popleft()
                result = _result(pool.submit(work, job))
                if result is None:
                    yield Problem(job.path, "the process that read this file died: it may need too much memory")
                    break
                yield result


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool that, once the block is left, begins no job that still waits: an interrupt ends the run at once."""
    pool = ProcessPoolExecutor(workers, mp_context=_context(), initializer=_end_at_interrupt)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _end_at_interrupt() -> None:
    """Ctrl-C reaches all processes of a terminal. A worker that turned it into an exception would take the next job."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _context() -> BaseContext:
    """Processes that don't inherit our threads; where there is a fork server, it imports the parser once for all."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context
