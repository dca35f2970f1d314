"""Training steps by hand, with a graph and without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
STEPS = 20


def runs_of_python(line: Line, *, graph: bool) -> int:
    """How often Python runs a step, of 20."""
    import tensorflow as tf

    model = line.keras.Sequential([line.keras.Input((2,)), line.keras.layers.Dense(1)])
    optimizer = line.keras.optimizers.SGD(0.1)
    seen: list[Any] = []

    def step(rows: Any) -> None:
        seen.append(rows)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(rows, training=True) - rows[:, :1]) ** 2)
        slopes = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(slopes, model.trainable_variables, strict=True))

    rows = tf.ones((8, 2))
    step(rows)  # makes the optimizer's variables, which a graph may not make
    seen.clear()
    run = tf.function(step) if graph else step
    for _ in range(STEPS):
        run(rows)
    return len(seen)


def test_what_python_runs(line: Line) -> None:
    assert runs_of_python(line, graph=False) == STEPS
    assert runs_of_python(line, graph=True) <= 2
    line.says(
        "SEQ812", "20 steps without `tf.function` run the Python of the step 20 times, and with it at most 2 times"
    )
