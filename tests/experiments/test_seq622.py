"""What a model learns from rows class by class, where nothing shuffles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def points() -> tuple[Any, Any]:
    """600 points of three classes, one class after the other."""
    labels = np.repeat(np.arange(3), 200)
    spread = np.random.default_rng(3).normal(0, 0.2, (600, 2))
    return (np.array([[0, 0], [1, 0], [0, 1]])[labels] + spread).astype("float32"), labels


def model_of(line: Line) -> Any:
    """A model that tells three classes."""
    layers = line.keras.layers
    model = line.keras.Sequential([line.keras.Input((2,)), layers.BatchNormalization(), layers.Dense(3, "softmax")])
    model.compile(line.keras.optimizers.Adam(0.05), "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def test_arrays_that_are_not_shuffled(line: Line) -> None:
    rows, labels = points()
    found = {}
    for shuffle in (False, True):
        line.keras.utils.set_random_seed(3)
        model = model_of(line)
        model.fit(rows, labels, batch_size=10, epochs=5, shuffle=shuffle, verbose=0)
        found[shuffle] = float(model.evaluate(rows, labels, verbose=0)[1])
    assert found[False] < 0.5
    assert found[True] > 0.9
    line.says("SEQ622", "with `fit(shuffle=False)`: after 5 epochs the accuracy is below 0.5")
    line.says("SEQ622", "with the shuffle of `fit` it is above 0.9")


def test_a_generator_in_order(line: Line) -> None:
    rows, labels = points()

    def once() -> Iterator[Any]:
        for _ in range(5):
            for at in range(0, 600, 10):
                yield rows[at : at + 10], labels[at : at + 10]

    model = model_of(line)
    model.fit(once(), steps_per_epoch=60, epochs=5, verbose=0)
    assert float(model.evaluate(rows, labels, verbose=0)[1]) < 0.5
    line.says("SEQ622", "the same with a generator that yields them in their order")
