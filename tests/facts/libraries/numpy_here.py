"""What the NumPy that is installed has."""

from __future__ import annotations

import numpy as np


def has(name: str) -> bool:
    """Whether a name of NumPy can be used; NumPy 1.20 to 1.26 hand out some that only raise when they are called."""
    if name in getattr(np, "__expired_functions__", ()):
        return False
    try:
        getattr(np, name)
    except (AttributeError, RuntimeError):
        return False
    return True
