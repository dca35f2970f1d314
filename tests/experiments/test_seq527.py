"""Optimizers that two models are compiled with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.ones((8, 3), "float32")


def train(line: Line, *layers: Any, optimizer: Any) -> None:
    model = line.keras.Sequential([line.keras.Input((3,)), *layers])
    model.compile(optimizer, "mse")
    model.train_on_batch(ROWS, ROWS[:, :1])


def test_the_second_model(line: Line) -> None:
    dense, adam = line.keras.layers.Dense, line.keras.optimizers.Adam()
    train(line, dense(1), optimizer=adam)
    if line.is_2:
        with pytest.raises(KeyError, match="The optimizer cannot recognize variable"):
            train(line, dense(1), optimizer=adam)
        old = line.keras.optimizers.legacy.Adam()
        train(line, dense(1), optimizer=old)
        train(line, dense(1), optimizer=old)
        line.says(
            "SEQ527",
            'KeyError "The optimizer cannot recognize variable"; an optimizer of `optimizers.legacy` serves both',
        )
        return
    with pytest.raises(ValueError, match="Unknown variable"):
        train(line, dense(1), optimizer=adam)
    line.says("SEQ527", 'the second model raises ValueError "Unknown variable" at its first step')


def test_names_and_parts(line: Line) -> None:
    dense, adam = line.keras.layers.Dense, line.keras.optimizers.Adam()
    lower, upper = dense(1), dense(1)
    train(line, lower, upper, optimizer=adam)
    train(line, lower, optimizer=adam)
    train(line, dense(1), optimizer="adam")
    train(line, dense(1), optimizer="adam")
    line.says("SEQ527", "a model that has no weights of its own shares without harm")
