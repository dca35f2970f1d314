"""Small data and models that several experiments share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tests.experiments.lines import Line

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
