"""What `training=True` does where nothing is trained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.full((200, 4), 3, "float32")


def test_layers_that_mind(line: Line) -> None:
    drop, norm = line.keras.layers.Dropout(0.5), line.keras.layers.BatchNormalization()
    line.keras.Sequential([line.keras.Input((4,)), drop, norm])(ROWS, training=True)
    dropped = float(np.mean(np.array(drop(ROWS, training=True)) == 0))
    assert 0.4 < dropped < 0.6
    assert np.abs(np.array(norm.moving_mean)).max() > 0
    line.says("SEQ815", "drops half of the numbers of `Dropout(0.5)`, and moves the mean of `BatchNormalization`")


def test_in_test_step(line: Line) -> None:
    import tensorflow as tf

    keras = line.keras

    class Model(keras.Model):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__()
            self.norm = keras.layers.BatchNormalization()

        def call(self, x: Any, training: bool = False) -> Any:
            return self.norm(x, training=training)

        def test_step(self, data: Any) -> dict[str, Any]:
            x = data[0] if isinstance(data, tuple) else data
            self(x, training=True)
            return {"loss": tf.constant(0.0)}

    model = Model()
    model.compile("sgd", "mse")
    model.evaluate(ROWS, ROWS, verbose=0)
    assert np.abs(np.array(model.norm.moving_mean)).max() > 0
    line.says("SEQ815", "in `test_step` the flag does the same under `evaluate`")
