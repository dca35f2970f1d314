"""Metrics of own loops, with and without a reset."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def epochs(line: Line, *, resets: bool) -> list[float]:
    mean, found = line.keras.metrics.Mean(), []
    for epoch in range(3):
        if resets:
            mean.reset_state()
        for _ in range(2):
            mean.update_state(float(epoch))
        found.append(float(mean.result()))
    return found


def test_it_is_the_mean_of_all_epochs(line: Line) -> None:
    assert epochs(line, resets=False) == [0.0, 0.5, 1.0]
    assert epochs(line, resets=True) == [0.0, 1.0, 2.0]
    line.says("SEQ806", "gives 0.0, 0.5 and 1.0; with `reset_state()` 0.0, 1.0 and 2.0")


def test_a_new_one(line: Line) -> None:
    line.keras.metrics.Mean().update_state(5.0)
    assert float(line.keras.metrics.Mean().result()) == 0.0
    line.says("SEQ806", "a metric that is made inside the loop starts at 0")
