"""Labels of another form than the loss takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.ones((6, 2), "float32")
KINDS = np.arange(6) % 3


def fit(line: Line, loss: str, labels: Any) -> float:
    model = line.keras.Sequential([line.keras.Input((2,)), line.keras.layers.Dense(3, activation="softmax")])
    model.compile(optimizer="sgd", loss=loss)
    return float(model.fit(ROWS, labels, verbose=0).history["loss"][0])


def test_rows_under_a_sparse_loss(line: Line) -> None:
    import tensorflow as tf

    rows = line.keras.utils.to_categorical(KINDS, 3)
    refused = tf.errors.InvalidArgumentError if line.is_2 else ValueError
    with pytest.raises(refused):
        fit(line, "sparse_categorical_crossentropy", rows)
    assert fit(line, "categorical_crossentropy", rows) > 0
    line.says("SEQ803", f"rows of `to_categorical` under a sparse loss raise {refused.__name__}")


def test_numbers_under_a_categorical_loss(line: Line) -> None:
    for labels in (KINDS, KINDS[:, None]):
        with pytest.raises(ValueError, match=r"rank|shape"):
            fit(line, "categorical_crossentropy", labels)
        assert fit(line, "sparse_categorical_crossentropy", labels) > 0
    line.says("SEQ803", "numbers of classes, one for each row, raise ValueError under `categorical_crossentropy`")
