"""What Adadelta learns with its default rate, and with that of its authors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.random.default_rng(3).normal(size=(256, 4)).astype("float32")
MARKS = ROWS @ np.array([[1], [-2], [3], [0.5]], "float32")


def losses(line: Line, optimizer: Any, epochs: int) -> list[float]:
    keras = line.keras
    keras.utils.set_random_seed(7)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
    model.compile(optimizer, "mse")
    found: list[float] = model.fit(ROWS, MARKS, epochs=epochs, batch_size=8, verbose=0).history["loss"]
    return found


def test_the_default_rate(line: Line) -> None:
    found = losses(line, "adadelta", 4)
    assert losses(line, line.keras.optimizers.Adadelta(), 1) == pytest.approx(found[:1])
    line.says("SEQ816", f"4 epochs of 32 steps leave a loss of {found[0]:.1f} at {found[-1]:.1f}")


def test_a_rate_of_one(line: Line) -> None:
    assert losses(line, line.keras.optimizers.Adadelta(learning_rate=1.0), 4)[-1] < 10
    line.says("SEQ816", "`Adadelta(learning_rate=1.0)` brings the same loss below 10 in these 4 epochs")
