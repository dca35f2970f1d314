"""What becomes of a model or an optimizer from outside of the scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.replicas import on_two

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

_HEAD = """
from contextlib import nullcontext

rows = np.ones((8, 1), "float32")
layers = lambda: [keras.layers.Dense(1)]
with_input = lambda: [keras.Input((1,)), keras.layers.Dense(1)]


def ends(parts, optimizer, made, compiled, fitted):
    try:
        with made():
            model = keras.Sequential(parts())
        optimizer = optimizer()
        with compiled():
            model.compile(optimizer=optimizer, loss="mse")
        with fitted():
            model.fit(rows, rows, verbose=0)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


inside, outside = strategy.scope, nullcontext
"""
_MODELS = """
found = {
    "sgd": ends(with_input, lambda: "sgd", outside, inside, inside),
    "adam": ends(with_input, lambda: "adam", outside, inside, outside),
    "no weights": ends(layers, lambda: "sgd", outside, inside, inside),
}
"""
_OPTIMIZERS = """
names = ("SGD", "Adam", "RMSprop", "Nadam", "Adagrad")
found = {name: ends(with_input, getattr(keras.optimizers, name), inside, outside, outside) for name in names}
"""


def test_a_model_from_outside(line: Line) -> None:
    found = on_two(line, _HEAD + _MODELS)
    late = found.pop("no weights")
    assert bool(late) is (line.version >= (3, 5))
    if line.is_2:
        text = "was not created in the distribution strategy scope"
        assert all(error.startswith("ValueError") and text in error for error in found.values())
        line.says(
            "SEQ307", f'ValueError "{text}" for a model made outside, unless it gets its weights at the first step'
        )
        return
    assert found["sgd"].startswith("AssertionError: ")
    assert found["adam"].startswith('RuntimeError: Need to be inside "with')
    if line.is_early:
        line.says("SEQ307", "up to 3.4 a model that gets its weights at the first step")
    else:
        line.says("SEQ307", 'AssertionError without a text, RuntimeError "Need to be inside" or another error')


def test_an_optimizer_from_outside(line: Line) -> None:
    found = on_two(line, _HEAD + _OPTIMIZERS)
    assert not found.pop("SGD")
    if line.is_2:
        assert not any(found.values())
        line.says("SEQ307", "Optimizers may be made outside")
        return
    assert bool(found.pop("Adagrad")) is not line.is_early
    assert all("Mixing different tf.distribute.Strategy objects" in error for error in found.values())
    if line.is_early:
        line.says("SEQ307", "and Adagrad, made outside")
    else:
        line.says("SEQ307", 'RuntimeError "Mixing different tf.distribute.Strategy objects", for every optimizer')
        line.says("SEQ307", "Plain SGD does not, and works")
