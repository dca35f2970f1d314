"""What a seed before each batch does to the draws of the next epoch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.experiments.steps import Kept, fit

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


@pytest.mark.parametrize("constant", [False, True])
def test_every_epoch_draws_the_same(line: Line, constant: bool) -> None:
    draws: dict[int, set[float]] = {}

    class Draws(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            np.random.seed(7 if constant else index)
            draws.setdefault(index, set()).add(np.random.uniform())
            return np.ones((2, 1)), np.ones((2, 1))

    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(Draws(), epochs=3, verbose=0)
    assert all(len(found) == 1 for found in draws.values())
    every = {draw for found in draws.values() for draw in found}
    assert len(every) == (1 if constant else 4)
    line.says(
        "SEQ207", "all batches of all epochs have the same draws" if constant else "the same draws in every epoch"
    )


def test_processes_draw_the_same_as_threads(line: Line) -> None:
    class Draws(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            np.random.seed(index)
            return np.full((1, 1), np.random.uniform(), "float32"), np.ones((1, 1), "float32")

    drawn = []
    for workers, processes in ((1, False), (2, True)):
        kept = Kept(line)
        fit(line, kept, Draws(), workers=workers, processes=processes)
        drawn.append([float(x[0, 0]) for x, _ in kept.steps])
    assert drawn[0] == drawn[1]
    line.says("SEQ207", "no difference between one worker and several; a process sets its own copy")
