"""Class weights without a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def loss_of(line: Line, weights: dict[int, float]) -> float:
    """The loss of an epoch of two rows of each of three classes; each row has the loss log(3) times its weight."""
    layer = line.keras.layers.Dense(3, activation="softmax", kernel_initializer="zeros")
    model = line.keras.Sequential([line.keras.Input((2,)), layer])
    model.compile("sgd", "sparse_categorical_crossentropy")
    history = model.fit(np.ones((6, 2), "float32"), np.arange(6) % 3, class_weight=weights, verbose=0).history
    return float(history["loss"][0] / np.log(3))


def test_a_class_that_is_left_out(line: Line) -> None:
    import tensorflow as tf

    if line.is_2:
        with pytest.raises(ValueError, match="class_weight"):
            loss_of(line, {1: 4.0, 2: 4.0})
        with pytest.raises(tf.errors.InvalidArgumentError):
            loss_of(line, {0: 4.0, 1: 4.0})
        line.says(
            "SEQ629", "ValueError at the start of `fit`; where the last classes are left out, InvalidArgumentError"
        )
        return
    assert loss_of(line, {1: 4.0, 2: 4.0}) == pytest.approx((1 + 4 + 4) / 3, rel=1e-3)
    line.says("SEQ629", "a class that is left out has the weight 1, without a word")


def test_a_class_that_the_labels_lack(line: Line) -> None:
    assert loss_of(line, {0: 1.0, 1: 2.0, 2: 6.0, 3: 50.0}) == pytest.approx(3, rel=1e-3)
    line.says("SEQ629", "a class that the labels don't have is passed over without a word")
