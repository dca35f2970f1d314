"""Fixes that change several files: one after the other, each in what the ones before have left."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.engine import Checked, Fixed, forget, texts
from seqlint.runner import text, work
from seqlint.sources.discovery import Problem
from seqlint.sources.surroundings import supposing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from seqlint.config import Config
    from seqlint.engine import Other
    from seqlint.runner.planned import Job
    from seqlint.runner.work import FixedFile


def settled(
    jobs: Sequence[Job], results: Sequence[FixedFile | Problem], *, write: bool
) -> tuple[list[FixedFile | Problem], dict[str, Other]]:
    """The results once the fixes that change several files are made; those of the others are on the disk already.

    Args:
        write: whether files are written.

    Returns:
        The results in the order of the jobs, and the other files that were changed, by their absolute paths.
    """
    found = list(results)
    others: dict[str, Other] = {}
    whole = [one for one in results if not isinstance(one, Problem)]
    if not any(one.waits for one in whole):
        return found, others
    now = {os.path.abspath(one.fixed.source.path): one.fixed.source.to_bytes() for one in whole if one.is_done}
    for place, (job, one) in enumerate(zip(jobs, results, strict=True)):
        if isinstance(one, Problem) or not one.waits:
            continue
        result = _settled(job, one, now, write=write)
        found[place] = result
        if isinstance(result, Problem) or result.problem is not None or not result.changed:
            continue
        own = os.path.abspath(job.path)
        now[own] = result.fixed.source.to_bytes()
        if own in others:
            others[own] = replace(others[own], after=result.fixed.source)
        for other in result.fixed.others:
            now[other.path] = other.after.to_bytes()
            others[other.path] = replace(others.get(other.path, other), after=other.after)
    return found, others


def _settled(job: Job, result: FixedFile, now: Mapping[str, bytes], *, write: bool) -> FixedFile | Problem:
    """The result where other fixes have changed files before: those of this one may look otherwise now, or be made already."""
    data = now.get(os.path.abspath(job.path), job.data)
    here = replace(job, data=data)
    if now:
        forget()
        with supposing(now):
            (again,) = work.run(work.fix, [here], 1)
        if isinstance(again, Problem):
            return again
        result = replace(again, fixed=replace(again.fixed, before=result.fixed.before))
    return work.written(here, result) if write else result


def with_others(
    files: Sequence[Fixed], others: Mapping[str, Other], config_of: Callable[[str], Config | None]
) -> list[Fixed]:
    """The files as they are once fixes of others have changed them, too, and those that were changed and are not among them.

    Of these nothing is told but that they were changed: nobody has asked for what is found there.

    Args:
        others: by their absolute paths.
        config_of: the settings of a file that was asked for.
    """
    if not others:
        return list(files)
    forget()
    asked = {os.path.abspath(file.source.path) for file in files}
    with supposing(texts(others)):
        found = [_as_left(file, others.get(os.path.abspath(file.source.path)), config_of) for file in files]
    for path, other in others.items():
        if path not in asked:
            before, after = (replace(source, path=_shown(path)) for source in (other.before, other.after))
            found.append(Fixed(after, before, (), (), Checked(after, ())))
    return sorted(found, key=lambda file: file.source.path)


def _as_left(file: Fixed, other: Other | None, config_of: Callable[[str], Config | None]) -> Fixed:
    """A file with what the fixes of others have made of it."""
    config = config_of(file.source.path)
    if other is None or other.after.text == file.source.text or config is None:
        return file
    source = replace(other.after, path=file.source.path)
    return replace(file, source=source, checked=text.check(source, config))


def _shown(path: str) -> str:
    """A path as a user would write it here."""
    here = os.path.relpath(path)
    return path if here.startswith(os.pardir) else here
