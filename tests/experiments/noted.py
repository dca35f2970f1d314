"""Datasets of numbers that note which of them are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tests.experiments.lines import Line


def numbers(rows: int) -> Any:
    """The numbers from 0 to `rows`, one after the other."""
    import tensorflow as tf

    return tf.data.Dataset.range(rows)


def noted(dataset: Any, into: list[tuple[int, ...]]) -> Any:
    """The same dataset of numbers; each element that is read is added to a list: one number, or the numbers of a batch."""
    import tensorflow as tf

    def look(read: np.ndarray) -> np.ndarray:
        into.append(tuple(np.ravel(read).tolist()))
        return read

    def passed(value: Any) -> Any:
        read = tf.numpy_function(look, [value], value.dtype)
        read.set_shape(value.shape)
        return read

    return dataset.map(passed)


def pairs(batches: Any) -> Any:
    """Batches of numbers as inputs and targets of a model with one input and one output."""
    import tensorflow as tf

    def pair(numbers: Any) -> tuple[Any, Any]:
        column = tf.reshape(tf.cast(numbers, tf.float32), (-1, 1)) / 1000
        return column, column

    return batches.map(pair)


def epochs_of(line: Line, batches: Any, epochs: int, **options: int) -> list[list[tuple[int, ...]]]:
    """The batches of numbers that each epoch of a training uses; more may be read ahead."""
    from tests.experiments.small import compiled

    read: list[tuple[int, ...]] = []
    compiled(line).fit(pairs(noted(batches, read)), epochs=epochs, verbose=0, **options)
    size = options.get("steps_per_epoch", len(read) // epochs)
    return [read[epoch * size : (epoch + 1) * size] for epoch in range(epochs)]
