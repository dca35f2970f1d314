"""What `logs` hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

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
