"""Training steps by hand, without the flag that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.full((8, 2), 3.0, "float32")


def step(model: Any, optimizer: Any, **flags: Any) -> None:
    import tensorflow as tf

    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(ROWS, **flags) ** 2)
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))


def moving_mean(line: Line, **flags: Any) -> float:
    normal = line.keras.layers.BatchNormalization()
    model = line.keras.Sequential([line.keras.Input((2,)), normal, line.keras.layers.Dense(1)])
    step(model, line.keras.optimizers.SGD(0.1), **flags)
    return float(np.array(normal.moving_mean)[0])


def test_batch_normalisation(line: Line) -> None:
    assert moving_mean(line) == 0.0
    assert moving_mean(line, training=True) > 0
    line.says("SEQ808", "`model(x)` in a GradientTape leaves the moving mean of BatchNormalization at 0.0")


def test_dropout(line: Line) -> None:
    drops = line.keras.Sequential([line.keras.Input((2,)), line.keras.layers.Dropout(0.9)])
    assert np.array_equal(drops(ROWS), ROWS)
    assert not np.array_equal(drops(ROWS, training=True), ROWS)
    line.says("SEQ808", "Dropout drops nothing; with `training=True` both work")


@pytest.mark.parametrize("flags", [{}, {"training": True}])
def test_train_step(line: Line, flags: dict[str, bool]) -> None:
    class Own(line.keras.Model):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.normal = line.keras.layers.BatchNormalization()
            self.dense = line.keras.layers.Dense(1)

        def call(self, x: Any, training: Any = None) -> Any:
            return self.dense(self.normal(x, training=training))

        def train_step(self, data: Any) -> dict[str, float]:
            step(self, self.optimizer, **flags)
            return {"loss": 0.0}

    model = Own()
    model.compile(optimizer="sgd", loss="mse")
    model.fit(ROWS, ROWS[:, :1], verbose=0)
    assert (float(np.array(model.normal.moving_mean)[0]) == 0.0) is (not flags)
    line.says("SEQ808", "the same holds for `self(x)` in the `train_step` of a model that `fit` trains")
