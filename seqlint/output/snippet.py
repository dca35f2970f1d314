"""The lines of code that are shown with a finding, on their own: a report holds them, so that its reader needs no files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.output.frame import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from seqlint.model import Diagnostic
    from seqlint.sources import Source


def _edited(diagnostic: Diagnostic, source: Source) -> Iterator[int]:
    """The lines in which the edits of the first fix begin and end; of a notebook none, whose cells have lines of their own."""
    if diagnostic.start.cell is None and diagnostic.fixes:
        for edit in diagnostic.fixes[0].edits:
            yield source.position(edit.start).line
            yield source.position(edit.end).line


@dataclass(frozen=True)
class Snippet:
    """Lines by their numbers, and the number of the line in which what is shown ends; both as a reader counts."""

    lines: Mapping[int, str]
    last: int

    @classmethod
    def of(cls, diagnostic: Diagnostic, source: Source) -> Snippet:
        """What is shown of the span of a finding, and the lines that its fix changes; nothing where the file could not be decoded."""
        start, end = diagnostic.start, diagnostic.end
        shift = start.shown.line - start.line
        shown = (*lines_of(start, end), *_edited(diagnostic, source)) if source.text else ()
        return cls({number + shift: source.written_line(number) for number in sorted({*shown})}, end.line + shift)

    @property
    def text(self) -> str:
        """All lines; empty where there are none."""
        return "".join(f"{line}\n" for line in self.lines.values())

    def written_line(self, number: int) -> str:
        """The text of a line, without its newline."""
        return self.lines[number]

    def around(self, diagnostic: Diagnostic) -> Diagnostic:
        """A finding that is shown with these lines, whose span ends where they do."""
        return replace(diagnostic, end=replace(diagnostic.end, line=self.last))
