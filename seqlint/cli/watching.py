"""`check --watch`: the same check again whenever a file changes, until Ctrl-C."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.cli import console
from seqlint.model import SeqlintError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_SUFFIXES = (
    ".py",
    ".pyi",
    ".ipynb",
    ".md",
    ".rst",
    ".toml",
    ".cfg",
    ".txt",
    ".lock",
    ".json",
    ".yml",
    ".yaml",
    ".gitignore",
)


_PATIENCE = 500
"""Milliseconds for which one look at the operating system's list of changes waits."""


def watch(paths: Sequence[str], check: Callable[[], int], reports: Sequence[str] = ()) -> int:
    """Check now, and again after each change of a file that a check may read.

    What an unchanged file depends on is known from the cache, so that only what a change concerns is checked anew.
    A change while a check runs is seen once it has ended.

    Args:
        paths: those of the command line.
        check: runs the check and reports; its exit code is that of one run.
        reports: the files that a check writes; a change of these concerns nobody.

    Raises:
        SeqlintError: the library that watches files is not installed.
        KeyboardInterrupt: the user has had enough.
    """
    changes = _changes(_roots(paths), reports)
    # The watcher starts with the first look: a check that ran before it would miss what changes meanwhile.
    next(changes)
    code = check()
    console.remark("watching for changes; Ctrl-C ends\n")
    for changed in filter(None, changes):
        console.remark(f"\n{time.strftime('%H:%M:%S')}  {_names(changed)}\n")
        code = check()
    return code


def _roots(paths: Sequence[str]) -> list[Path]:
    """The folders whose files a check of the paths may read: the projects that they are in."""
    from seqlint.sources import surroundings

    found: dict[Path, None] = {}
    for path in paths:
        absolute = Path(path).absolute()
        folder = absolute if absolute.is_dir() else absolute.parent
        found[surroundings.repository(folder) or folder] = None
    return list(found)


def _changes(roots: Sequence[Path], reports: Sequence[str]) -> Iterator[list[str]]:
    """What has changed since the last look, file by file; an empty list where a look saw nothing."""
    try:
        from watchfiles import DefaultFilter
        from watchfiles import watch as watched
    except ImportError as error:
        raise SeqlintError("--watch needs the library watchfiles: pip install 'seqlint[watch]'") from error

    from seqlint.sources import user

    ours = {str(Path(report).resolve()) for report in reports}
    caches = user.cache_folder()
    ignored = DefaultFilter(ignore_paths=[caches.resolve()] if caches else None)
    keep = lambda change, path: path.endswith(_SUFFIXES) and path not in ours and ignored(change, path)  # noqa: E731
    batches = watched(
        *roots, watch_filter=keep, raise_interrupt=True, yield_on_timeout=True, rust_timeout=_PATIENCE
    )  # fmt: skip
    return (sorted({path for _, path in batch}) for batch in batches)


def _names(changed: Sequence[str]) -> str:
    first = Path(changed[0]).name
    return f"{first} has changed" if len(changed) == 1 else f"{first} and {len(changed) - 1} more have changed"
