"""What integers are made of probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def test_integers(line: Line) -> None:
    keras = line.keras
    layer = keras.layers.Dense(1, activation="sigmoid", kernel_initializer="zeros", bias_initializer="ones")
    model = keras.Sequential([keras.Input((2,)), keras.layers.Rescaling(1.0), layer])
    layer.bias.assign([2.95])
    found = model.predict_on_batch(np.ones((8, 2), "float32"))
    value = round(float(found[0, 0]), 2)
    assert not found.astype(int).any()
    assert (found > 0.5).astype(int).all()
    line.says("SEQ819", f"of a sigmoid that gives {value} to all rows is 0 for all of them, and 1 with `> 0.5`")
