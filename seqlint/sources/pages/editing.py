"""What becomes of the lines of a program where its code is edited: those that stay keep what stands before them, new ones get it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.sources.edits import apply
from seqlint.sources.pages.prompts import prompted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.model import Edit
    from seqlint.sources.pages.lines import Line, Place

_FENCES = (b"```", b"~~~")
_MARKS = re.compile(r"[^\s>]")
_GOES_ON = re.compile(r"(?:\.\.\. ?)?$")


class Editing:
    """Some edits of a program.

    Attributes:
        text: the program as it is checked.
        written: the same with magics.
        starts: where each line starts, and after them the end.
    """

    def __init__(
        self, text: bytes, written: bytes, starts: Sequence[int], lines: Sequence[Line], edits: Sequence[Edit]
    ) -> None:
        self._text = text
        self._written = written
        self._starts = starts
        self._lines = lines
        self._edits = sorted(set(edits), key=lambda edit: (edit.start, edit.end))
        self._numbers = {start: number for number, start in enumerate(starts[:-1])}

    def made(self, places: Sequence[Place]) -> tuple[tuple[Line, ...], bytes] | None:
        """The lines and the program after the edits; None where they can't be made on the page."""
        if not all(map(self._possible, self._edits)):
            return None
        try:
            after = apply(self._written, self._edits).encode("utf-8")
            text = apply(self._text, self._edits)
        except ValueError:  # two edits overlap
            return None
        if self._written.endswith((b"\n", b"\r")) and not after.endswith((b"\n", b"\r")):
            return None
        codes = after.splitlines(keepends=True)
        lines: list[Line] | None = self._spaced(self._renewed(codes), codes)
        if lines is not None and any(place.session for place in places):
            lines = prompted(lines, text, self._lines, self._text.decode("utf-8"), places)
        return None if lines is None or self._loses(lines, codes) else (tuple(lines), after)

    @property
    def blocks(self) -> set[int | None]:
        """The blocks in which the edits lie; None for one that lies in none, or in two."""
        return set(map(self._block, self._edits))

    def _block(self, edit: Edit) -> int | None:
        """The block in which an edit lies whole."""
        first, last = self._line_at(edit.start), self._line_at(max(edit.start, edit.end - 1))
        block = self._lines[first].block
        return block if block == self._lines[last].block else None

    def _line_at(self, offset: int) -> int:
        """The line that a byte is in; what is inserted after a block belongs to its last line."""
        index = min(bisect_right(self._starts, offset), len(self._lines)) - 1
        past = self._lines[index].block is None and self._starts[index] == offset
        return index - 1 if past else index

    def _possible(self, edit: Edit) -> bool:
        """Whether an edit touches no magic, nor what stands above that of a whole block, and no output."""
        if self._block(edit) is None or self._written[edit.start : edit.end] != self._text[edit.start : edit.end]:
            return False
        first, last = self._line_at(edit.start), self._line_at(max(edit.start, edit.end - 1))
        if any(line.gap for line in self._lines[first + 1 : last + 1]):
            return False
        return not self._written[edit.end : edit.end + 1000].lstrip().startswith(b"%%")

    # -- the new lines ----------------------------------------------------------------------------------------------

    def _renewed(self, codes: Sequence[bytes]) -> list[Line]:
        pieces = list(self._pieces())
        found: list[Line] = []
        here, piece = 0, 0
        for code in codes:
            while piece + 1 < len(pieces) and pieces[piece + 1][0] <= here:
                piece += 1
            found.append(self._line(here, *pieces[piece]))
            here += len(code)
        return found

    def _pieces(self) -> Iterator[tuple[int, int, bool]]:
        """The pieces of the program after the edits: where each starts, where it was or what it replaces, and whether it is new."""
        new = old = 0
        for edit in self._edits:
            if edit.start > old:
                yield new, old, False
            new, old = new + edit.start - old, edit.end
            if edit.text:
                yield new, edit.start, True
                new += len(edit.text.encode("utf-8"))
        if old < len(self._written):
            yield new, old, False

    def _line(self, at: int, start: int, old: int, fresh: bool) -> Line:
        if not fresh and (same := self._numbers.get(old + at - start)) is not None:
            return replace(self._lines[same], origin=same)
        place = next((edit.start for edit in self._edits if edit.end == old), old) if not fresh else old
        number = self._line_at(place)
        if (
            at == start and self._numbers.get(place) == number
        ):  # the start of a line was replaced, or stands further below
            full = self._full(number)
            lead = self._lines[full].lead if full == number else _plain(self._lines[full])
            return replace(self._lines[number], lead=lead, origin=number)
        above = self._lines[self._full(number)]
        return replace(above, lead=_plain(above), gap="", shown=True, origin=None)

    def _full(self, number: int) -> int:
        """The line, or the nearest one of its block that has code on it: empty ones may lack what stands before it."""
        block = self._lines[number].block
        for numbers in (range(number, -1, -1), range(number, len(self._lines))):
            for here in numbers:
                if self._lines[here].block != block:
                    break
                if self._written[self._starts[here] : self._starts[here + 1]].strip():
                    return here
        return number

    def _spaced(self, lines: list[Line], codes: Sequence[bytes]) -> list[Line]:
        """The lines without what is before empty ones; of two with one origin, the last is it, and the first has its place."""
        last = {line.origin: index for index, line in enumerate(lines) if line.origin is not None}
        first: set[int] = set()
        for index, line in enumerate(lines):
            if line.origin is not None and line.origin in first:
                lines[index] = replace(line, lead=_plain(line), gap="")
            elif line.origin is not None:
                first.add(line.origin)
            if line.origin is not None and last[line.origin] != index:
                lines[index] = replace(lines[index], origin=None)
            if lines[index].origin is None and not codes[index].strip():
                lines[index] = replace(lines[index], lead=lines[index].lead.rstrip())
        return lines

    def _loses(self, lines: Sequence[Line], codes: Sequence[bytes]) -> bool:
        """Whether output or the mark of a list would be lost, or a new line would end the block."""
        if [line.gap for line in lines if line.gap] != [line.gap for line in self._lines if line.gap]:
            return True
        if sum(map(_marked, lines)) != sum(map(_marked, self._lines)):
            return True
        known = set(self._written.splitlines(keepends=True))
        return any(code.lstrip().startswith(_FENCES) for code in codes if code not in known)


def _plain(line: Line) -> str:
    """What stands before a line, without the marks of lists that begin there."""
    prompt = _GOES_ON.search(line.lead)
    start = len(line.lead) if prompt is None else prompt.start()
    return _MARKS.sub(" ", line.lead[:start]) + line.lead[start:]


def _marked(line: Line) -> bool:
    return _plain(line) != line.lead
