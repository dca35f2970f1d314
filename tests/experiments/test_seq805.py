"""Metrics that assign what one batch gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.arange(8, dtype="float32").reshape(8, 1)  # in batches of 2 the means are 0.5, 2.5, 4.5 and 6.5


def logged(line: Line, *, adds: bool) -> tuple[float, float, float]:
    """What the training, its validation and `evaluate` say."""
    import tensorflow as tf

    class Level(line.keras.metrics.Metric):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__(name="level")
            self.total = self.add_weight(name="total", initializer="zeros")
            self.count = self.add_weight(name="count", initializer="zeros")

        def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
            (self.total.assign_add if adds else self.total.assign)(tf.reduce_mean(y_true))
            (self.count.assign_add if adds else self.count.assign)(1.0)

        def result(self) -> Any:
            return self.total / self.count

    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse", metrics=[Level()])
    kept = model.fit(
        ROWS, ROWS, batch_size=2, shuffle=False, verbose=0, validation_data=(ROWS, ROWS), validation_batch_size=2
    ).history
    scored = model.evaluate(ROWS, ROWS, batch_size=2, verbose=0)[1]
    return float(kept["level"][-1]), float(kept["val_level"][-1]), float(scored)


def test_the_last_batch_is_logged(line: Line) -> None:
    training, held, scored = logged(line, adds=False)
    assert training == held == scored == 6.5
    line.says("SEQ805", "a metric that assigns the mean of its batch logs 6.5")


def test_sums(line: Line) -> None:
    training, _, scored = logged(line, adds=True)
    assert training == scored == 3.5
    line.says("SEQ805", "a metric that adds up sum and count logs 3.5")


def test_a_plain_attribute(line: Line) -> None:
    import tensorflow as tf

    class Level(line.keras.metrics.Metric):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__(name="level")
            self.value = 0.0

        def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
            self.value = tf.reduce_mean(y_true)

        def result(self) -> Any:
            return self.value

    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse", metrics=[Level()])
    logged = model.fit(ROWS, ROWS, batch_size=2, shuffle=False, verbose=0).history["level"][-1]
    if line.is_2:
        assert logged == 6.5
        line.says("SEQ805", "a metric with a plain attribute, `self.value = value`, logs 6.5, too")
    else:
        assert tf.is_tensor(logged)
        assert not hasattr(logged, "numpy")
        line.says("SEQ805", "a metric with a plain attribute, `self.value = value`, logs a symbolic tensor")
