"""Places in a file as other programs take them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.model import Diagnostic


@dataclass(frozen=True)
class Span:
    """Lines and columns from 1, columns in code points; the end is the column after the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


def span(diagnostic: Diagnostic) -> Span:
    """Where a finding is in its file: at the start of a notebook, whose file has other lines than its cells."""
    if diagnostic.start.cell is not None:
        return Span(1, 1, 1, 1)
    start, end = diagnostic.start.shown, diagnostic.end.shown
    return Span(start.line, start.column, end.line, end.column)
