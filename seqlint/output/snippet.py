"""The lines of code that are shown with a finding, on their own: a report holds them, so that its reader needs no files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.output.frame import lines_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.model import Diagnostic
    from seqlint.sources import Source


@dataclass(frozen=True)
class Snippet:
    """Lines by their numbers, and the number of the line in which what is shown ends; both as a reader counts."""

    lines: Mapping[int, str]
    last: int

    @classmethod
    def of(cls, diagnostic: Diagnostic, source: Source) -> Snippet:
        """What is shown of the span of a finding; nothing where the file could not be decoded."""
        start, end = diagnostic.start, diagnostic.end
        shift = start.shown.line - start.line
        shown = lines_of(start, end) if source.text else ()
        return cls({number + shift: source.written_line(number) for number in shown}, end.line + shift)

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
