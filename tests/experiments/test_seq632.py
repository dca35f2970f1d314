"""Where copies of rows come to when they are split. The parts are dealt as `train_test_split` deals them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tests.experiments.lines import Line

RARE, ROWS, HELD = 10, 100, 36


def test_copies_on_both_sides(line: Line) -> None:
    for seed in range(3):
        draws = np.random.default_rng(seed)
        many = np.concatenate([draws.choice(RARE, 90), np.arange(RARE, ROWS)])
        rows = draws.permutation(many)
        held, trained = rows[:HELD], rows[HELD:]
        assert set(held[held < RARE]) <= set(trained)
    line.says("SEQ632", "all held-out rare rows have a copy among those that are trained on")
