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


def made(line: Line, workers: int) -> tuple[set[int], list[float]]:
    """The threads beside the main one that made batches, and the batches in the order of the steps."""
    threads: list[int] = []
    main = threading.get_ident()

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 24

        def __getitem__(self, index: int) -> Any:
            threads.append(threading.get_ident())
            sorted(np.random.default_rng(index).random(50_000).tolist())  # as long as a small file takes
            return np.full((1, 2), index, "float32"), np.ones((1, 1), "float32")

    kept = Kept(line)
    fit(line, kept, Rows(), workers=workers)
    return set(threads) - {main}, [float(x[0, 0]) for x, _ in kept.steps]


def test_four_workers_keep_the_order(line: Line) -> None:
    _, alone = made(line, 1)
    threads, together = made(line, 4)
    assert alone == together == list(range(24))
    assert len(threads) > 1
    line.says("SEQ228", "the same, with `workers=4`" if line.is_2 else "with `workers=4` four threads make batches")
