"""How many threads make batches."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.steps import Kept, fit

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def made(line: Line, workers: int) -> tuple[int, list[float]]:
    """How many threads beside the main one made batches at the same time, and the batches in the order of the steps."""
    busy: set[int] = set()
    most = 0
    main = threading.get_ident()

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 24

        def __getitem__(self, index: int) -> Any:
            nonlocal most
            busy.add(threading.get_ident())
            most = max(most, len(busy - {main}))
            sorted(np.random.default_rng(index).random(50_000).tolist())  # as long as a small file takes
            busy.discard(threading.get_ident())
            return np.full((1, 2), index, "float32"), np.ones((1, 1), "float32")

    kept = Kept(line)
    fit(line, kept, Rows(), workers=workers)
    return most, [float(x[0, 0]) for x, _ in kept.steps]


def test_four_workers_keep_the_order(line: Line) -> None:
    one, alone = made(line, 1)
    four, together = made(line, 4)
    assert alone == together == list(range(24))
    assert one == 1 < four <= 4
    if not line.is_2:
        line.says("SEQ228", "are made in the background, one after the other")
    line.says("SEQ228", "the same, with `workers=4`" if line.is_2 else "with `workers=4` four threads make batches")
