"""How many rows are still with their targets after two shuffles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
ROWS = 1000


def together(x: np.ndarray, y: list[int]) -> int:
    return int((x[:, 0] == np.array(y)).sum())


def test_two_shuffles_leave_next_to_nothing_together(line: Line) -> None:
    left = []
    for _ in range(20):
        x, y = np.stack([np.arange(ROWS)] * 2, 1), list(range(ROWS))
        np.random.shuffle(x)
        np.random.shuffle(y)
        left.append(together(x, y))
    assert round(np.mean(left)) == 1
    line.says("SEQ109", "1 of 1000 rows still has its target, by chance")


@pytest.mark.parametrize("shuffled", ["shuffle", "permutation"])
def test_one_seed_keeps_all_together(line: Line, shuffled: str) -> None:
    x, y = np.stack([np.arange(ROWS)] * 2, 1), list(range(ROWS))
    parts: list[Any] = []
    for part in (x, y):
        np.random.seed(3)
        given: Any = getattr(np.random, shuffled)(part)
        parts.append(part if given is None else given)
    assert together(*parts) == ROWS
    assert not (parts[0][:, 0] == np.arange(ROWS)).all()
    line.says("SEQ109", "with the same seed set again before the second shuffle all rows keep their targets")
