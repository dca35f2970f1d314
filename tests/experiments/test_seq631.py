"""Windows that share rows with windows of the other part. The parts are dealt as `train_test_split` deals them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tests.experiments.lines import Line

LENGTH, HELD = 10, 18
WINDOWS = np.stack([np.arange(start, start + LENGTH) for start in range(90)])


def shared(order: np.ndarray) -> list[bool]:
    """Which windows of the last fifth have a row that is trained on, too."""
    train, held = WINDOWS[order[:-HELD]], WINDOWS[order[-HELD:]]
    return [bool(np.isin(window, train).any()) for window in held]


def test_windows_share_rows(line: Line) -> None:
    for seed in range(3):
        assert all(shared(np.random.default_rng(seed).permutation(len(WINDOWS))))
    assert sum(shared(np.arange(len(WINDOWS)))) == LENGTH - 1
    line.says("SEQ631", "all 18 held-out")
    line.says("SEQ631", "with `shuffle=False` it is 9, those at the cut")
