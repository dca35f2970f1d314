"""What a process that belongs to seqlint alone sets before anything else."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from seqlint.runner import deferred, garbage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PARSED = "<unknown>$"  # what Python calls a text that it parses, in its warnings


def begin() -> None:
    """Make this process one of seqlint's own.

    It imports nothing from the working directory, looks for garbage seldom, imports fast, and says nothing of the texts that
    it parses.
    """
    sys.path[:] = own_path(sys.path)
    garbage.seldom()
    deferred.dataclass_functions()
    _warn_of_no_text()


def own_path(path: Sequence[str]) -> list[str]:
    """Where to look for modules, without the working directory: a `random.py` there is not Python's.

    It stays where somebody has named it by its whole path, and comes last where it is the checkout that this code lies in.

    Args:
        path: such as `sys.path`.
    """
    try:
        here = os.getcwd()
    except OSError:  # it was removed
        return list(path)
    named = os.environ.get("PYTHONPATH", "")
    entries = named.split(os.pathsep) if named else []
    # Python has made them absolute: "" of ":/some/where" and "." are the working directory, wherever that is.
    loose = here in {os.path.abspath(entry) for entry in entries if not os.path.isabs(entry)} - set(entries)
    kept = [entry for entry in path if os.path.abspath(entry) != here or (os.path.isabs(entry) and not loose)]
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return [*kept, home] if home == here and loose and home in path else kept


@contextmanager
def unwarned() -> Iterator[None]:
    """Let Python say nothing of the texts that are parsed here, in a process of somebody else."""
    with warnings.catch_warnings():
        _warn_of_no_text()
        yield


def _warn_of_no_text() -> None:
    """Python warns of "\\d" in a text that it only parses; so does the one who runs it, and there it belongs."""
    for category in (SyntaxWarning, DeprecationWarning):
        warnings.filterwarnings("ignore", category=category, module=_PARSED)
