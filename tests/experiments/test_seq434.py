"""What a model learns from rows that come class by class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.noted import epochs_of, numbers

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def accuracy(line: Line, *, shuffled: bool) -> float:
    """How many of 600 points of three classes, which come class by class, a trained model tells."""
    import tensorflow as tf

    line.keras.utils.set_random_seed(3)
    layers, rng = line.keras.layers, np.random.default_rng(3)
    labels = np.repeat(np.arange(3), 200)
    points = np.array([[0, 0], [1, 0], [0, 1]])[labels] + rng.normal(0, 0.2, (600, 2))
    rows = tf.data.Dataset.from_tensor_slices((points.astype("float32"), labels))
    rows = rows.shuffle(600) if shuffled else rows
    model = line.keras.Sequential([line.keras.Input((2,)), layers.BatchNormalization(), layers.Dense(3, "softmax")])
    model.compile(line.keras.optimizers.Adam(0.05), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(rows.batch(10), epochs=5, verbose=0)
    return float(model.evaluate(points.astype("float32"), labels, verbose=0)[1])


def test_rows_that_come_class_by_class(line: Line) -> None:
    assert accuracy(line, shuffled=False) < 0.5
    line.says(
        "SEQ434",
        "600 points of three classes, which come class by class: after 5 epochs the accuracy is 0.33, that of the last class alone",
    )
    assert accuracy(line, shuffled=True) > 0.9
    line.says("SEQ434", "with a shuffle it is 0.98")


def test_fit_does_not_shuffle_a_dataset(line: Line) -> None:
    epochs = epochs_of(line, numbers(12).batch(4), epochs=2, shuffle=True)
    assert [row for batch in epochs[1] for row in batch] == [*range(12)]
    line.says("SEQ434", "`fit(shuffle=True)` doesn't shuffle a dataset")
