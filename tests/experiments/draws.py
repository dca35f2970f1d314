"""Random numbers that no seed of the program decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def unseeded() -> Iterator[None]:
    """TensorFlow without the global seed that an experiment begins with: operations draw anew each time."""
    import tensorflow as tf

    tf.random.set_seed(None)
    yield
    tf.random.set_seed(7)


def passes(data: Any, number: int = 2) -> list[list[float]]:
    """All numbers that each of several passes over a dataset reads, in order."""
    return [np.concatenate([np.ravel(row) for row in data.as_numpy_iterator()]).tolist() for _ in range(number)]


def is_frozen(data: Any) -> bool:
    """Whether two passes read the same numbers in the same order."""
    first, second = passes(data)
    return first == second
