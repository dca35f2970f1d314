"""Sequences that tell how they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tests.experiments.lines import Line


def feed(line: Line, samples: int, size: int, length: Any, *, stacked: bool = False) -> Any:
    """A Sequence of ones whose `__len__` gives `length`, whatever that is; slices by index.

    Args:
        stacked: a batch is put together from single rows.
    """

    class Feed(line.batches):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.rows = np.ones((samples, 3), "float32")

        def __len__(self) -> int:
            return length  # type: ignore[no-any-return]

        def __getitem__(self, index: int) -> tuple[Any, Any]:
            rows = self.rows[index * size : (index + 1) * size]
            x = np.stack([row * 2 for row in rows]) if stacked else rows
            return x, rows[:, :1]

    return Feed()


def model(line: Line, **settings: Any) -> Any:
    """A model of one layer for three columns."""
    made = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1)])
    made.compile(optimizer="sgd", loss="mse", **settings)
    return made


def steps_of(line: Line) -> Any:
    """A callback with the number of steps of each epoch in `steps`."""

    class Steps(line.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.steps: list[int] = []

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            self.steps.append(0)

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            self.steps[-1] += 1

    return Steps()
