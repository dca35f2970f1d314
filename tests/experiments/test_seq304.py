"""What is logged where a step returns the loss of its batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.replicas import on_two

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
LOSSES = np.repeat([0.0, 0.0, 1.0, 1.0], 4).astype("float32").reshape(16, 1)


def logged(line: Line, key: str, *, tracked: bool = False) -> float:
    """What an epoch logs whose four batches have the losses 0, 0, 1 and 1."""
    keras = line.keras

    class Net(keras.Model):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.mean = keras.metrics.Mean(name=key) if tracked else None

        def call(self, inputs: Any) -> Any:
            return inputs

        def train_step(self, data: Any) -> dict[str, Any]:
            import tensorflow as tf

            loss = tf.reduce_mean(data[0])
            if self.mean is None:
                return {key: loss}
            self.mean.update_state(loss)
            return {key: self.mean.result()}

    model = Net()
    model.compile(optimizer="sgd")
    history = model.fit(LOSSES, LOSSES, batch_size=4, epochs=1, shuffle=False, verbose=0)
    return float(history.history[key][0])


def test_the_loss_of_the_last_batch_or_none_at_all(line: Line) -> None:
    value = logged(line, "loss")
    assert value == (1.0 if line.is_2 else 0.0)
    newest = f'`{{"loss": loss}}` alone logs {value}'
    said = f"{value}, that of the last batch" if line.is_2 else newest
    line.says("SEQ304", "the same" if line.is_early else said)


def test_another_key_has_the_last_batch(line: Line) -> None:
    value = logged(line, "pull")
    assert value == 1.0
    line.says("SEQ304", "the same" if line.is_early else f"{value}, that of the last batch")


def test_a_metric_has_the_mean(line: Line) -> None:
    assert logged(line, "loss", tracked=True) == 0.5
    assert logged(line, "pull", tracked=True) == 0.5


_TWO_REPLICAS = """
losses = np.repeat([0.0, 0.0, 1.0, 1.0], 4).astype("float32").reshape(16, 1)


class Net(keras.Model):
    def call(self, inputs):
        return inputs

    def train_step(self, data):
        return {"pull": tf.reduce_mean(data[0])}


with strategy.scope():
    model = Net()
    model.compile(optimizer="sgd")
history = model.fit(losses, losses, batch_size=4, shuffle=False, verbose=0).history
found = float(history["pull"][0])
"""


def test_keras_2_adds_up_two_replicas(line: Line) -> None:
    value = on_two(line, _TWO_REPLICAS)
    assert value == (2.0 if line.is_2 else 1.0)
    if line.is_2:
        line.says("SEQ304", f"With two replicas under MirroredStrategy {value}, their sum")


def test_a_metric_of_its_own_is_among_the_weights_of_keras_2(line: Line) -> None:
    class Net(line.keras.Model):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.inner = line.keras.layers.Dense(1)
            self.mean = line.keras.metrics.Mean(name="pull")
            self.outer = line.keras.layers.Dense(1, use_bias=False)

        def call(self, inputs: Any) -> Any:
            return self.outer(self.inner(inputs))

    model = Net()
    model(LOSSES)
    counted = [array.shape for array in model.get_weights()]
    assert counted == [(1, 1), (1,), *([(), ()] if line.is_2 else []), (1, 1)]
    if line.is_2:
        line.says("SEQ304", "A metric of the model's own counts among its `get_weights()`, where its attribute is set")


def test_the_other_step_logs_the_metric_too(line: Line) -> None:
    keras = line.keras

    class Net(keras.Model):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.means = [keras.metrics.Mean(name=name) for name in ("loss", "pull")]
            self.inner = keras.layers.Dense(1)

        def call(self, inputs: Any) -> Any:
            return self.inner(inputs)

        def test_step(self, data: Any) -> dict[str, Any]:
            for mean in self.means:
                mean.update_state(2.0)
            return {mean.name: mean.result() for mean in self.means}

    model = Net()
    model.compile(optimizer="sgd", loss="mse")
    logs = model.fit(LOSSES, LOSSES + 1, validation_data=(LOSSES, LOSSES), verbose=0).history
    assert (logs["val_loss"], logs["val_pull"]) == ([2.0], [2.0])
    assert (logs["loss"], logs["pull"]) == ([0.0], [0.0])
    line.says("SEQ304", "a step that the model leaves to Keras logs such a metric as well, at 0.0")
    line.says("SEQ304", 'One that is called "loss" replaces the loss of that step')
