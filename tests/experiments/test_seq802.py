"""Last layers that do not go with their loss."""

from __future__ import annotations

import warnings
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]
ROWS = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
KINDS = np.arange(64) % 3
SCORES = np.random.default_rng(1).normal(size=(4, 3)).astype("float32") * 3
WANTED = float(np.mean(np.log(np.exp(ROWS @ SCORES).sum(1)) - (ROWS @ SCORES)[np.arange(64), KINDS]))
"""The cross entropy of the model's own scores."""


def logged(
    line: Line, units: int, activation: Any, loss: Any, *after: Any, labels: Any = KINDS, eager: bool = False
) -> float:
    """The loss of a model whose scores are those of `SCORES`, the first `units` of them."""
    layer = line.keras.layers.Dense(units, activation=activation, use_bias=False)
    model = line.keras.Sequential([line.keras.Input((4,)), layer, *after])
    layer.set_weights([SCORES[:, :units]])
    model.compile(optimizer="sgd", loss=loss, run_eagerly=eager)
    return float(model.evaluate(ROWS, labels, batch_size=64, verbose=0))


def said(loss: float) -> str:
    return f"{loss:.2f}"


def test_no_probabilities(line: Line) -> None:
    fit = partial(logged, line, 3, None)
    assert fit(line.keras.losses.SparseCategoricalCrossentropy(from_logits=True)) == pytest.approx(WANTED, rel=1e-3)
    line.says("SEQ802", f"logs {said(fit('sparse_categorical_crossentropy'))}, where {said(WANTED)} is right")
    loss = partial(logged, line, 1, labels=KINDS > 0)
    right = loss(None, line.keras.losses.BinaryCrossentropy(from_logits=True))
    for activation in (None, "relu", "tanh"):
        assert abs(loss(activation, "binary_crossentropy") - right) > 0.1 * right
    line.says("SEQ802", f"another loss than the {said(right)} that is right")


def test_a_single_output(line: Line) -> None:
    import tensorflow as tf

    layer = line.keras.layers.Dense(1, activation="softmax")
    assert np.allclose(np.asarray(layer(ROWS)), 1)
    line.says("SEQ802", "`softmax` over one unit is always 1")
    assert logged(line, 1, "sigmoid", "categorical_crossentropy", labels=KINDS > 0) == 0
    line.says("SEQ802", "the loss of a single output is always 0.0")
    with pytest.raises(tf.errors.InvalidArgumentError):
        logged(line, 1, "sigmoid", "sparse_categorical_crossentropy", labels=KINDS > 0)
    line.says("SEQ802", "raises InvalidArgumentError at the first label that is not 0")


def test_twice(line: Line) -> None:
    import tensorflow as tf

    loss = line.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    for ways in ({"activation": "softmax"}, {"activation": tf.nn.softmax}):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            found = logged(line, 3, ways["activation"], loss)
        assert found == pytest.approx(WANTED, rel=1e-3)
        assert any("from_logits" in str(each.message) for each in warned)
    line.says("SEQ802", "TensorFlow takes the numbers before it and warns: no number changes")
    after = logged(line, 3, "softmax", loss, line.keras.layers.Reshape((3,)))
    assert after == pytest.approx(logged(line, 3, tf.nn.softmax, loss, eager=True), rel=1e-3)
    line.says("SEQ802", f"the loss is {said(after)}, where {said(WANTED)} is right")


def test_sigmoid_for_classes_of_which_one_is_right(line: Line) -> None:
    assert logged(line, 3, "sigmoid", "sparse_categorical_crossentropy") == pytest.approx(WANTED, rel=1e-3)
    line.says("SEQ802", "`sigmoid` under a categorical loss trains as `softmax` does")
