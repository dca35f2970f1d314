"""What worker processes draw from NumPy's generator, and from others."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.steps import Kept, fit

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
KEPT = np.random.default_rng(3)


def drawn(line: Line, draw: Callable[[], float]) -> tuple[list[float], list[float]]:
    """What a worker process draws in each of two epochs."""

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> Any:
            return np.full((1, 2), draw(), "float32"), np.ones((1, 1), "float32")

    kept = Kept(line)
    fit(line, kept, Rows(), processes=True, epochs=2)
    found = [float(x[0, 0]) for x, _ in kept.steps]
    return found[:4], found[4:]


@pytest.mark.parametrize("draw", [np.random.rand, lambda: KEPT.random()])
def test_each_epoch_draws_the_same(line: Line, draw: Callable[[], float]) -> None:
    first, second = drawn(line, draw)
    assert first == second
    line.says("SEQ206", "each epoch repeats them" if line.is_2 or line.is_early else "the next epoch repeated them")


@pytest.mark.parametrize("draw", [random.random, lambda: np.random.default_rng().random()])
def test_these_differ(line: Line, draw: Callable[[], float]) -> None:
    first, second = drawn(line, draw)
    assert not set(first) & set(second)
    line.says("SEQ206", "so its draws differ")
