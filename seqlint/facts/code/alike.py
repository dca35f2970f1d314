"""Names that differ by a slip of the pen."""

from __future__ import annotations

from difflib import SequenceMatcher

_CLOSE = 0.85


def alike(one: str, other: str) -> bool:
    """Whether two names are the same but for case, underscores and a letter or two: "onEpochEnd", "on_epcoh_end"."""
    left, right = (name.replace("_", "").lower() for name in (one, other))
    return SequenceMatcher(None, left, right).ratio() >= _CLOSE
