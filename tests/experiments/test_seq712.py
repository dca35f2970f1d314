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


def test_pools_need_a_size_and_auto_is_no_reduction(line: Line) -> None:
    layers, losses = line.keras.layers, line.keras.losses
    image = np.arange(16, dtype="float32").reshape(1, 4, 4, 1)
    wanted = losses.MeanSquaredError(reduction="sum_over_batch_size")(ROWS, 3 * ROWS)
    if line.is_2:
        assert np.array_equal(layers.AveragePooling2D()(image), layers.AveragePooling2D(pool_size=2)(image))
        assert float(losses.MeanSquaredError(reduction="auto")(ROWS, 3 * ROWS)) == float(wanted)
        return
    with pytest.raises(TypeError, match="pool_size"):
        layers.AveragePooling2D()
    with pytest.raises(ValueError, match="reduction"):
        losses.MeanSquaredError(reduction="auto")
    line.says("SEQ712", "`AveragePooling2D()` without `pool_size` raises TypeError")
    line.says("SEQ712", '`reduction="auto"` of a loss raises ValueError')


def test_losses_are_added_in_call(line: Line) -> None:
    import tensorflow as tf

    inputs = line.keras.Input((3,))
    dense = line.keras.layers.Dense(1)
    outputs = dense(inputs)
    net = line.keras.Model(inputs, outputs)
    mean = tf.reduce_mean(outputs) if line.is_2 else line.keras.ops.mean(outputs)
    if line.is_2:
        net.add_loss(mean)
        net.compile("sgd")
        assert net.fit(ROWS, verbose=0).history["loss"]
        return
    with pytest.raises(NotImplementedError):
        net.add_loss(mean)
    line.says("SEQ712", "`add_loss` of a functional model raises NotImplementedError")
    with pytest.raises(ValueError, match="add_loss"):
        dense.add_loss(mean)
    line.says("SEQ712", "`add_loss(symbolic)` of a layer outside of `call` raises ValueError")


def test_a_variable_of_tensorflow_is_no_weight(line: Line) -> None:
    import tensorflow as tf

    class Shift(line.keras.layers.Layer):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.shift = tf.Variable(tf.zeros((3,)))

        def call(self, inputs: Any) -> Any:
            return inputs + self.shift

    layer = Shift()
    net = line.keras.Sequential([layer, line.keras.layers.Dense(1, kernel_initializer="ones")])
    net.compile("sgd", "mse")
    net.fit(ROWS, ROWS[:, :1], verbose=0)
    moved = bool(np.any(layer.shift.numpy()))
    assert (len(layer.trainable_weights), moved) == ((1, True) if line.is_2 else (0, False))
    line.says(
        "SEQ712",
        "a `tf.Variable` of a layer is one of its weights"
        if line.is_2
        else "a `tf.Variable` that a layer keeps is none of its weights: `fit` leaves it as it was",
    )


def test_names_of_metrics(line: Line) -> None:
    net = model(line)
    net.compile("sgd", "mse", metrics=["mae"])
    net.fit(ROWS, ROWS[:, :1], verbose=0)
    line.says("SEQ712", f"`metrics_names` is `{net.metrics_names}`")
    assert [*net.evaluate(ROWS, ROWS[:, :1], verbose=0, return_dict=True)] == ["loss", "mae"]


def test_a_slope_and_defaults_are_others(line: Line) -> None:
    import tensorflow as tf

    keras = line.keras
    slope = round(float(keras.activations.hard_sigmoid(tf.constant([1.0]))[0]), 4)
    recurrent = keras.layers.ConvLSTM2D(2, 3).get_config()["recurrent_activation"]
    line.says("SEQ712", f"`hard_sigmoid(1.0)` is {slope}, and the recurrent activation of ConvLSTM2D is `{recurrent}`")
    rates = keras.regularizers.l1_l2().get_config()
    rate = round(float(np.asarray(keras.optimizers.Lion().learning_rate)), 6)
    both = f"{round(float(rates['l1']), 6)} and {round(float(rates['l2']), 6)}"
    line.says("SEQ712", f"the defaults of `l1_l2()` are {both}, and the learning rate of `Lion()` is {rate}")


def test_the_loss_of_one_batch(line: Line) -> None:
    net = line.keras.Sequential([line.keras.layers.Dense(1, kernel_initializer="zeros", trainable=False)])
    net.build((None, 3))
    net.compile("sgd", "mse")
    _, second = (float(net.train_on_batch(ROWS, np.full((4, 1), wanted))) for wanted in (2.0, 10.0))
    if line.is_early:
        line.says("SEQ712", f"the second of two calls with a loss of 4 and then 100 gives {second:.0f}")
    elif line.is_2:
        assert second == 100
        line.says("SEQ712", "`train_on_batch` gives the loss of its batch")
    else:
        assert second == (52 if line.version < (3, 13) else 100)
