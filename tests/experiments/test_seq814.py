"""What fine tuning does to the statistics of batch normalisation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.full((8, 2), 5, "float32")


def thawed(line: Line, rate: float, *, refrozen: bool = False, **flags: Any) -> list[float]:
    """The mean that a base has, and how far its weights moved, after it was frozen, set free and trained."""
    keras = line.keras
    inside = keras.Input((2,))
    norm, dense = keras.layers.BatchNormalization(), keras.layers.Dense(2)
    base = keras.Model(inside, norm(dense(inside)))
    base.trainable = False
    inputs = keras.Input((2,))
    model = keras.Model(inputs, keras.layers.Dense(1)(base(inputs, **flags)))
    base.trainable = True
    norm.trainable = not refrozen
    model.compile(keras.optimizers.SGD(rate), "mse")
    before = np.array(dense.get_weights()[0])
    model.fit(ROWS, ROWS[:, :1], verbose=0)
    moved = float(np.abs(np.array(dense.get_weights()[0]) - before).max())
    return [float(np.abs(np.array(norm.moving_mean)).max()), moved]


def test_the_mean_moves(line: Line) -> None:
    mean, moved = thawed(line, 0.0)
    assert mean > 0
    assert moved == 0
    line.says(
        "SEQ814", "one epoch of `fit` with a learning rate of 0 moves the mean of a `BatchNormalization` in the base"
    )


def test_the_flag_of_the_call(line: Line) -> None:
    mean, moved = thawed(line, 0.01, training=False)
    if line.is_2:
        assert mean == 0
        assert moved > 0
        line.says("SEQ814", "there the mean stays, and the weights learn")
    else:
        assert mean > 0
        line.says("SEQ814", "the same happens where a functional model was made with `base(inputs, training=False)`")


def test_frozen_again(line: Line) -> None:
    mean, moved = thawed(line, 0.01, refrozen=True)
    assert mean == 0
    assert moved > 0
    line.says("SEQ814", "where the `BatchNormalization` itself is frozen again, the mean stays")
