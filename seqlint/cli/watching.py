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


def watch(paths: Sequence[str], check: Callable[[], int]) -> int:
    """Check now, and again after each change of a file that a check may read.

    What an unchanged file depends on is known from the cache, so that only what a change concerns is checked anew.

    Args:
        paths: those of the command line.
        check: runs the check and reports; its exit code is that of one run.

    Raises:
        SeqlintError: the library that watches files is not installed.
        KeyboardInterrupt: the user has had enough.
    """
    changes = _changes(_roots(paths))
    code = check()
    console.remark("watching for changes; Ctrl-C ends\n")
    for changed in changes:
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


def _changes(roots: Sequence[Path]) -> Iterator[list[str]]:
    try:
        from watchfiles import DefaultFilter
        from watchfiles import watch as watched
    except ImportError as error:
        raise SeqlintError("--watch needs the library watchfiles: pip install 'seqlint[watch]'") from error

    ignored = DefaultFilter()
    keep = lambda change, path: path.endswith(_SUFFIXES) and ignored(change, path)  # noqa: E731
    return (sorted({path for _, path in batch}) for batch in watched(*roots, watch_filter=keep, raise_interrupt=True))


def _names(changed: Sequence[str]) -> str:
    first = Path(changed[0]).name
    return f"{first} has changed" if len(changed) == 1 else f"{first} and {len(changed) - 1} more have changed"
