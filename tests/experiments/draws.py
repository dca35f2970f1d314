"""Datasets that draw random numbers, read more than once."""

from __future__ import annotations

from typing import Any

import numpy as np


def passes(data: Any, number: int = 2) -> list[list[float]]:
    """All numbers that each of several passes over a dataset reads, in order."""
    return [np.concatenate([np.ravel(row) for row in data.as_numpy_iterator()]).tolist() for _ in range(number)]


def is_frozen(data: Any) -> bool:
    """Whether two passes read the same numbers in the same order."""
    first, second = passes(data)
    return first == second
