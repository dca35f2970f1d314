"""A frame of code that underlines a span: tabs, wide characters, long lines and long spans look right in a terminal."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from seqlint.model import Position
    from seqlint.output.paint import Paint

_TAB = 4
_WIDEST = 120  # terminal columns of code; a longer line is cut around the span
_MOST = 6  # lines of a span; of a longer one the middle is left out
_CUT = "..."


class Lines(Protocol):
    """Code by its lines, such as a source."""

    @property
    def text(self) -> str:
        """All of it; empty where it could not be decoded."""

    def written_line(self, number: int) -> str:
        """The text of a line as its author wrote it, without its newline."""


@dataclass(frozen=True)
class _Line:
    number: int
    cells: tuple[str, ...]  # what is shown for each character, in terminal columns
    widths: tuple[int, ...]
    start: int  # the marked characters
    end: int
    marked: bool  # an empty line inside of a span is not


def frame(source: Lines, start: Position, end: Position, paint: Paint) -> str:
    """The lines of a span with their numbers, and marks below what belongs to it.

    Args:
        source: the text that the positions are of.
        start, end: the span; it may be empty.
        paint: colours.
    """
    lines = [_line(source, number, start, end) for number in lines_of(start, end)]
    margin = len(str(lines[-1].number))
    shown = [paint.dim(" " * margin + " |")]
    for line, before in zip(lines, (lines[0], *lines), strict=False):
        if line.number > before.number + 1:
            shown.append(paint.dim(f"{_CUT:>{margin}}"))
        shown += _shown(line, margin, paint)
    return "\n".join(shown)


def lines_of(start: Position, end: Position) -> tuple[int, ...]:
    """The lines that are shown of a span: of a long one all but the middle."""
    first, last = start.line, _last(start, end)
    if last - first < _MOST:
        return tuple(range(first, last + 1))
    return (*range(first, first + _MOST - 2), last)


def _last(start: Position, end: Position) -> int:
    """The last line of a span. One that ends where a line starts does not reach into that line."""
    return end.line - 1 if end.column == 1 and end.line > start.line else end.line


def _line(source: Lines, number: int, start: Position, end: Position) -> _Line:
    text = source.written_line(number)
    first = start.column - 1 if number == start.line else len(text) - len(text.lstrip())
    last = end.column - 1 if number == end.line else len(text.rstrip())
    cells, widths, at = [], [], 0
    for character in text:
        cell, width = _cell(character, at)
        cells.append(cell)
        widths.append(width)
        at += width
    marked = first < last or start.line == end.line
    shown = number - start.line + start.shown.line
    return _Line(shown, tuple(cells), tuple(widths), first, max(last, first), marked)


def _cell(character: str, column: int) -> tuple[str, int]:
    """What stands for a character in a terminal, and how many columns it takes."""
    if character == "\t":
        width = _TAB - column % _TAB
        return " " * width, width
    # Control characters could drive the terminal; formatting ones could turn the text around.
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return "\N{REPLACEMENT CHARACTER}", 1
    if unicodedata.combining(character):
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _shown(line: _Line, margin: int, paint: Paint) -> list[str]:
    first, last = _window(line)
    before, after = _CUT if first else "", _CUT if last < len(line.cells) else ""
    code = f"{before}{''.join(line.cells[first:last])}{after}"
    marks = _marks(line, first, last, len(before))
    numbered = f"{paint.dim(f'{line.number:>{margin}} |')} {code}".rstrip()
    return [numbered, f"{paint.dim(' ' * margin + ' |')} {paint.bold(marks)}".rstrip()] if marks else [numbered]


def _marks(line: _Line, first: int, last: int, indent: int) -> str:
    start, end = max(line.start, first), min(line.end, last)
    if not line.marked or (start >= end and line.start != line.end):
        return ""
    return " " * (indent + sum(line.widths[first:start])) + "^" * max(sum(line.widths[start:end]), 1)


def _window(line: _Line) -> tuple[int, int]:
    """The characters of a line that are shown: all of them, or what fits around the start of the span."""
    if sum(line.widths) <= _WIDEST:
        return 0, len(line.cells)
    first = max(min(line.start, len(line.cells)) - _WIDEST // 3, 0)
    last, room = first, _WIDEST
    while last < len(line.cells) and line.widths[last] <= room:
        room -= line.widths[last]
        last += 1
    return first, last
