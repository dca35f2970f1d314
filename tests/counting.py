"""How much work something is, in steps that are the same on every machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 3.0
"""How many times the work twice the input may be: four is what a square gives."""


def steps(work: Callable[[], object]) -> int:
    """How many functions are called on the way, those that are written in C among them."""
    count = 0

    def counted(frame: Any, event: str, given: Any) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
