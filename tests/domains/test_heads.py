"""The ends of models."""

from __future__ import annotations

import pytest

from seqlint.domains.models.objectives import Objectives
from tests.run.programs import ran

START = """
from tensorflow import keras
from tensorflow.keras import layers
import tensorflow as tf
"""


def ends(text: str) -> list[tuple[int | None, str, bool] | None]:
    """For each `compile`: the units, the activation, and whether a layer follows that gives the numbers in another shape."""
    heads = [compiled.head for compiled in ran(START + text).domain(Objectives).all]
    return [(head.units, head.activation, head.reshaped_by is not None) if head is not None else None for head in heads]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("keras.Sequential([layers.Dense(3)]).compile()", (3, "linear", False)),
        ("keras.Sequential([layers.Dense(3, 'tanh')]).compile()", (3, "tanh", False)),
        ("keras.Sequential([layers.Dense(3), layers.Softmax()]).compile()", (3, "softmax", False)),
        ("keras.Sequential([layers.Dense(3), layers.ReLU(), layers.Flatten()]).compile()", (None, "relu", True)),
        ("keras.Sequential([layers.TimeDistributed(layers.Dense(2))]).compile()", (2, "linear", False)),
        (
            "keras.Sequential([keras.Sequential([layers.Dense(2)]), layers.Activation('relu')]).compile()",
            (2, "relu", False),
        ),
        ("keras.applications.VGG16(weights=None, classes=5).compile()", (5, "softmax", False)),
        ("keras.clone_model(keras.Sequential([layers.Dense(3)])).compile()", (3, "linear", False)),
        ("keras.Sequential([layers.Dense(3), layers.BatchNormalization()]).compile()", None),
        ("keras.applications.VGG16(include_top=False).compile()", None),
        ("keras.Sequential(made_elsewhere()).compile()", None),
    ],
)
def test_one_expression(text: str, end: tuple[int | None, str, bool] | None) -> None:
    assert ends(text) == [end]


def test_layers_that_are_added() -> None:
    text = """
net = keras.Sequential()
for width in widths:
    net.add(layers.Dense(width))
net.add(layers.Dense(4, activation="sigmoid"))
net.compile()
net.pop()
net.compile()
net.add(layers.Dense(6))
net.compile()
"""
    assert ends(text) == [(4, "sigmoid", False), None, (6, "linear", False)]


def test_layers_that_may_be_added() -> None:
    text = """
def build(deep):
    net = keras.Sequential([layers.Dense(4)])
    if deep:
        net.add(layers.Dense(9))
    net.compile()
    if deep:
        net.compile()
"""
    assert ends(text) == [None, (9, "linear", False)]


def test_functional_models() -> None:
    text = """
start = keras.Input((8,))
end = tf.nn.softmax(layers.Dense(5)(start))
keras.Model(start, end).compile()
keras.Model(inputs=start, outputs=[end]).compile()
keras.Model(start, [end, start]).compile()
keras.Model(start, end * 2).compile()
"""
    assert ends(text) == [(5, "softmax", False), (5, "softmax", False), None, None]


def test_classes() -> None:
    text = """
class Own(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.last = layers.Dense(units)

    def call(self, rows, training=False):
        return self.last(rows)


class Listed(keras.Sequential):
    def __init__(self):
        super().__init__([layers.Dense(2, activation="softmax")])


Own(7).compile()
Listed().compile()
"""
    assert ends(text) == [(7, "linear", False), (2, "softmax", False)]


def test_an_activation_that_is_set_afterwards() -> None:
    text = """
net = keras.Sequential([layers.Dense(4)])
net.layers[-1].activation = keras.activations.softmax
net.compile()
"""
    assert ends(text) == [None]
