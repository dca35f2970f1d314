"""How many windows of a time series hold their target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
SERIES = np.arange(100, dtype="float32")
LENGTH = 12


def inside(line: Line, first: int, rate: int = 1) -> str:
    made = line.keras.utils.timeseries_dataset_from_array(
        SERIES, SERIES[first:], sequence_length=LENGTH, sampling_rate=rate
    )
    held = [
        target in window
        for windows, targets in made.as_numpy_iterator()
        for window, target in zip(windows, targets, strict=True)
    ]
    return f"{sum(held)} of {len(held)}"


def test_targets_that_are_not_moved_far_enough(line: Line) -> None:
    line.says("SEQ427", f"(series, series, sequence_length={LENGTH})` {inside(line, 0)} windows hold their target")
    line.says("SEQ427", f"with `targets=series[11:]` it is {inside(line, 11)}, with `series[12:]` {inside(line, 12)}")


def test_a_window_that_leaves_rows_out(line: Line) -> None:
    short, far = inside(line, 12, rate=2), inside(line, 23, rate=2)
    line.says("SEQ427", f"with `sampling_rate=2` it is {short} for `series[12:]`, and {far} for `series[23:]`")
