"""A whole migration: requirement files, code, and the report of both."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.facts.keras.code import usage
from seqlint.migrate import code, rows, uncovered
from seqlint.migrate.needs import needs
from seqlint.migrate.values import Changed, Migration, Row
from seqlint.model import UnreadableSource
from seqlint.output.diff import diff
from seqlint.output.fixes import file_diff
from seqlint.sources import disk, is_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from seqlint.migrate.code import File
    from seqlint.migrate.needs import Needs
    from seqlint.migrate.values import Aim, Part
    from seqlint.runner.plan import Job, Plan
    from seqlint.sources.discovery import Problem

_BACKENDS = frozenset({"jax", "torch"})


def plan(planned: Plan, need_files: Sequence[str], aim: Aim, done: Callable[[int], object]) -> Migration:
    """What a migration changes, and what it leaves to a person. Nothing is written.

    Args:
        planned: the files of code.
        need_files: the files that say what the project needs.
        done: is told how many more files are done.

    Raises:
        RuleError: a rule can't be loaded.
    """
    files, unread = _opened(planned.jobs, aim)
    unread += [_problem(one) for one in planned.problems]
    tf_keras = any(_uses_tf_keras(file) for file in files)
    found, wrong = _needs(need_files, aim, keep_tf_keras=tf_keras)
    changed = [one for one in found if one.after != one.before]
    rest = code.settle(files, aim, {os.path.abspath(one.path): one.after for one in changed}, done)
    parts: dict[Part, tuple[Row, ...]] = {
        "done": (*(row for one in found for row in one.done), *_of_each(files, rows.done)),
        "by hand": tuple(dict.fromkeys(_by_hand(files, found, planned, need_files, aim))),
        "not covered": _of_each(files, uncovered.lacking_rows),
        "unsure": (*unread, *wrong, *_of_each(files, rows.unsure), *(() if rest else (_unsettled(),))),
    }
    broken = bool(unread or wrong) or any(file.late or file.unwritable or _is_broken(file) for file in files)
    return Migration(aim, planned.files, tuple(_changed(files, changed)), parts, broken)


def _opened(jobs: Iterable[Job], aim: Aim) -> tuple[list[File], list[Row]]:
    files, unread = [], []
    for job in jobs:
        if is_page(job.path):
            continue
        try:
            files.append(code.opened(job, aim))
        except UnreadableSource as error:
            unread.append(Row(job.path, "", f"the file can't be read: {error}", "look through it by yourself"))
    return files, unread


def _problem(one: Problem) -> Row:
    return Row(one.path, "", one.message, "look through it by yourself")


def _uses_tf_keras(file: File) -> bool:
    found = usage(file.source.text)
    return found.tf_keras or found.legacy


def _needs(paths: Iterable[str], aim: Aim, *, keep_tf_keras: bool) -> tuple[list[Needs], list[Row]]:
    found, wrong = [], []
    for path in paths:
        try:
            one = needs(path, disk.read(Path(path)), keep_tf_keras=keep_tf_keras, keep_both=aim.keep_both)
        except UnreadableSource as error:
            wrong.append(Row(path, "", f"the file can't be read: {error}", "see what it asks for by yourself"))
            continue
        if one is not None:
            found.append(one)
    return found, wrong


def _of_each(files: Iterable[File], read: Callable[[File], Iterator[Row]]) -> tuple[Row, ...]:
    return tuple(row for file in files for row in read(file))


def _by_hand(
    files: Sequence[File], found: Sequence[Needs], planned: Plan, need_files: Iterable[str], aim: Aim
) -> Iterator[Row]:
    yield from (row for one in found for row in one.left)
    if not aim.keep_both:
        yield from _without_backend(found)
        yield from _elsewhere(files, planned, need_files)
        yield from _of_each(files, rows.installs)
        yield from _of_each(files, uncovered.bound_to_keras_2)
    yield from _of_each(files, rows.by_hand)


def _without_backend(found: Sequence[Needs]) -> Iterator[Row]:
    """Keras 3 brings no backend: a project that asks for Keras alone has to ask for one."""
    names = frozenset(name for one in found for name in one.names)
    first = next((one for one in found if "keras" in one.names and one.after != one.before), None)
    if first is not None and not any(name.startswith("tensorflow") or name in _BACKENDS for name in names):
        yield Row(
            first.path, "", "no file asks for a backend, and Keras 3 brings none", "ask for `tensorflow>=2.16` as well"
        )


def _elsewhere(files: Iterable[File], planned: Plan, need_files: Iterable[str]) -> Iterator[Row]:
    seen = frozenset(map(os.path.abspath, need_files))
    configs = {job.path: job.config for job in planned.jobs}
    for file in files:
        row = rows.elsewhere(file, configs[file.path], seen)
        if row is not None:
            yield row


def _unsettled() -> Row:
    return Row("", "", f"the fixes have not come to rest after {code.ROUNDS} rounds", "migrate again")


def _is_broken(file: File) -> bool:
    return file.checked is not None and file.checked.broken


def _changed(files: Sequence[File], found: Iterable[Needs]) -> Iterator[Changed]:
    for one in found:
        before, after = (data.decode("utf-8", "surrogateescape") for data in (one.before, one.after))
        yield Changed(one.path, one.before, one.after, diff(before, after, one.path))
    for file in files:
        if file.changed:
            text = file_diff(file.before, file.source)
            yield Changed(file.path, file.data, file.source.to_bytes(), text, code.partners(file, files))
