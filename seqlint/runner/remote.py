"""Checks on an engine of the user's, such as a cluster: anything that takes a function and gives a future, as `concurrent.futures` does."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from seqlint.model import ConfigError, SeqlintError
from seqlint.runner import work
from seqlint.runner.pieces import Piece, contained, pieces
from seqlint.sources.discovery import Problem
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.config import Config
    from seqlint.runner.plan import Job
    from seqlint.runner.work import Found

_PIECE = 100_000  # bytes of files: a second of work at most, and much more than it takes to send them

_one_at_a_time = threading.Lock()


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


def find(jobs: Sequence[Job], engine: Engine) -> list[Found | Problem]:
    """What checks find, in the order of the jobs; a problem where a check failed, or the engine.

    The files travel as bytes. What is asked of other files, such as the base of a class, is read where the check runs.

    Raises:
        ConfigError: the engine can't run seqlint, or runs another version.
        RuleError: a rule can't be loaded.
    """
    dealt = pieces(_sent(jobs), _PIECE)
    promises = [engine.submit(checked, __version__, piece.jobs) for piece in dealt]
    found: list[Found | Problem] = [Problem(job.path, "") for job in jobs]
    failed: list[tuple[Piece, Exception]] = []
    try:
        for piece, promise in zip(dealt, promises, strict=True):
            try:
                found[piece.start : piece.start + len(piece.jobs)] = promise.result()
            except SeqlintError:
                raise
            except Exception as error:  # of the engine, which may fail in any way
                failed.append((piece, error))
    except BaseException:
        _cancel(promises)
        raise
    if failed and len(failed) == len(dealt):
        raise ConfigError(f"--executor: nothing could be checked there: {_said(failed[0][1])}")
    for piece, _ in failed:
        found[piece.start : piece.start + len(piece.jobs)] = [_alone(job, engine) for job in piece.jobs]
    return [_as_asked(job, result) for job, result in zip(jobs, found, strict=True)]


def checked(version: str, jobs: Sequence[Job]) -> list[Found | Problem]:
    """Check files; what engines call.

    Raises:
        ConfigError: the seqlint that asks has another version.
    """
    if version != __version__:
        raise ConfigError(f"--executor: seqlint {__version__} is installed there, and this is {version}")
    with _one_at_a_time:  # engines may have threads, which share what is read of a project
        return [contained(work.find, job) for job in jobs]


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


def _as_asked(job: Job, result: Found | Problem) -> Found | Problem:
    """A result that names the file as the user did."""
    if isinstance(result, Problem):
        return replace(result, path=job.path)
    return replace(result, diagnostics=tuple(replace(found, path=job.path) for found in result.diagnostics))


def _alone(job: Job, engine: Engine) -> Found | Problem:
    try:
        (result,) = engine.submit(checked, __version__, (job,)).result()
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
