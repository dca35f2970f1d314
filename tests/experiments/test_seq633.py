"""How far the scores of single batches lie from that of all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS, RIGHT, SIZE = 200, 160, 20


def test_scores_of_batches(line: Line) -> None:
    marks = np.zeros((ROWS, 1), "float32")
    rows = np.random.default_rng(3).permutation(np.arange(ROWS) >= RIGHT).astype("float32")[:, None]
    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Rescaling(1.0)])
    model.compile(loss="mse", metrics=["binary_accuracy"])
    assert round(ROWS * float(model.evaluate(rows, marks, verbose=0)[1])) == RIGHT
    batches = [rows[start : start + SIZE] for start in range(0, ROWS, SIZE)]
    found = [round(float(model.evaluate(each, marks[:SIZE], verbose=0)[1]), 2) for each in batches]
    line.says("SEQ633", f"the scores of its batches of 20 go from {min(found)} to {max(found)}")
