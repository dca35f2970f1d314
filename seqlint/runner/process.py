"""What a process that belongs to seqlint alone sets before anything else."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from seqlint.runner import deferred, garbage

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARSED = "<unknown>$"  # what Python calls a text that it parses, in its warnings


def begin() -> None:
    """Make this process one of seqlint's own: it looks for garbage seldom, imports fast, and says nothing of the texts that it parses."""
    garbage.seldom()
    deferred.dataclass_functions()
    _warn_of_no_text()


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
