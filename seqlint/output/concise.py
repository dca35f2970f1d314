"""One line a finding, for people in a hurry and for tools that read path:line:column."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.model import Diagnostic


def finding(diagnostic: Diagnostic) -> str:
    """Such as `src/a.py:3:5: SEQ201 the message`."""
    place = f"{diagnostic.path}:{diagnostic.start.line}:{diagnostic.start.column}"
    return f"{place}: {diagnostic.code} {diagnostic.message}"
