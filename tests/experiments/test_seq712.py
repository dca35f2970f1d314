"""Calls that Keras 3 takes in another way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.ones((4, 3), "float32")


def model(line: Line) -> Any:
    return line.keras.Sequential([line.keras.layers.Dense(1)])


def test_metrics_by_place_are_loss_weights(line: Line) -> None:
    net = model(line)
    net.compile("sgd", "mse", ["mae"])
    if line.is_2:
        assert "mae" in net.fit(ROWS, ROWS[:, :1], verbose=0).history
        line.says("SEQ712", "all of these work")
        return
    with pytest.raises(ValueError, match=r"\w"):
        net.fit(ROWS, ROWS[:, :1], verbose=0)
    line.says("SEQ712", "takes the list for `loss_weights`, and `fit` raises ValueError")


def test_a_weight_has_its_shape_first(line: Line) -> None:
    layer = line.keras.layers.Layer()
    if line.is_2:
        assert layer.add_weight("w", (3, 3)).shape == (3, 3)
    else:
        with pytest.raises((ValueError, TypeError), match=r"\w"):
            layer.add_weight("w", (3, 3))
        line.says("SEQ712", '`add_weight("w", (3, 3))` raises ValueError or TypeError')
    assert tuple(layer.add_weight(name="w", shape=(3, 3)).shape) == (3, 3)


def test_tensorflow_takes_no_symbolic_tensor(line: Line) -> None:
    import tensorflow as tf

    hidden = line.keras.layers.Dense(2)(line.keras.Input((3,)))
    if line.is_2:
        assert tuple(tf.reduce_sum(hidden, axis=1).shape) == (None,)
        return
    for function in (tf.reduce_sum, tf.shape):
        with pytest.raises(ValueError, match="A KerasTensor cannot be used as input to a TensorFlow function"):
            function(hidden)
    line.says("SEQ712", "`tf.reduce_sum` and `tf.shape` of a symbolic tensor raise ValueError")
    assert tuple(line.keras.ops.sum(hidden, axis=1).shape) == (None,)


def test_arguments_are_gone(line: Line) -> None:
    keras = line.keras
    given = [np.ones((3, 1)), np.ones(1)]
    if line.is_2:
        assert keras.layers.Dense(1, weights=given) is not None
        assert keras.utils.to_categorical(y=[0, 1]).shape == (2, 2)
        return
    with pytest.raises(ValueError, match="weights"):
        keras.layers.Dense(1, weights=given)
    with pytest.raises(ValueError, match="jit_compile"):
        keras.optimizers.SGD(jit_compile=True)
    with pytest.raises(TypeError):
        keras.utils.to_categorical(y=[0, 1])
    line.says(
        "SEQ712",
        "`Dense(1, weights=...)` and `SGD(jit_compile=True)` raise ValueError, `to_categorical(y=...)` raises TypeError",
    )
