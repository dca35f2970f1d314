"""A plan as a value: the files to work on, and those of which enough is known."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seqlint.checked import Assumed, Checked
from seqlint.model import UnreadableSource
from seqlint.sources import Source
from seqlint.sources.discovery import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from seqlint.config import Config
    from seqlint.model import Diagnostic
    from seqlint.runner.earlier.earlier import Earlier
    from seqlint.runner.shard import Part
    from seqlint.runner.work import Found
    from seqlint.sources.discovery import Skipped
    from seqlint.sources.reading import Reading


UNPARSABLE = "SEQ001"


@dataclass(frozen=True)
class Job:
    """One file that may hold a finding.

    Attributes:
        data: its bytes as they were read.
        config: its settings.
        reading: what was read to get here; None where what is found is not kept.
    """

    path: str
    data: bytes
    config: Config
    reading: Reading | None = None

    def source(self) -> Source:
        """The text of the file; none where it can't be decoded."""
        try:
            return Source.from_bytes(self.data, self.path)
        except UnreadableSource:
            return Source(self.path, "")


@dataclass(frozen=True)
class Known:
    """What an earlier run found in a file that is as it was, and around which all is."""

    job: Job
    diagnostics: tuple[Diagnostic, ...]
    keras: Assumed | None = None

    @property
    def fixable(self) -> bool:
        """Whether there is a fix that may be applied."""
        first = (diagnostic.fixes[0] for diagnostic in self.diagnostics if diagnostic.fixes)
        return any(fix.safe or self.job.config.unsafe for fix in first)

    def checked(self) -> Checked:
        """The same as a check would say it."""
        broken = any(found.code == UNPARSABLE and found.level == "error" for found in self.diagnostics)
        return Checked(self.job.source(), self.diagnostics, broken, self.keras)


@dataclass(frozen=True)
class Plan:
    """The files to work on, in order.

    Attributes:
        jobs: those that mention Keras at all, and of which nothing is known from earlier runs.
        files: how many files were looked at, with those that don't.
        problems: what could not be read, and which rules were not loaded.
        part: which part of a run it is; None: all of it.
        known: the files in which an earlier run found something.
        earlier: where results are kept; None: nowhere.
        quiet: the Keras of each file that concerns seqlint and in which an earlier run found nothing.
        skipped: what was met on the way to the files, and left out.
        untrusted: those of the problems that are rule folders which the user does not trust.
        outside: links that lead out of the folder that was named, and were left alone.
        paths: the files that were looked at, in order.
        configs: the settings of each folder in which there are such files, by what is before the names of the files.
    """

    jobs: tuple[Job, ...]
    files: int
    problems: tuple[Problem, ...] = ()
    part: Part | None = None
    known: tuple[Known, ...] = ()
    earlier: Earlier | None = None
    quiet: tuple[Assumed | None, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    untrusted: tuple[Problem, ...] = ()
    outside: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    configs: Mapping[str, Config] = field(default_factory=dict)

    def config_of(self, path: str) -> Config | None:
        """The settings of a file that was looked at."""
        return self.configs.get(path.rpartition(os.sep)[0])

    def to_fix(self) -> tuple[list[Job], list[Checked]]:
        """The files that may have to be changed, in order, and those that are known to stay as they are."""
        left = [one.checked() for one in self.known if not one.fixable]
        jobs = [*self.jobs, *(one.job for one in self.known if one.fixable)]
        return sorted(jobs, key=lambda job: job.path), left

    def remember(self, results: Iterable[Found | Problem | None] = (), jobs: Iterable[Job] | None = None) -> None:
        """Keep what was found, for later runs.

        Args:
            results: those of the jobs, in their order; None where there is none.
            jobs: None: those of the plan.
        """
        if self.earlier is None:
            return
        for job, result in zip(self.jobs if jobs is None else jobs, results, strict=False):
            if result is None or isinstance(result, Problem) or result.reading is None:
                continue
            if not result.broken or _lasts(result.diagnostics):
                self.earlier.keep(job, result.diagnostics, result.reading, result.keras)
        self.earlier.write()


def _lasts(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether a file is no Python whatever happens; a rule that crashes, or a stack that is full, may have other reasons."""
    return all(found.code == UNPARSABLE and "recursion" not in found.message for found in diagnostics)
