"""The accuracy of a regression."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.array([[3.25], [7.5], [11.75]], "float32")


def test_a_model_that_is_right(line: Line) -> None:
    layer = line.keras.layers.Dense(1, kernel_initializer="ones")
    model = line.keras.Sequential([line.keras.Input((1,)), layer])
    model.compile("sgd", "mse", metrics=["accuracy"])
    loss, accuracy = model.evaluate(ROWS, ROWS, verbose=0)
    line.says("SEQ804", f"has a loss of {loss}, and an accuracy of {accuracy}")
