"""What a model says of rows that are scaled otherwise than those that it was trained on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.flows import generator

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def pictures(seed: int) -> tuple[Any, Any]:
    """200 pictures of four pixels from 0 to 255, dark or bright, and which they are."""
    draws = np.random.default_rng(seed)
    bright = np.arange(200) % 2
    return (draws.uniform(0, 100, (200, 4)) + 140 * bright[:, None]).astype("float32"), bright.astype("float32")


def trained(line: Line, rows: Any, marks: Any) -> Any:
    """A model that tells dark rows from bright ones."""
    model = line.keras.Sequential([line.keras.Input((4,)), line.keras.layers.Dense(1, "sigmoid")])
    model.compile(line.keras.optimizers.Adam(0.2), "binary_crossentropy", metrics=["accuracy"])
    model.fit(rows, marks, batch_size=50, epochs=15, verbose=0)
    return model


def right(model: Any, rows: Any, marks: Any) -> int:
    """How many of 100 rows a model is right for."""
    return round(100 * float(model.evaluate(rows, marks, verbose=0)[1]))


def test_a_division_for_the_training_alone(line: Line) -> None:
    model = trained(line, *(part / scale for part, scale in zip(pictures(1), (255, 1), strict=True)))
    rows, marks = pictures(2)
    found = right(model, rows / 255, marks), right(model, rows, marks)
    assert found == (100, 50)
    line.says("SEQ627", f"is right for {found[0]} % of others that are divided, too, and for {found[1]} % of those")


def standardised(rows: Any, by: Any) -> Any:
    """Rows less the mean of some rows, over their deviation: what a `StandardScaler` that is fitted on these does."""
    return (rows - by.mean(axis=0)) / by.std(axis=0)


def test_a_scaler_that_is_fitted_once_more(line: Line) -> None:
    rows, marks = pictures(1)
    model = trained(line, standardised(rows, rows), marks)
    later, kinds = (part[pictures(2)[1] == 1][:20] for part in pictures(2))
    assert 20 < right(model, standardised(later, later), kinds) < 80
    assert right(model, standardised(later, rows), kinds) == 100
    line.says("SEQ627", "on 20 test rows of one kind, it is right for about half of them, in place of all")


def test_divided_twice(line: Line) -> None:
    rows = line.keras.layers.Rescaling(1 / 255)(np.array([[0.0, 255.0]], "float32") / 255)
    line.says("SEQ627", f"lie between 0 and {float(np.max(rows)):.3f}")


def test_scaled_by_a_function_and_by_an_option(line: Line) -> None:
    own = line.keras.applications.mobilenet_v2.preprocess_input
    made = generator(line, preprocessing_function=own, rescale=1 / 255)
    done = next(made.flow(np.stack([np.zeros((4, 4, 3)), np.full((4, 4, 3), 255.0)]), batch_size=2))
    assert np.allclose([done.min(), done.max()], [-1 / 255, 1 / 255])
    line.says("SEQ627", f"and `rescale=1 / 255` gives {done.min():.3f} to {done.max():.3f}")
