"""Writing what a migration changes, so that nothing is lost."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.model import UnreadableSource
from seqlint.sources import disk, surroundings
from seqlint.sources.discovery import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.migrate.values import Changed

# What a repository configures to be run by `git status` is not: it may come from anybody.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks")
_LIMIT_S = 60


def write(changed: Iterable[Changed]) -> list[Problem]:
    """Write the files, each whole or not at all; those that have changed since they were read are left alone.

    Returns:
        The files that were not written, and why.
    """
    problems = []
    for one in changed:
        try:
            disk.write(Path(one.path), one.after, read=one.before)
        except UnreadableSource as error:
            problems.append(Problem(one.path, str(error)))
    return problems


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
