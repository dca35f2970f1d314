"""Flows of an `ImageDataGenerator`, and what pairs of them have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

ROWS = 40


def generator(line: Line, **options: Any) -> Any:
    """An `ImageDataGenerator` of the line, or of TensorFlow where Keras 3 has none."""
    if line.is_2:
        pytest.importorskip("scipy", reason="its ImageDataGenerator asks for SciPy")
        return line.keras.preprocessing.image.ImageDataGenerator(**options)
    import tensorflow as tf

    return tf.keras.preprocessing.image.ImageDataGenerator(**options)


def pictures() -> np.ndarray:
    """Pictures that tell their number, by the darkest pixel, and how they are turned, by a bright corner."""
    made: np.ndarray = np.zeros((ROWS, 8, 8, 1), "float32")
    made[:, 2:5, 1:3] = 1
    made += np.arange(ROWS, dtype="float32")[:, None, None, None] * 10
    return made


def paired(left: Any, right: Any) -> tuple[int, int]:
    """Of the pairs of one pass: how many are of one number, and how many show the bright corner at one place."""
    numbers = corners = 0
    for _ in range(len(left)):
        first, second = next(left), next(right)
        lows = [rows.min(axis=(1, 2, 3), keepdims=True) for rows in (first, second)]
        numbers += int((np.round(lows[0] / 10) == np.round(lows[1] / 10)).sum())
        same = (first > lows[0]) == (second > lows[1])
        corners += int(same.all(axis=(1, 2, 3)).sum())
    return numbers, corners
