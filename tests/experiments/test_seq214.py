"""What NumPy makes of samples of unlike shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
RAGGED = [np.ones((5, 3)), np.ones((4, 3))]
EVEN = [np.ones((5, 3)), np.zeros((5, 3))]


def test_samples_of_unlike_shape(line: Line) -> None:
    with pytest.raises(ValueError, match=r"setting an array element with a sequence.*inhomogeneous shape"):
        np.array(RAGGED)
    with pytest.raises(ValueError, match="all input arrays must have the same shape"):
        np.stack(RAGGED)
    line.says(
        "SEQ214",
        '"setting an array element with a sequence" and "inhomogeneous shape". `np.stack` raises "all input arrays must have the same shape"',
    )


def test_an_array_of_objects_is_refused_by_keras(line: Line) -> None:
    class Feed(line.batches):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> object:
            return np.array(RAGGED, dtype=object), np.ones((2, 1))

    model = line.keras.Sequential([line.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    text = "Failed to convert a NumPy array to a Tensor" if line.is_2 else "Invalid dtype: object"
    with pytest.raises(ValueError, match=text):
        model.fit(Feed(), verbose=0)
    line.says("SEQ214", f'"{text}"')


def test_samples_of_one_shape_and_no_samples(line: Line) -> None:
    assert np.array_equal(np.array(EVEN), np.stack(EVEN))
    assert np.array([]).shape == (0,)
    with pytest.raises(ValueError, match="need at least one array to stack"):
        np.stack([])
    line.says(
        "SEQ214",
        "both give the same array where all samples have one shape. For no samples `np.array` gives an array of shape (0,)",
    )
