"""The lines of a program, as they stand on its page."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block was on the page that was read.

    Attributes:
        start, end: its bytes, whole lines.
        first, last: the numbers, from 0, of its first line and of the one below it.
        session: whether its lines have prompts.
        answered: whether the output of its last statement follows.
    """

    start: int
    end: int
    first: int
    last: int
    session: bool = False
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a program.

    Attributes:
        block: the number of its block; None for the line that stands between two blocks, which is not on the page.
        lead: what stands before the code on this line of the page: indentation, marks of a quote, a prompt.
        gap: lines of the page between this one and the one above it in its block: the output of a session.
        shown: whether it is on the page; empty lines of a fix are left out of a session.
        origin: after edits, the number of the line that it was before.
    """

    block: int | None
    lead: str = ""
    gap: str = ""
    shown: bool = True
    origin: int | None = field(default=None, compare=False)
