"""The work on one file, and on many: one after the other, or at once in a pool of processes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from seqlint.engine import Checked, Fixed, forget, late, unreadable, within
from seqlint.model import UnreadableSource
from seqlint.runner import pieces, text
from seqlint.sources import Source, several
from seqlint.sources.discovery import Problem
from seqlint.sources.reading import recorded
from seqlint.sources.several import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from seqlint.checked import Assumed
    from seqlint.model import Diagnostic
    from seqlint.runner.planned import Job
    from seqlint.sources.reading import Reading

Result = TypeVar("Result")


@dataclass(frozen=True)
class Found:
    """What a check found in a file, without the text of the file: small enough to go from one process to another.

    Attributes:
        diagnostics: sorted by place.
        broken: the file could not be read, or a rule crashed.
        reading: what was read of the project on the way; None where nobody asked.
        keras: the one that the file was checked for; None where it could not be read.
    """

    diagnostics: tuple[Diagnostic, ...]
    broken: bool = False
    reading: Reading | None = None
    keras: Assumed | None = None

    def of(self, job: Job) -> Checked:
        """The same with the text that it is about."""
        return Checked(job.source(), self.diagnostics, self.broken, self.keras)

    def at(self, path: str) -> Found:
        """The same of a file that is named in another way."""
        return replace(self, diagnostics=_at(path, self.diagnostics))


@dataclass(frozen=True)
class FixedFile:
    """What became of a file.

    Attributes:
        fixed: the text before and after, and what is still found.
        problem: why the fixes could not be kept; `fixed` is then the file as it was.
        reading: what was read of the project on the way; None where nobody asked.
    """

    fixed: Fixed
    problem: Problem | None = None
    reading: Reading | None = None

    @property
    def changed(self) -> bool:
        """Whether the fixes change anything."""
        return self.fixed.source.text != self.fixed.before.text

    @property
    def waits(self) -> bool:
        """Whether the fixes change other files, too, which are written one after the other."""
        return bool(self.fixed.others) and self.problem is None

    @property
    def is_done(self) -> bool:
        """Whether the file has changed, and no other one waits for that."""
        return self.changed and not self.waits and self.problem is None

    @property
    def found(self) -> Found | None:
        """What a check would have found; None where it is not known of the file as it was."""
        checked = self.fixed.checked
        return None if self.changed else Found(checked.diagnostics, checked.broken, self.reading, checked.keras)

    def at(self, path: str) -> FixedFile:
        """The same of a file that is named in another way."""
        fixed, checked = self.fixed, self.fixed.checked
        source = replace(fixed.source, path=path)
        checked = replace(checked, source=source, diagnostics=_at(path, checked.diagnostics))
        before = source if fixed.before is fixed.source else replace(fixed.before, path=path)
        problem = None if self.problem is None else self.problem.at(path)
        return replace(self, fixed=replace(fixed, source=source, before=before, checked=checked), problem=problem)


def check(job: Job) -> Checked:
    """Check one file. A file that can't be decoded, or takes too long, gives the finding that says so."""
    checked = within(job.config.time_limit, lambda: _checked(job))
    return _late(job) if checked is None else checked


def _checked(job: Job) -> Checked:
    try:
        source = Source.from_bytes(job.data, job.path)
    except UnreadableSource as error:
        return _undecodable(job, error)
    return text.check(source, job.config)


def find(job: Job) -> Found:
    """Check one file, and keep what was found alone."""
    if job.reading is None:
        checked = check(job)
        return Found(checked.diagnostics, checked.broken, None, checked.keras)
    with recorded() as reading:
        checked = check(job)
    return Found(checked.diagnostics, checked.broken, reading.whole(), checked.keras)


def fix(job: Job) -> FixedFile:
    """Fix one file without writing it."""
    if job.reading is None:
        return _fixed_in_time(job)
    with recorded() as reading:
        found = _fixed_in_time(job)
    return replace(found, reading=reading.whole())


def _fixed_in_time(job: Job) -> FixedFile:
    return within(job.config.time_limit, lambda: _fixed(job)) or _untouched(_late(job))


def _fixed(job: Job) -> FixedFile:
    try:
        source = Source.from_bytes(job.data, job.path)
    except UnreadableSource as error:
        return _untouched(_undecodable(job, error))
    fixed = text.fix(source, job.config)
    try:
        fixed.source.to_bytes()
        if fixed.source is not fixed.before and fixed.before.to_bytes() != job.data:
            raise UnreadableSource(f"{fixed.before.encoding} would write other lines in another way, too")
    except UnreadableSource as error:
        return _untouched(text.check(source, job.config), error)
    return FixedFile(fixed)


def fix_on_disk(job: Job) -> FixedFile:
    """Fix one file and write it, if it still has the bytes that were read, and no other file has to change with it."""
    result = fix(job)
    return result if result.waits else written(job, result)


def written(job: Job, result: FixedFile) -> FixedFile:
    """Write a file as it was fixed, and others that its fixes change, if all still have the bytes that were read: all or none."""
    if not result.changed:
        return result
    fixed = result.fixed
    own = Change(job.path, fixed.source.to_bytes(), job.data)
    try:
        several.write([own, *(Change(other.path, other.after.to_bytes(), other.data) for other in fixed.others)])
    except UnreadableSource as error:
        return _untouched(text.check(result.fixed.before, job.config), error)
    return result


def _at(path: str, diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    return tuple(replace(each, path=path) for each in diagnostics)


def _undecodable(job: Job, error: UnreadableSource) -> Checked:
    source = Source(job.path, "")
    return Checked(source, (unreadable(source, error),), broken=True)


def _late(job: Job) -> Checked:
    forget()  # what was read of the project may be half done
    source = Source(job.path, "")
    return Checked(source, (late(source, job.config.time_limit),), broken=True)


def left(checked: Checked) -> Fixed:
    """What `fix` makes of a file in which there is nothing to fix."""
    return Fixed(checked.source, checked.source, (), (), checked)


def _untouched(checked: Checked, error: UnreadableSource | None = None) -> FixedFile:
    """A file that is left as it was, with what is found in it."""
    source = checked.source
    problem = None if error is None else Problem(source.path, str(error))
    return FixedFile(Fixed(source, source, (), (), checked), problem)


def run(
    work: Callable[[Job], Result], jobs: Sequence[Job], workers: int, done: Callable[[int], object] = lambda more: None
) -> list[Result | Problem]:
    """The results of all jobs, in their order; a problem where seqlint itself, or its process, failed over a job.

    Args:
        work: a function of a module: other processes look it up by its name.
        workers: the number of processes; 1 works here.
        done: is told how many more jobs are done, now and then.

    Raises:
        RuleError: a rule can't be loaded.
    """
    if workers > 1 and pieces.worth_it(jobs):
        from seqlint.runner import pool

        return pool.run(work, jobs, workers, done)
    found = []
    for job in jobs:
        found.append(pieces.contained(work, job))
        done(1)
    return found
