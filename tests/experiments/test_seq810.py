"""Parts of models that are frozen or set free after `compile`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.ones((8, 3), "float32")


def parts(line: Line, *, learns: bool = True) -> tuple[Any, Any]:
    """A base, and a model on it that is compiled."""
    base = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(3)])
    base.trainable = learns
    model = line.keras.Sequential([line.keras.Input((3,)), base, line.keras.layers.Dense(1)])
    compiled(line, model)
    return base, model


def compiled(line: Line, model: Any) -> None:
    model.compile(line.keras.optimizers.SGD(0.1), "mse")


def moves(base: Any, model: Any) -> bool:
    """Whether a training of a model moves the weights of its base."""
    before = base.get_weights()[0].copy()
    model.fit(ROWS, 9 + ROWS[:, :1], verbose=0)
    return not np.array_equal(before, base.get_weights()[0])


def test_set_free_between_two_trainings(line: Line) -> None:
    base, model = parts(line, learns=False)
    assert not moves(base, model)
    base.trainable = True
    assert not moves(base, model)
    compiled(line, model)
    assert moves(base, model)
    line.says("SEQ810", "keeps its weights in the second; after another `compile` they move")


def test_frozen_between_two_trainings(line: Line) -> None:
    base, model = parts(line)
    assert moves(base, model)
    base.trainable = False
    assert moves(base, model)
    line.says("SEQ810", "a part that is frozen between two calls of `fit` goes on moving in the second")


def test_a_model_that_is_frozen_after_it_was_compiled(line: Line) -> None:
    judge = line.keras.Sequential([line.keras.Input((3,)), line.keras.layers.Dense(1)])
    compiled(line, judge)
    judge.trainable = False
    before = judge.get_weights()[0].copy()
    judge.train_on_batch(ROWS, 9 + ROWS[:, :1])
    learns = not np.array_equal(before, judge.get_weights()[0])
    base, model = parts(line)
    base.trainable = False
    assert moves(base, model) is line.is_2
    assert learns is line.is_2
    if line.is_2:
        line.says(
            "SEQ810",
            "the same model learns; and a part of a model that is frozen between `compile` and `fit` learns, too",
        )
    else:
        line.says("SEQ810", "a model that is frozen after `compile` keeps its weights in `train_on_batch`")
