"""Writes the comment that hides one finding."""

from __future__ import annotations

import io
import tokenize
from typing import TYPE_CHECKING

from seqlint.engine.own import OWN
from seqlint.engine.suppress import suppressions
from seqlint.model import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.model import Diagnostic
    from seqlint.sources import Source

_OURS = frozenset(loaded.rule.code for loaded in OWN)
_LINE_ENDS = (tokenize.NL, tokenize.NEWLINE)


def hide(source: Source, diagnostic: Diagnostic, reason: str = "") -> Edit | None:
    """The edit that hides a diagnostic on its line: a new comment there, or one code more in that which is there.

    None where no comment can stand, in pages of text, and for what seqlint says about itself.

    Args:
        reason: what a new comment says after the code.
    """
    if diagnostic.code in _OURS or source.is_page:
        return None
    here = diagnostic.start.line
    for found in suppressions(source).found:
        if found.scope == "ignore" and found.words and here in found.lines and not found.noqa and not found.fault:
            end = found.words[-1].end
            return Edit(end, end, f", {diagnostic.code}")
    try:
        tokens = tuple(tokenize.generate_tokens(io.StringIO(source.text, newline="").readline))
    except (tokenize.TokenError, SyntaxError):
        return None
    place = _line_end(source, tokens, here)
    return (
        None
        if place is None
        else Edit(place, place, f"  # seqlint: ignore[{diagnostic.code}]{reason and f' {reason}'}")
    )


def _line_end(source: Source, tokens: Sequence[tokenize.TokenInfo], line: int) -> int | None:
    """Where the line ends; where it continues after a backslash or in a string, the end of its statement."""
    ends = [token for token in tokens if token.type in _LINE_ENDS and token.start[0] >= line]
    if not ends:
        return None
    if ends[0].start[0] > line:
        ends = [token for token in ends if token.type == tokenize.NEWLINE]
    return source.offset(ends[0].start[0], ends[0].start[1] + 1) if ends else None
