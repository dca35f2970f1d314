"""How good the best of many epochs looks on the rows that it was chosen by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def by_chance(rows: int, seed: int) -> tuple[Any, Any]:
    """Rows of eight numbers, half of them with each label, which have nothing to do with each other."""
    draws = np.random.default_rng(seed)
    return draws.normal(size=(rows, 8)).astype("float32"), draws.permutation(np.arange(rows) % 2).astype("float32")


def test_the_best_of_many_epochs(line: Line) -> None:
    model = line.keras.Sequential([line.keras.Input((8,)), line.keras.layers.Dense(1, "sigmoid")])
    model.compile(line.keras.optimizers.SGD(3.0), "binary_crossentropy", metrics=["accuracy"])
    rows, labels = by_chance(40, 1)
    fitted = model.fit(rows, labels, 8, 40, 0, validation_data=by_chance(20, 2))
    assert max(fitted.history["val_accuracy"]) >= 0.6
    assert 0.4 < model.evaluate(*by_chance(1000, 3), verbose=0)[1] < 0.6
    line.says(
        "SEQ624",
        "the best `val_accuracy` on 20 test rows is 0.6 or more; rows that nothing was chosen by give about 0.5",
    )
