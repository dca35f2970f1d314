"""Writing what a migration changes, so that nothing is lost."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.model import UnreadableSource
from seqlint.sources import several, surroundings
from seqlint.sources.discovery import Problem
from seqlint.sources.several import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.migrate.values import Changed

# What a repository configures to be run by `git status` is not: it may come from anybody.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks")
_LIMIT_S = 60


def write(changed: Iterable[Changed]) -> list[Problem]:
    """Write the files, each whole or not at all, and with those that the same fixes change; what has changed since it was read is left alone.

    Returns:
        The files that were not written, and why.
    """
    waiting = {one.path: one for one in changed}
    problems = []
    while waiting:
        first = next(iter(waiting))
        together = [waiting.pop(path) for path in (first, *sorted(waiting[first].partners)) if path in waiting]
        try:
            several.write([Change(one.path, one.after, one.before) for one in together])
        except UnreadableSource as error:
            problems += [Problem(one.path, _why(error, one, together)) for one in together]
    return problems


def _why(error: UnreadableSource, one: Changed, together: Sequence[Changed]) -> str:
    if len(together) == 1:
        return str(error)
    others = ", ".join(f"`{other.path}`" for other in together if other is not one)
    return f"it is written together with {others}, and one of them can't be: {error}"


def uncommitted(paths: Sequence[str]) -> tuple[list[str], bool]:
    """Those of some files whose text git could not bring back, and whether a file is outside of any repository.

    Args:
        paths: files that are going to be written.
    """
    by_repository: dict[Path | None, list[str]] = {}
    for path in paths:
        home = surroundings.repository(Path(os.path.abspath(path)).parent)
        by_repository.setdefault(home, []).append(path)
    outside = by_repository.pop(None, None) is not None
    found = [path for home, files in by_repository.items() if home is not None for path in _changed(home, files)]
    return sorted(found), outside


def _changed(home: Path, files: Sequence[str]) -> list[str]:
    """The files of a repository that differ from its last commit, or that it does not know; all where git can't tell."""
    names = {
        os.path.relpath(os.path.realpath(path), os.path.realpath(home)).replace(os.sep, "/"): path for path in files
    }
    command = (
        *_GIT,
        "-C",
        str(home),
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignored",
        "--",
    )
    literal = {**os.environ, "GIT_LITERAL_PATHSPECS": "1"}
    try:
        done = subprocess.run((*command, *names), capture_output=True, timeout=_LIMIT_S, check=True, env=literal)
    except (OSError, subprocess.SubprocessError):
        return list(files)
    said = {os.fsdecode(entry[3:]).rstrip("/") for entry in done.stdout.split(b"\0") if len(entry) > 3}
    return [path for name, path in names.items() if any(name == one or name.startswith(f"{one}/") for one in said)]
