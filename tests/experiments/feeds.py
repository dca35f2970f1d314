<<<<<<< HEAD
"""Sequences that tell how they were read."""
=======
"""Small data and models that several experiments share."""
>>>>>>> b1ebfa6 (Experiments for the first rules, and for SEQ304 and SEQ305)

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tests.experiments.lines import Line

<<<<<<< HEAD

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
=======
ROWS = np.arange(8, dtype="float32").reshape(8, 1) / 8


def compiled(line: Line, loss: str = "mse") -> Any:
    """A model of one weight, compiled."""
    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer="sgd", loss=loss)
    return model


def feed(line: Line, **methods: Any) -> Any:
    """A Sequence of four batches of two rows, with other methods where they are given."""

    def init(self: Any, **kwargs: Any) -> None:
        super(made, self).__init__(**kwargs)

    def batch(self: Any, index: int) -> Any:
        return ROWS[index * 2 : index * 2 + 2], 3 * ROWS[index * 2 : index * 2 + 2]

    body = {"__init__": init, "__len__": lambda self: 4, "__getitem__": batch, **methods}
    made: Any = type("Feed", (line.batches,), body)
    return made()
>>>>>>> b1ebfa6 (Experiments for the first rules, and for SEQ304 and SEQ305)
