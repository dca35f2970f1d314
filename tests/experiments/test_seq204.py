"""What an iterator in `__getitem__` gives to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def _reads(line: Line, count: int) -> object:
    class Reads(line.batches):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.rows = iter(range(count))

        def __len__(self) -> int:
            return 6

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            batch = np.full((2, 1), next(self.rows), "float32")
            return batch, batch

    return Reads()


def test_the_batches_of_predict_are_rotated(line: Line) -> None:
    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Rescaling(1.0)])
    first = int(model.predict(_reads(line, 100), verbose=0)[0, 0])
    assert first == (1 if line.is_2 else 2)
    line.says("SEQ204", "the same" if line.is_early else f"rotated by {first} batch")


def test_as_many_items_as_batches_are_too_few(line: Line) -> None:
    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    with pytest.raises(Exception, match="generator raised StopIteration"):
        model.fit(_reads(line, 6), verbose=0)
    line.says("SEQ204", '"generator raised StopIteration"')
