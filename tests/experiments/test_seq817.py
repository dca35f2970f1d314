"""What a model gives for a row alone and in a batch, where a layer reduces the whole batch to one number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.arange(1, 13, dtype="float32").reshape(4, 3) ** 2


def depends_on_others(line: Line, layer: Any) -> bool:
    inputs = line.keras.Input((3,))
    model = line.keras.Model(inputs, layer(inputs))
    return not np.allclose(model.predict_on_batch(ROWS)[:1], model.predict_on_batch(ROWS[:1]))


def test_rows_of_a_batch(line: Line) -> None:
    import tensorflow as tf

    class Scaled(line.keras.layers.Layer):  # type: ignore[misc, name-defined]
        def call(self, x: Any) -> Any:
            return x / tf.reduce_max(x)

    mix = line.keras.layers.Lambda
    assert depends_on_others(line, mix(lambda x: x - tf.reduce_mean(x)))
    assert depends_on_others(line, Scaled())
    assert not depends_on_others(line, mix(lambda x: x - tf.reduce_mean(x, axis=-1, keepdims=True)))
    line.says("SEQ817", "predicts other values for a row in a batch of 4 than for the row alone")
    line.says("SEQ817", "with `axis=-1, keepdims=True` they are equal")
