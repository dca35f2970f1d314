"""What a model that was never compiled says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.ones((4, 2), "float32")


def test_a_second_model(line: Line) -> None:
    inputs = line.keras.Input((2,))
    outputs = line.keras.layers.Dense(1)(inputs)
    line.keras.Model(inputs, outputs).compile("sgd", "mse")
    other = line.keras.Model(inputs, outputs)
    kind, words = (
        (RuntimeError, "You must compile your model before")
        if line.is_2
        else (ValueError, r"You must call `compile\(\)` before")
    )
    for ask in (other.evaluate, other.fit, other.train_on_batch):
        with pytest.raises(kind, match=words):
            ask(ROWS, ROWS[:, :1])
    line.says("SEQ818", f'raises {kind.__name__} "{words}", and so do `fit` and `train_on_batch`'.replace("\\", ""))
