"""How two ranks start that nobody makes equal; each is a model that the same code makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.small import ROWS

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def _model(line: Line) -> Any:
    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    model.compile(optimizer=line.keras.optimizers.SGD(0.1), loss="mse")
    return model


def _difference(models: list[Any]) -> float:
    one, other = (model.get_weights()[0] for model in models)
    return float(one[0, 0] - other[0, 0])


def test_the_same_gradients_leave_the_difference(line: Line) -> None:
    import tensorflow as tf

    models = [_model(line) for _ in range(2)]
    before = _difference(models)
    assert before
    with tf.GradientTape(persistent=True) as tape:
        losses = [tf.reduce_mean((model(ROWS) - 3 * ROWS) ** 2) for model in models]
    own = [tape.gradient(loss, model.trainable_variables) for loss, model in zip(losses, models, strict=True)]
    shared = [sum(both) / 2 for both in zip(*own, strict=True)]
    for model in models:
        model.optimizer.apply_gradients(zip(shared, model.trainable_variables, strict=True))
    np.testing.assert_allclose(_difference(models), before, rtol=1e-5)
    line.says("SEQ313", "start from different weights, and the same gradients leave the difference as it is")
