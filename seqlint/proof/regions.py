"""The lines that a change touches, and which of them ran: what did not run is not proved."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from seqlint.proof.recorder.recording import Ran
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


def places(touched: Iterable[Region], names: Mapping[int, str]) -> str:
    """The lines of regions in words, as they are before the change: "lines 3 to 5 and line 9".

    Args:
        names: what lines are called that have another name than their number.
    """
    words = [_place(*region.before, names) for region in touched]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _place(first: int, last: int, names: Mapping[int, str]) -> str:
    if last < first:
        return f"what is added after {names.get(last, f'line {last}')}"
    if first in names:
        return names[first] if first == last else f"{names[first]} to {names.get(last, last)}"
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _text(text: str | bytes) -> str:
    return text if isinstance(text, str) else text.decode("utf-8", "replace")


def watched(touched: Iterable[Region]) -> tuple[tuple[Lines, ...], tuple[Lines, ...]]:
    """The lines to watch in the program before, and in that after: each by itself, as fixes lie side by side."""
    found = tuple(touched)
    return _each(region.before for region in found), _each(region.after for region in found)


def _each(ranges: Iterable[Lines]) -> tuple[Lines, ...]:
    return tuple((line, line) for line in numbers(ranges))


def numbers(ranges: Iterable[Lines]) -> list[int]:
    """Every line of some ranges."""
    return [line for first, last in ranges for line in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class Reach:
    """Which of the changed lines ran.

    Attributes:
        before, after: by line whether it ran; None where it holds no code, or nobody watched.
    """

    touched: tuple[Region, ...]
    before: Mapping[int, Ran]
    after: Mapping[int, Ran]

    @property
    def missed(self) -> tuple[Region, ...]:
        """The regions that hold code where none of the changed lines ran; none where some did."""
        return () if any(map(self.ran, self.touched)) else self.idle

    @property
    def idle(self) -> tuple[Region, ...]:
        """The regions that hold code of which no line ran."""
        return tuple(region for region in self.touched if self.ran(region) is False)

    def ran(self, region: Region) -> bool | None:
        """Whether some line of a region ran, on some side; None where it holds no code, or nothing but imports ran."""
        seen = [self.before.get(line) for line in numbers([region.before])]
        return told([*seen, *(self.after.get(line) for line in numbers([region.after]))])


def told(seen: Collection[Ran]) -> bool | None:
    """Whether some of several lines ran; None where that tells nothing."""
    if True in seen:
        return True
    return None if "imported" in seen or False not in seen else False


def reach(touched: Sequence[Region], before: Run, after: Run) -> Reach:
    """Which of the watched lines ran in two runs."""
    old, new = watched(touched)
    return Reach(tuple(touched), _seen(old, before), _seen(new, after))


def _seen(lines: Sequence[Lines], run: Run) -> dict[int, Ran]:
    found = run.recording["ran"] if run.recording else []
    return {first: was for (first, _), was in zip(lines, found, strict=False)}
