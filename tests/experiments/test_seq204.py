"""What an iterator in `__getitem__` gives to whom."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.steps import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def test_a_generator_is_not_for_several_threads(line: Line) -> None:
    refused = threading.Event()

    def generated() -> Iterator[np.ndarray]:
        while True:
            refused.wait(PATIENCE)  # for another thread, which asks while this one is in here
            yield np.ones((2, 1), "float32")

    class Reads(line.batches):  # type: ignore[misc, name-defined]
        rows = generated()
        seen = 0

        def __len__(self) -> int:
            return 6

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            self.seen += 1
            try:
                batch = next(self.rows) if self.seen > 2 else np.ones((2, 1), "float32")
            except ValueError:
                refused.set()
                raise
            return batch, batch

    reads: Any = Reads()
    reads.workers = 4
    options = {"workers": 4} if line.is_2 else {}
    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    with pytest.raises(Exception, match="generator already executing"):
        model.fit(reads, verbose=0, **options)
    line.says("SEQ204", 'a Python generator raises ValueError "generator already executing"')
