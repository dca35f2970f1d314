"""Labels for training and for scoring that are encoded one without the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
KINDS, LATE = np.array([0, 1, 2, 0, 1, 2]), np.array([1, 2, 1])


def model(line: Line, loss: str) -> Any:
    """A model that is right: its rows are the places of their classes."""
    layer = line.keras.layers.Dense(3, activation="softmax", use_bias=False)
    made = line.keras.Sequential([line.keras.Input((3,)), layer])
    layer.set_weights([9 * np.eye(3, dtype="float32")])
    made.compile("sgd", loss, metrics=["accuracy"])
    return made


def test_width(line: Line) -> None:
    encode = line.keras.utils.to_categorical
    rows = np.eye(3, dtype="float32")
    late = np.array([0, 1, 0])
    with pytest.raises(ValueError, match=r"[Ss]hape"):
        model(line, "categorical_crossentropy").fit(
            rows[KINDS], encode(KINDS), validation_data=(rows[late], encode(late)), verbose=0
        )
    line.says("SEQ807", "and the highest class is missing, the validation raises ValueError")


def test_codes(line: Line) -> None:
    rows = np.eye(3, dtype="float32")
    net = model(line, "sparse_categorical_crossentropy")
    _, again = np.unique(LATE, return_inverse=True)  # what LabelEncoder.fit_transform gives
    right, found = (net.evaluate(rows[LATE], labels, verbose=0)[1] for labels in (LATE, again))
    line.says("SEQ807", f"a model that is right has an accuracy of {found} instead of {right}")
