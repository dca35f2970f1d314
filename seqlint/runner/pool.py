"""Many jobs at once, in processes of this machine: dealt in pieces, the results in the order of the jobs."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import sys
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, TextIO, TypeVar

from seqlint.runner import process
from seqlint.runner.pieces import Piece, contained, pieces
from seqlint.sources.discovery import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from multiprocessing.context import BaseContext

    from seqlint.runner.planned import Job

_PIECES = 16  # for each worker, so that all are done at nearly the same time
_SMALLEST = 20_000  # bytes; what is handed over takes a millisecond, and so does the work on 1,000 bytes

_PATIENCE = 20  # times the limit of a file, as a machine with much to do gives a process a part of the time
_SAFE = "PYTHONSAFEPATH"
_MOST = 61 if sys.platform == "win32" else 1_000  # processes that this system lets us wait for

Result = TypeVar("Result")


def start_ahead() -> None:
    """Start what takes longest of a pool, while others still look for jobs."""
    if _context().get_start_method() == "forkserver":
        _ensure_servers()


def _ensure_servers() -> None:
    """Start the processes that start the others, where they find Python's own modules.

    Python starts them by `-c`, which looks into their working directory first. Those that they start come to that of this
    process once they have its path of imports, which is without it.
    """
    from multiprocessing import forkserver, resource_tracker

    library = os.path.dirname(os.__file__)
    with _in_folder(library if os.path.isdir(library) else os.sep):
        resource_tracker.ensure_running()  # which would let the other one hear again
        with _deaf():
            forkserver.ensure_running()


@contextmanager
def _in_folder(folder: str) -> Iterator[None]:
    """Work in a folder; where the working directory was removed, which has no modules then, stay there."""
    try:
        here = os.getcwd()
    except OSError:
        yield
        return
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)


def run(
    work: Callable[[Job], Result], jobs: Sequence[Job], workers: int, done: Callable[[int], object] = lambda more: None
) -> list[Result | Problem]:
    """The results of all jobs, in their order; a problem where seqlint itself, or its process, failed over a job.

    Args:
        work: a function of a module: other processes look it up by its name.
        workers: the number of processes.
        done: is told how many more jobs are done, now and then.

    Raises:
        RuleError: a rule can't be loaded.
    """
    workers = min(workers, _MOST)
    found: list[Result | Problem] = [Problem(job.path, "") for job in jobs]
    size = max(sum(len(job.data) for job in jobs) // (workers * _PIECES), _SMALLEST)
    for piece, results in _results(work, pieces(jobs, size), workers):
        found[piece.start : piece.start + len(results)] = results
        done(len(results))
    return found


def _worked(work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result | Problem]:
    return [_timed(work, job) for job in jobs]


def _timed(work: Callable[[Job], Result], job: Job) -> Result | Problem:
    """The result of a job. The process ends where the job does not: in a call of a library that never comes back."""
    with ended_after(job.config.time_limit):
        return contained(work, job)


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """End this process where the block does not end in many times its time; 0: in no time at all."""
    if not seconds:
        yield
        return
    faulthandler.dump_traceback_later(_PATIENCE * seconds, exit=True, file=_nowhere())
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


@cache
def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def _results(
    work: Callable[[Job], Result], waiting: list[Piece], workers: int
) -> Iterator[tuple[Piece, list[Result | Problem]]]:
    """Each piece with its results. A process that dies takes its pool down; the next pool goes on with what still waits."""
    while waiting:
        left: list[Piece] = []
        with _pool(min(workers, len(waiting))) as pool:
            with without_main(), _deaf():
                futures = [_submitted(pool, work, piece.jobs) for piece in waiting]
            for piece, future in zip(waiting, futures, strict=True):
                results = _result(future)
                if results is None:
                    left.append(piece)
                else:
                    yield piece, results
        # A pool takes pieces in their order, one for each worker, and keeps as many and one more at hand.
        begun, waiting = left[: 2 * workers + 1], left[2 * workers + 1 :]
        yield from ((piece, list(_one_by_one(work, piece.jobs))) for piece in begun)


def _submitted(
    pool: ProcessPoolExecutor, work: Callable[[Job], Result], jobs: Sequence[Job]
) -> Future[list[Result | Problem]] | None:
    """None where the pool is down already."""
    try:
        return pool.submit(_worked, work, jobs)
    except BrokenProcessPool:
        return None


def _result(future: Future[list[Result | Problem]] | None) -> list[Result | Problem] | None:
    """None where a process died: it took the whole pool down, with all that waited."""
    try:
        return None if future is None else future.result()
    except BrokenProcessPool:
        return None


def _one_by_one(work: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result | Problem]:
    """The results of jobs of which one or more may end their process: each is alone, so the guilty ones are known."""
    waiting = deque(jobs)
    while waiting:
        with _pool(1) as pool:
            while waiting:
                job = waiting.popleft()
                with without_main(), _deaf():
                    future = _submitted(pool, work, (job,))
                results = _result(future)
                if results is None:
                    yield Problem(
                        job.path, "the process that read this file died: it may need too much memory, or time"
                    )
                    break
                yield from results


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool that ends with its block: at an interrupt at once, whatever its processes are doing."""
    others = multiprocessing.active_children()
    pool = of_processes(workers)
    try:
        with _safe_path():
            yield pool
    except KeyboardInterrupt:
        for child in multiprocessing.active_children():
            if child not in others:
                child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _safe_path() -> Iterator[None]:
    """Where no server starts processes, let Python itself keep the working directory off their path (from 3.11 on)."""
    if _context().get_start_method() == "forkserver":
        yield
        return
    before = os.environ.get(_SAFE)
    os.environ[_SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE]
        else:
            os.environ[_SAFE] = before


def of_processes(workers: int) -> ProcessPoolExecutor:
    """A pool whose end is the affair of its owner."""
    start_ahead()
    return ProcessPoolExecutor(workers, mp_context=_context(), initializer=_begin)


def end(pool: ProcessPoolExecutor) -> None:
    """End a pool at once, whatever its processes are doing."""
    running = list((pool._processes or {}).values())  # there is no other way to them before Python 3.14
    pool.shutdown(wait=False, cancel_futures=True)
    for each in running:
        each.terminate()


def _begin() -> None:
    """Make a process one that does jobs."""
    # Ctrl-C reaches all processes of a terminal. One that turned it into an exception would take the next job.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    process.begin()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that start here hear no Ctrl-C while they still import; this one hears it right after the block."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def without_main() -> Iterator[None]:
    """Processes that start here don't run the script of this process, which they need not and which may take long."""
    main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _context() -> BaseContext:
    """Processes that don't inherit our threads; where there is a fork server, it loads the parser and the rules once for all."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["seqlint.runner.warm"])
    return context
