"""What becomes of rows where the index picks none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_the_same_rows_are_predicted_again_and_again(line: Line) -> None:
    class Same(line.batches):  # type: ignore[misc, name-defined]
        rows = np.arange(12, dtype="float32")[:, None]

        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> np.ndarray:
            return self.rows[:4]

    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Rescaling(1.0)])
    assert model.predict(Same(), verbose=0)[:, 0].tolist() == [0, 1, 2, 3] * 3
    line.says("SEQ203", "the same rows again and again")


def test_the_index_of_each_batch(line: Line) -> None:
    asked: list[int] = []

    class Rows(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 20

        def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
            asked.append(index)
            return np.ones((2, 1), "float32"), np.ones((2, 1), "float32")

    model = line.keras.Sequential([line.keras.Input((1,)), line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(Rows(), verbose=0, shuffle=False)
    kept, asked[:] = asked[-20:], []
    history = model.fit(Rows(), verbose=0).history
    assert kept == sorted(kept) == sorted(asked[-20:]) == list(range(20))
    assert asked[-20:] != kept
    line.says("SEQ203", "between 0 and `len - 1`, in random order in `fit` unless told not to shuffle")
    assert np.isfinite(history["loss"]).all()
    line.says("SEQ203", "reports a loss as if nothing were wrong")
