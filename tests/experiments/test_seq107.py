"""What `fit` gets from a Sequence that shuffles what its batches do not read."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def feed(line: Line, *, through_index: bool) -> Any:
    class Feed(line.batches):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super().__init__()
            self.order = np.arange(64)
            self.epochs: list[list[tuple[int, ...]]] = [[]]

        def __len__(self) -> int:
            return 8

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            rows = np.arange(64)[index * 8 : index * 8 + 8]
            rows = self.order[rows] if through_index else rows
            self.epochs[-1].append(tuple(int(row) for row in rows))
            return np.ones((8, 2)), np.ones((8, 1))

        def on_epoch_end(self) -> None:
            np.random.shuffle(self.order)
            self.epochs.append([])

    return Feed()


def fitted(line: Line, data: Any) -> set[tuple[int, ...]]:
    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(data, epochs=3, verbose=0)
    return {rows for epoch in data.epochs for rows in epoch}


def test_the_batches_hold_the_same_rows_in_every_epoch(line: Line) -> None:
    assert len(fitted(line, feed(line, through_index=False))) == 8
    assert len(fitted(line, feed(line, through_index=True))) > 8
    line.says("SEQ107", "the batches hold the same rows in every epoch")


def test_a_cycle_keeps_its_own_copy(line: Line) -> None:
    rows = list(range(8))
    turn = itertools.cycle(rows)
    first = [next(turn) for _ in rows]
    rows.reverse()
    assert [next(turn) for _ in rows] == first
    line.says("SEQ107", "`itertools.cycle(rows)` keeps its own copy")
