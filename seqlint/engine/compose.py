"""Edits into text: a fix whole or not at all, equal edits once, what overlaps waits."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
        fresh = [edit for edit in all_edits(choice.fix) if edit not in edits]
        if any(overlap(one, other) for one in fresh for other in edits):
            continue
        taken.append(choice)
        edits += fresh
    return tuple(taken)


def all_edits(fix: Fix) -> tuple[Edit, ...]:
    """The edits of a fix in all files, each with the path of its own if that is another one than that of the finding."""
    return (*fix.edits, *(replace(edit, path=each.path) for each in fix.elsewhere for edit in each.edits))


def overlap(one: Edit, other: Edit) -> bool:
    """Whether two edits touch the same bytes of a file, or insert different text at one place."""
    if one.path != other.path:
        return False
    if one.start == other.start and (one.start == one.end or other.start == other.end):
        return True
    return one.start < other.end and other.start < one.end


def edits_of(choices: Sequence[Choice]) -> tuple[Edit, ...]:
    """All edits of the choices in the file of their findings, equal ones once."""
    return tuple(dict.fromkeys(edit for choice in choices for edit in choice.fix.edits))


__all__ = ["Choice", "all_edits", "apply", "choose", "edits_of", "overlap"]
