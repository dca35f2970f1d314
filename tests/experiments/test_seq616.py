"""Which rows `validation_split` takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
COUNT = 100


def points(order: Any) -> tuple[Any, Any]:
    """300 points of three classes that lie apart, in an order."""
    labels = np.repeat(np.arange(3), COUNT)
    spread = np.random.default_rng(3).normal(0, 0.2, (len(labels), 2))
    rows = (np.array([[0, 0], [1, 0], [0, 1]])[labels] + spread).astype("float32")
    return rows[order], labels[order]


def validated(line: Line, order: Any, share: float) -> float:
    """The `val_accuracy` with a share of the rows held out."""
    rows, labels = points(order)
    model = line.keras.Sequential([line.keras.Input((2,)), line.keras.layers.Dense(3, "softmax")])
    model.compile(line.keras.optimizers.Adam(0.2), "sparse_categorical_crossentropy", metrics=["accuracy"])
    fitted = model.fit(rows, labels, batch_size=20, epochs=6, validation_split=share, verbose=0)
    return float(fitted.history["val_accuracy"][-1])


def test_the_last_class_is_held_out(line: Line) -> None:
    cut = int(3 * COUNT * (1 - 0.2))
    assert set(points(slice(None))[1][cut:]) == {2}
    line.says("SEQ616", f"`validation_split=0.2` leaves out {3 * COUNT - cut} of the last class alone")
    assert validated(line, slice(None), 1 / 3) == 0.0
    assert validated(line, np.random.default_rng(1).permutation(3 * COUNT), 1 / 3) > 0.9
    line.says("SEQ616", "`val_accuracy` is 0.0; with the rows in a random order it is above 0.9")
