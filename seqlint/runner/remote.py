"""Work on an engine of the user's, such as a cluster: anything that takes a function and gives a future, as `concurrent.futures` does."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from seqlint.model import ConfigError, RuleError, SeqlintError
from seqlint.runner.pieces import Piece, contained, pieces
from seqlint.sources.discovery import Problem
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from seqlint.config import Config
    from seqlint.runner.planned import Job

_PIECE = 100_000  # bytes of files: a second of work at most, and much more than it takes to send them

_one_at_a_time = threading.Lock()


Same = TypeVar("Same")


class Placed(Protocol):
    """What became of a file."""

    def at(self: Same, path: str) -> Same:
        """The same of a file that is named in another way: as the user did."""


Result = TypeVar("Result", bound=Placed)


class Promise(Protocol):
    """What an engine gives for a call."""

    def result(self) -> Any:
        """What the call has returned; raises what it has raised."""


@runtime_checkable
class Engine(Protocol):
    """What calls functions elsewhere. Where it is a context manager, it is left when all is done."""

    def submit(self, function: Any, /, *arguments: Any) -> Promise:
        """Call a function of a module, which is found by its name there, with arguments that can be pickled."""


@contextmanager
def engine(name: str) -> Iterator[Engine]:
    """The engine that a factory makes, for as long as the block lasts.

    Args:
        name: module and factory, such as "distributed:Client". The working directory is searched, too.

    Raises:
        ConfigError: there is no such factory, or it makes no engine.
    """
    with ExitStack() as stack:
        made = _made(name)
        if not isinstance(made, Engine):
            raise ConfigError(f"--executor: {name} makes {type(made).__name__}, which has no method `submit`")
        if isinstance(made, AbstractContextManager):
            stack.enter_context(made)
        yield made


def run(
    work: Callable[[Job], Result],
    jobs: Sequence[Job],
    engine: Engine,
    told: Callable[[int], object] = lambda more: None,
) -> list[Result | Problem]:
    """The results of all jobs, in their order; a problem where the work failed over one, or the engine.

    The files travel as bytes. What is asked of other files, such as the base of a class, is read where the work is done.

    Args:
        work: a function of a module that leaves the disk as it is.
        told: how many more jobs are done, now and then.

    Raises:
        ConfigError: the engine can't run seqlint, or runs another version.
        RuleError: a rule can't be loaded.
    """
    dealt = pieces(_sent(jobs), _PIECE)
    promises = [engine.submit(done, __version__, work, piece.jobs) for piece in dealt]
    results: list[Result | Problem] = [Problem(job.path, "") for job in jobs]
    failed: list[tuple[Piece, Exception]] = []
    try:
        for piece, promise in zip(dealt, promises, strict=True):
            try:
                results[piece.start : piece.start + len(piece.jobs)] = promise.result()
                told(len(piece.jobs))
            except SeqlintError:
                raise
            except Exception as error:  # of the engine, which may fail in any way
                failed.append((piece, error))
    except BaseException:
        _cancel(promises)
        raise
    if failed and len(failed) == len(dealt):
        raise ConfigError(f"--executor: nothing could be done there: {_said(failed[0][1])}")
    for piece, _ in failed:
        results[piece.start : piece.start + len(piece.jobs)] = [_alone(work, job, engine) for job in piece.jobs]
    return [result.at(job.path) for job, result in zip(jobs, results, strict=True)]


def done(version: str, work: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result | Problem]:
    """Work on files; what engines call.

    Raises:
        ConfigError: the seqlint that asks has another version.
        RuleError: the rules of the project are others here; the user trusts those that were seen there.
    """
    if version != __version__:
        raise ConfigError(f"--executor: seqlint {__version__} is installed there, and this is {version}")
    _check_rules({job.config for job in jobs})
    with _one_at_a_time:  # engines may have threads, which share what is read of a project
        return [contained(work, job) for job in jobs]


def _check_rules(configs: Iterable[Config]) -> None:
    from seqlint.config import trust

    for config in configs:
        for folder, seen in zip(config.rules, config.digests, strict=True):
            if seen is None or trust.digest(folder) != seen:
                raise RuleError(f"--executor: the rules in {folder} are not the same there, so they were not loaded")


def _made(name: str) -> object:
    module, colon, factory = name.partition(":")
    if not (module and colon and factory):
        raise ConfigError(f"--executor: {name!r} is no MODULE:FACTORY, such as distributed:Client")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        make = getattr(import_module(module), factory)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"--executor: there is no {name}: {error}") from error
    try:
        return make()
    except Exception as error:
        raise ConfigError(f"--executor: {name} makes no engine: {_said(error)}") from error


def _sent(jobs: Sequence[Job]) -> list[Job]:
    """The jobs as others understand them, who have a working directory and a cache of their own."""
    configs: dict[Config, Config] = {}
    for job in jobs:
        configs.setdefault(job.config, replace(job.config, cache=None))
    return [replace(job, path=os.path.abspath(job.path), config=configs[job.config], reading=None) for job in jobs]


def _alone(work: Callable[[Job], Result], job: Job, engine: Engine) -> Result | Problem:
    try:
        (result,) = engine.submit(done, __version__, work, (job,)).result()
    except SeqlintError:
        raise
    except Exception as error:
        return Problem(job.path, f"the executor failed on this file: {_said(error)}")
    return result  # type: ignore[no-any-return]


def _cancel(promises: Sequence[Promise]) -> None:
    for promise in promises:
        if hasattr(promise, "cancel"):
            promise.cancel()


def _said(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
