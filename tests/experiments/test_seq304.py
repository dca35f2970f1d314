"""What is logged where a step returns the loss of its batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

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
