"""Where the code of a program is on its page, line by line, and what becomes of that where the code is edited."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.model import Edit, Position
from seqlint.sources.edits import apply
from seqlint.sources.pages.editing import Editing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.sources.pages.lines import Line, Place
    from seqlint.sources.pages.shared import Shared


@dataclass(frozen=True)
class Excerpt:
    """The way from a program to its page.

    Attributes:
        places: of each block, on the page as it was read.
        lines: those of the program.
        written: the program as it is on the page: with magics, byte for byte as long as the one that is checked.
        shared: all blocks of the page, as they are now.
    """

    places: tuple[Place, ...]
    lines: tuple[Line, ...]
    written: bytes
    shared: Shared

    def position(self, offset: int) -> Position:
        """The place on the page of a byte of the program; of what is after a block, the line below it."""
        index = bisect_right(self._starts, offset) - 1
        start, number = self._layout[index]
        if index == len(self.lines) or self.lines[index].block is None:
            return Position(number + 1, 1, start)
        lead, code = self.lines[index].lead, self.written[self._starts[index] : offset]
        column = len(lead) + len(code.decode("utf-8", "replace")) + 1
        return Position(number + 1, column, start + len(lead.encode()) + len(code))

    def takes(self, text: bytes, edits: Sequence[Edit]) -> bool:
        """Whether edits can be made: all in one block, none across the output of a session or where a magic stands.

        None is made after which other blocks of the page are programs together.
        """
        editing = self._editing(text, edits)
        return len(editing.blocks) == 1 and self._after(editing, text, edits) is not None

    def edited(self, text: bytes, edits: Sequence[Edit]) -> Excerpt:
        """The excerpt after edits that it takes, each fix for itself.

        Raises:
            ValueError: it does not take them together.
        """
        after = self._after(self._editing(text, edits), text, edits)
        if after is None:
            raise ValueError("these edits can't be made on the page together")
        return after

    def on_page(self, text: bytes, edits: Sequence[Edit]) -> tuple[Edit, ...]:
        """Edits that it takes as edits of the page: each the smallest that makes the lines what they become."""
        after = self.edited(text, edits)
        return tuple(_smallest(*hunk) for hunk in self._hunks(after))

    def changes(self) -> Iterator[Edit]:
        """The blocks as they are now, as edits of the page that was read."""
        for number, place in enumerate(self.places):
            yield Edit(place.start, place.end, self._rendered(*self._range(number)))

    def _after(self, editing: Editing, text: bytes, edits: Sequence[Edit]) -> Excerpt | None:
        made = editing.made(self.places)
        if made is None:
            return None
        shared = self.shared.edited(apply(text, edits), made[0])
        return Excerpt(self.places, *made, shared) if shared.are_programs_of(self.shared) else None

    def _editing(self, text: bytes, edits: Sequence[Edit]) -> Editing:
        return Editing(text, self.written, self._starts, self.lines, edits)

    def _hunks(self, after: Excerpt) -> Iterator[tuple[int, str, str]]:
        """Where lines become others: the place on the page, the text there, and the new one."""
        old = new = 0
        for index, line in enumerate([*after.lines, None]):
            kept = len(self.lines) if line is None else self._kept(after, index, old)
            if kept is None:
                continue
            before, now = self._rendered(old, kept), after._rendered(new, index)
            if before != now:
                yield self._above(old), before, now
            old, new = kept + 1, index + 1

    def _kept(self, after: Excerpt, index: int, start: int) -> int | None:
        """The line from which one has come, where it is still the same."""
        origin = after.lines[index].origin
        if origin is None or origin < start or self._code(origin) != after._code(index):
            return None
        return origin if self.lines[origin] == after.lines[index] else None

    def _above(self, index: int) -> int:
        """Where a line starts on the page, or what stands between it and the line above it."""
        gap = self.lines[index].gap if index < len(self.lines) else ""
        return self._layout[index][0] - len(gap.encode())

    def _range(self, block: int) -> tuple[int, int]:
        mine = [index for index, line in enumerate(self.lines) if line.block == block]
        return (mine[0], mine[-1] + 1) if mine else (0, 0)

    def _rendered(self, first: int, last: int) -> str:
        lines = ((self.lines[index], self._code(index)) for index in range(first, last))
        return "".join(
            line.gap + (line.lead + code if line.shown else "") for line, code in lines if line.block is not None
        )

    def _code(self, index: int) -> str:
        return self.written[self._starts[index] : self._starts[index + 1]].decode("utf-8")

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """Where each line starts in the program, and after them its end."""
        ends = [0]
        for line in self.written.splitlines(keepends=True):
            ends.append(ends[-1] + len(line))
        return tuple(ends)

    @cached_property
    def _layout(self) -> tuple[tuple[int, int], ...]:
        """Where each line starts on the page and its number there, from 0; after them the end of the last block."""
        found: list[tuple[int, int]] = []
        places = iter(self.places)
        place = next(places)
        here, number = place.start, place.first
        for index, line in enumerate(self.lines):
            if line.block is None:
                found.append((here, number))
                above, place = place, next(places)
                here, number = here + place.start - above.end, number + place.first - above.last
                continue
            here, number = here + len(line.gap.encode()), number + len(line.gap.encode().splitlines())
            found.append((here, number))
            if line.shown:
                here, number = here + len((line.lead + self._code(index)).encode()), number + 1
        return (*found, (here, number))


def _smallest(start: int, before: str, now: str) -> Edit:
    """The edit from one text to another without what both begin and end with."""
    same = 0
    while same < min(len(before), len(now)) and before[same] == now[same]:
        same += 1
    end = 0
    while end < min(len(before), len(now)) - same and before[-1 - end] == now[-1 - end]:
        end += 1
    start += len(before[:same].encode())
    middle = before[same : len(before) - end]
    return Edit(start, start + len(middle.encode()), now[same : len(now) - end])
