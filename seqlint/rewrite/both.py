"""Two findings at one place that are one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.model import Finding


def mended_in_both(one: Finding, other: Finding) -> Finding:
    """The first, with a fix that makes the edits of both; without a fix if one of them has none."""
    if not one.fixes or not other.fixes:
        return one.unfixed(other.no_fix or "its other use has no fix")
    edits = tuple(dict.fromkeys((*one.fixes[0].edits, *other.fixes[0].edits)))
    lines = tuple(line for line in one.fixes[0].lines if line in other.fixes[0].lines)
    return replace(one, fixes=(replace(one.fixes[0], edits=edits, lines=lines),))
