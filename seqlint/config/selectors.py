"""Words that select rules: a code, the beginning of codes (`SEQ2`), a name, or `ALL`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ALL = "ALL"
_EXACT = 1000  # no beginning of a code is this long


def closeness(selector: str, code: str, name: str) -> int | None:
    """How closely a selector names a rule; None where it does not. A name or a code beats any beginning of codes."""
    if selector in (code, name):
        return _EXACT
    if selector == ALL:
        return 0
    return len(selector) if _begins(selector, code) else None


def closest(selectors: Iterable[str], code: str, name: str) -> int | None:
    """The best of what the selectors say about a rule; None where none names it."""
    found = (closeness(selector, code, name) for selector in selectors)
    return max((how for how in found if how is not None), default=None)


def first_unknown(selectors: Iterable[str], known: Mapping[str, str]) -> str | None:
    """The first selector that names no rule; `known` has the names of all rules by their codes."""
    return next((selector for selector in selectors if not _known(selector, known)), None)


def complaint(selector: str, known: Mapping[str, str]) -> str:
    """What to say about a selector that names no rule: with the nearest one that does."""
    near = did_you_mean(selector, (*known, *known.values(), ALL))
    return f"unknown rule {selector!r}{near or '; `seqlint rules` lists them'}"


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """The end of a message about an unknown word: the nearest of the right ones, or nothing where none is near."""
    from difflib import get_close_matches  # only a mistake pays for it

    by_fold = {right.casefold(): right for right in sorted(words)}
    near = get_close_matches(word.casefold(), by_fold, n=1)
    return f"; did you mean {by_fold[near[0]]!r}?" if near else ""


def _known(selector: str, known: Mapping[str, str]) -> bool:
    return any(closeness(selector, code, name) is not None for code, name in known.items())


def _begins(selector: str, code: str) -> bool:
    """Whether a selector has the letters of a code, and its first digits or none."""
    if not code.startswith(selector):
        return False
    letters = re.match(r"[A-Z]+", code)
    return letters is not None and len(selector) >= letters.end()
