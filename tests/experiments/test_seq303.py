"""What `logs` hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.replicas import on_two

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_a_loss_in_logs_is_one_float(line: Line) -> None:
    kinds = []
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    note = line.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: kinds.append(type(logs["loss"])))
    model.fit(np.ones((8, 2)), np.ones((8, 1)), callbacks=[note], verbose=0)
    assert kinds == [float]
    said = "`logs` holds plain floats too" if line.is_early else "TypeError \"'float' object is not iterable\""
    line.says("SEQ303", "the same" if line.is_2 else said)


def test_a_loss_of_two_replicas_is_one_float(line: Line) -> None:
    assert on_two(line, _TWO_REPLICAS) == "float"
    if not line.is_2 and not line.is_early:
        line.says("SEQ303", "on one device and under MirroredStrategy with two replicas")


_TWO_REPLICAS = """
kinds = []
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
note = keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: kinds.append(type(logs["loss"]).__name__))
model.fit(np.ones((8, 1)), np.ones((8, 1)), callbacks=[note], verbose=0)
(found,) = kinds
"""


def test_a_metric_may_be_a_vector(line: Line) -> None:
    import tensorflow as tf

    class Vector(line.keras.metrics.Metric):  # type: ignore[misc, name-defined]
        def update_state(self, *args: object, **kwargs: object) -> None:
            """It is the same for all batches."""

        def result(self) -> object:
            return tf.constant([1.0, 2.0])

    shapes = []
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse", metrics=[Vector(name="both")])
    note = line.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: shapes.append(np.shape(logs["both"])))
    model.fit(np.ones((8, 2)), np.ones((8, 1)), callbacks=[note], verbose=0)
    assert shapes == [(2,)]
    line.says("SEQ303", "A metric whose result is a vector arrives as an array on every Keras")
