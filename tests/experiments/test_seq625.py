"""Scores of folds with one model through all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow
FOLDS = np.array_split(np.random.default_rng(2).permutation(60), 3)


def model_of(line: Line) -> Any:
    """A model that can remember all rows."""
    model = line.keras.Sequential([line.keras.Input((64,)), line.keras.layers.Dense(1, "sigmoid")])
    model.compile(line.keras.optimizers.Adam(0.1), "binary_crossentropy", metrics=["accuracy"])
    return model


def scores(line: Line, *, anew: bool) -> list[float]:
    """The `val_accuracy` of each fold, of rows with labels by chance."""
    rows = np.random.default_rng(5).normal(size=(60, 64)).astype("float32")
    labels = np.tile([0.0, 1.0], 30)
    model, found = model_of(line), []
    for held in FOLDS:
        rest = np.setdiff1d(np.arange(60), held)
        model = model_of(line) if anew else model
        model.fit(rows[rest], labels[rest], batch_size=20, epochs=25, verbose=0)
        found.append(float(model.evaluate(rows[held], labels[held], verbose=0)[1]))
    return found


def test_one_model_through_all_folds(line: Line) -> None:
    first, *_, last = scores(line, anew=False)
    assert 0.2 <= first <= 0.8
    assert last >= 0.9
    line.says("SEQ625", "`val_accuracy` is about 0.5 in the first fold, and 0.9 or more in the last one")
    assert all(0.2 <= each <= 0.8 for each in scores(line, anew=True))
    line.says("SEQ625", "With a new model for each fold it is about 0.5 in each")


def test_compile_leaves_the_weights(line: Line) -> None:
    model = model_of(line)
    before = model.get_weights()
    model.compile("sgd", "mse")
    assert all((one == other).all() for one, other in zip(before, model.get_weights(), strict=True))
    line.says("SEQ625", "`compile` leaves the weights as they are")
