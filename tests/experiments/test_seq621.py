"""Labels of another width than the output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]


def fit(line: Line, columns: int, units: int, loss: str, activation: str | None = None) -> float:
    model = line.keras.Sequential([line.keras.Input((2,)), line.keras.layers.Dense(units, activation=activation)])
    model.compile(optimizer="sgd", loss=loss)
    labels = np.arange(6 * columns, dtype="float32").reshape(6, columns) % 2
    return float(model.fit(np.ones((6, 2), "float32"), labels, verbose=0).history["loss"][0])


@pytest.mark.parametrize("loss", ["mse", "mae", "huber"])
def test_a_single_column(line: Line, loss: str) -> None:
    assert fit(line, 2, 1, loss) > 0
    assert fit(line, 1, 2, loss) > 0
    line.says("SEQ621", 'train under "mse", "mae" and "huber" without a word')
    if loss == "mse":
        with pytest.raises(ValueError, match=r"[Dd]imensions must be equal|shape"):
            fit(line, 3, 2, loss)
        line.says("SEQ621", "three columns and two outputs raise ValueError at the start of `fit`")


def test_binary_crossentropy(line: Line) -> None:
    for columns, units in ((2, 1), (1, 2), (3, 2)):
        with pytest.raises(ValueError, match="shape"):
            fit(line, columns, units, "binary_crossentropy", "sigmoid")
    line.says("SEQ621", "under `binary_crossentropy`")


def test_a_difference(line: Line) -> None:
    labels = np.array([0.0, 1.0, 2.0, 3.0], "float32")
    outputs = labels[:, None]
    found = labels - outputs
    line.says("SEQ621", f"are {found.size} numbers. A model that is right has a mean square of {np.mean(found**2)}")
    called = float(np.mean(line.keras.losses.mean_squared_error(labels, outputs)))
    if line.is_2:
        assert called == np.mean(found**2)
        line.says("SEQ621", "called by the program, does the same")
    else:
        line.says("SEQ621", f"`keras.losses.mean_squared_error(labels, outputs)` gives {called}")
