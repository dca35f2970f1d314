"""Jobs in pieces, each for one process, and what becomes of a job that fails."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from seqlint.model import SeqlintError
from seqlint.sources.discovery import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from seqlint.runner.planned import Job

MANY, MUCH = 30, 300_000
"""The number of jobs, and the number of their bytes, from which a pool is worth its start."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Piece:
    """Jobs that one process does one after the other.

    Attributes:
        start: the place of the first among all jobs.
        size: bytes of all files in it.
    """

    start: int
    jobs: tuple[Job, ...]
    size: int


def worth_it(jobs: Sequence[Job]) -> bool:
    """Whether there is enough to do for more than one process."""
    return len(jobs) >= MANY or (len(jobs) > 1 and sum(len(job.data) for job in jobs) >= MUCH)


def pieces(jobs: Sequence[Job], enough: int) -> list[Piece]:
    """The jobs in pieces of a size in bytes, neighbours together: they often ask for the same modules. The biggest come first."""
    found: list[Piece] = []
    start = size = 0
    for place, job in enumerate(jobs):
        size += len(job.data)
        if size >= enough or place == len(jobs) - 1:
            found.append(Piece(start, tuple(jobs[start : place + 1]), size))
            start, size = place + 1, 0
    return sorted(found, key=lambda piece: -piece.size)


def contained(work: Callable[[Job], Result], job: Job) -> Result | Problem:
    """The result of a job. A fault of seqlint ends the work on one file, not on the others."""
    try:
        return work(job)
    except SeqlintError:
        raise
    except Exception as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        place = f"{Path(last.filename).name}:{last.lineno}"
        return Problem(job.path, f"seqlint failed on this file, please report it: {error!r} at {place}")
