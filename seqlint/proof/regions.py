"""The lines that a change touches, and which of them ran: what did not run is not proved."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.proof.run import Run

Lines = tuple[int, int]
"""First and last line, from 1; the last lies before the first where there are none."""


@dataclass(frozen=True, slots=True)
class Region:
    """Lines of the program before, and those that stand in their place after."""

    before: Lines
    after: Lines

    def touches(self, other: Region) -> bool:
        """Whether two regions of one text before overlap, or lie side by side."""
        return self.before[0] <= other.before[1] + 1 and other.before[0] <= self.before[1] + 1


def regions(before: str | bytes, after: str | bytes) -> tuple[Region, ...]:
    """What differs between two texts, line by line."""
    old, new = (_text(text).splitlines() for text in (before, after))
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(Region((a + 1, b), (c + 1, d)) for tag, a, b, c, d in codes if tag != "equal")


def places(touched: Iterable[Region]) -> str:
    """The lines of regions in words, as they are before the change: "lines 3 to 5 and line 9"."""
    words = [_place(*region.before) for region in touched]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _place(first: int, last: int) -> str:
    if last < first:
        return f"what is added after line {last}"
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _text(text: str | bytes) -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "replace")


def ran(number: int, runs: Iterable[Run]) -> bool | None:
    """Whether the lines of a region ran on some side; None where they hold no code, or nobody watched."""
    seen = [_seen(run, number) for run in runs]
    return True if True in seen else False if False in seen else None


def _seen(run: Run, number: int) -> bool | None:
    watched: Sequence[bool | None] = run.recording["ran"] if run.recording else ()
    return watched[number] if number < len(watched) else None
