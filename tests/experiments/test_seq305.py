"""Whether state that a metric makes by hand is set back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.replicas import on_two
from tests.experiments.small import compiled

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = np.ones((15, 1), "float32")


def counted(line: Line, *, by_hand: bool) -> tuple[list[float], list[float]]:
    """The rows that a metric counts in two epochs, and in their validations."""
    import tensorflow as tf

    class Rows(line.keras.metrics.Metric):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__(name="rows")
            if by_hand:
                self.seen = tf.Variable(0.0, trainable=False)
            else:
                self.seen = self.add_weight(name="seen", initializer="zeros")

        def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
            self.seen.assign_add(tf.cast(tf.shape(y_true)[0], "float32"))

        def result(self) -> Any:
            return self.seen + 0.0

    model = compiled(line)
    model.compile(optimizer="sgd", loss="mse", metrics=[Rows()])
    history = model.fit(ROWS, ROWS, batch_size=5, epochs=2, verbose=0, validation_data=(ROWS, ROWS)).history
    return [float(value) for value in history["rows"]], [float(value) for value in history["val_rows"]]


def test_a_variable_made_by_hand(line: Line) -> None:
    seen, checked = counted(line, by_hand=True)
    if line.is_2:
        assert seen == checked == [15.0, 15.0]
        line.says("SEQ305", "a `tf.Variable` is reset")
        return
    first, second, third, fourth = (int(value) for value in (*seen, *checked))
    assert first == 15
    said = (
        "the same"
        if line.is_early
        else f"{first} and {second} in two epochs, {third} and {fourth} for their validations"
    )
    assert (second, third, fourth) == (45, 30, 60)
    line.says("SEQ305", said)


def test_a_weight_is_set_back(line: Line) -> None:
    assert counted(line, by_hand=False) == ([15.0, 15.0], [15.0, 15.0])


_TWO_REPLICAS = """
class Rows(keras.metrics.Metric):
    def __init__(self, make):
        super().__init__(name="rows")
        self.seen = make(self)

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.seen.assign_add(tf.cast(tf.shape(y_true)[0], "float32"))

    def result(self):
        return self.seen + 0.0


makers = {
    "tf.Variable": lambda metric: tf.Variable(0.0, trainable=False),
    "add_weight": lambda metric: metric.add_weight(name="seen", initializer="zeros"),
}
if keras.__version__ >= "3":
    makers["keras.Variable"] = lambda metric: keras.Variable(0.0, trainable=False)
rows = np.ones((15, 1), "float32")
found = {}
for name, make in makers.items():
    with strategy.scope():
        model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse", metrics=[Rows(make)])
    history = model.fit(rows, rows, batch_size=8, verbose=0).history
    found[name] = int(history["rows"][0])
"""


def test_two_replicas(line: Line) -> None:
    found = on_two(line, _TWO_REPLICAS)
    of_weight = found.pop("add_weight")
    assert set(found.values()) == {8}
    if line.is_early:
        assert of_weight == (8 if line.version < (3, 7) else 23)
        line.says(
            "SEQ305", "a weight of `add_weight` is just as wrong: it counts 8 of 15 up to 3.6, and 23 from 3.7 to 3.9"
        )
        return
    assert of_weight == 15
    if line.is_2:
        line.says("SEQ305", "With two replicas it counts 8 of 15")
    else:
        line.says(
            "SEQ305", "With two replicas under MirroredStrategy it counts 8 of 15, and so does a `keras.Variable`"
        )
