"""Edits into text: a fix whole or not at all, equal edits once, what overlaps waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.sources.edits import apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.model import Diagnostic, Edit, Fix


@dataclass(frozen=True)
class Choice:
    """A fix that is to be applied, with the diagnostic that it repairs."""

    diagnostic: Diagnostic
    fix: Fix


def choose(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """The choices that can be applied together, taken in order; the others wait for the next pass."""
    taken: list[Choice] = []
    edits: list[Edit] = []
    for choice in choices:
        fresh = [edit for edit in choice.fix.edits if edit not in edits]
        if any(overlap(one, other) for one in fresh for other in edits):
            continue
        taken.append(choice)
        edits += fresh
    return tuple(taken)


def overlap(one: Edit, other: Edit) -> bool:
    """Whether two edits touch the same bytes, or insert different text at one place."""
    if one.start == other.start and (one.start == one.end or other.start == other.end):
        return True
    return one.start < other.end and other.start < one.end


def edits_of(choices: Sequence[Choice]) -> tuple[Edit, ...]:
    """All edits of the choices, equal ones once."""
    return tuple(dict.fromkeys(edit for choice in choices for edit in choice.fix.edits))


__all__ = ["Choice", "apply", "choose", "edits_of", "overlap"]
