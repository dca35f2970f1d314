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
    model.compile(line.keras.optimizers.SGD(3.0), "binary_crossentropy")
    test, kinds = by_chance(400, 2)
    right: list[Any] = []

    for epoch in range(40):
        model.train_on_batch(*by_chance(40, 10 + epoch))
        hits = (np.ravel(model(test)) > 0.5) == kinds
        right.append(hits.reshape(20, 20).mean(axis=1))
    assert np.max(right, axis=0).mean() > 0.6
    assert 0.4 < right[-1].mean() < 0.6
    line.says(
        "SEQ624",
        "labels by chance, other rows in each epoch: over 20 test sets of 20 rows the best of 40 epochs is right for more than 0.6, "
        "and the last epoch for about 0.5",
    )
