"""`check --add-ignore`: a comment for each finding, so that it is known and has a reason."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.cli import console
from seqlint.engine import hide
from seqlint.model import UnreadableSource
from seqlint.output.text import count
from seqlint.sources import disk
from seqlint.sources.discovery import Problem
from seqlint.sources.edits import apply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.engine import Checked
    from seqlint.sources import Source


def add(checked: Sequence[Checked], reason: str) -> int:
    """Write a comment for each finding of the files, and say how many that were.

    Args:
        checked: files with what was found in them.
        reason: what the comments say after the code; empty: nothing.

    Returns:
        The exit code: 0; 1 where a finding could get no comment; 2 where a file could not be written.
    """
    written = files = left = 0
    problems: list[Problem] = []
    for one in checked:
        after, hidden = _hidden(one, reason)
        left += len(one.diagnostics) - hidden
        if not hidden:
            continue
        try:
            disk.write(Path(one.source.path), after.to_bytes(), read=one.source.to_bytes())
        except UnreadableSource as error:
            problems.append(Problem(one.source.path, str(error)))
            continue
        written, files = written + hidden, files + 1
    console.say(f"ignored {count(written, 'finding')} in {count(files, 'file')}{_left(left)}\n")
    console.complain_of(problems)
    return 2 if problems else 1 if left else 0


def _hidden(one: Checked, reason: str) -> tuple[Source, int]:
    """The text with the comments, and how many findings they hide. A comment adds no line, so that all others stay on theirs."""
    source, hidden = one.source, 0
    for diagnostic in one.diagnostics:
        edit = hide(source, diagnostic, reason)
        if edit is not None and source.takes([edit]):
            source = source.edited(apply(source.utf8, [edit]), [edit])
            hidden += 1
    return source, hidden


def _left(number: int) -> str:
    return f"; {count(number, 'finding')} can't be ignored by a comment" if number else ""
