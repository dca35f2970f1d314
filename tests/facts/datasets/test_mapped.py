"""What the functions run that datasets are handed, and where they draw random numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.facts.reading import facts_of

if TYPE_CHECKING:
    from seqlint.facts import Facts, Link

START = """
import functools
import random

import keras
import numpy as np
import tensorflow as tf

augment = keras.Sequential([keras.layers.RandomFlip(), keras.layers.RandomZoom(0.1)])
scale = keras.Sequential([keras.layers.Rescaling(1 / 255)])
noise = keras.layers.GaussianNoise(0.1)
numbers = tf.random.Generator.from_seed(1)
generator = np.random.default_rng(0)


def noisy(x):
    return x + np.random.rand()


def outer(x):
    def inner(y):
        return y * random.random()

    return tf.py_function(inner, [x], tf.float32)


def indirect(x):
    return noisy(x)
"""


def mapped(function: str, more: str = "") -> tuple[Facts, Link]:
    facts = facts_of(f"{START}{more}\ntf.data.Dataset.range(3).map({function})")
    (link,) = facts.datasets.named("map")
    return facts, link


@pytest.mark.parametrize(
    ("function", "draws"),
    [
        ("noisy", [("numpy", True, False)]),
        ("indirect", [("numpy", True, False)]),
        ("functools.partial(noisy)", [("numpy", True, False)]),
        ("lambda x: noisy(x)", [("numpy", True, False)]),
        ("lambda x: x + random.uniform(0, 1)", [("python", True, False)]),
        ("lambda x: x + generator.random()", [("numpy", True, False)]),
        ("outer", [("python", False, True)]),
        ("lambda x: tf.numpy_function(noisy, [x], tf.float32)", [("numpy", False, True)]),
        ("lambda x: tf.py_function(lambda y: y + np.random.rand(), [x], tf.float32)", [("numpy", False, True)]),
        ("lambda x: tf.image.random_flip_left_right(x)", [("tensorflow", True, True)]),
        ("lambda x: x + tf.random.uniform(())", [("tensorflow", True, True)]),
        ("lambda x: x + tf.random.uniform((), seed=1)", [("tensorflow", True, False)]),
        ("lambda x: x + numbers.normal(())", [("tensorflow", True, True)]),
        ("lambda x: augment(x, training=True)", [("keras", True, True)]),
        ("lambda x: augment(x)", [("keras", True, True)]),
        ("augment", [("keras", True, True)]),
        ("lambda x: noise(x, training=True)", [("keras", True, True)]),
        ("lambda x: noise(x)", []),
        ("lambda x: scale(x)", []),
        ("lambda x: tf.random.stateless_uniform((), seed=(1, 2))", []),
        ("lambda x: tf.io.decode_jpeg(tf.io.read_file(x))", []),
        ("unseen", []),
    ],
)
def test_random_numbers(function: str, draws: list[tuple[str, bool, bool]]) -> None:
    facts, link = mapped(function)
    assert [(draw.library, draw.traced, draw.fresh) for draw in facts.mapped.draws(link)] == draws


@pytest.mark.parametrize("seed", ["tf.random.set_seed(1)", "keras.utils.set_random_seed(1)"])
def test_a_seed_for_all_makes_each_pass_the_same(seed: str) -> None:
    facts, link = mapped("lambda x: x + tf.random.uniform(())", seed)
    assert [draw.fresh for draw in facts.mapped.draws(link)] == [False]


def test_calls_of_inner_functions_run_where_they_are_handed_on() -> None:
    facts, link = mapped("outer")
    assert [(ran.name, ran.traced) for ran in facts.mapped.runs(link)] == [
        ("tensorflow.py_function", True),
        ("random.random", False),
    ]


def test_a_method_of_the_same_class() -> None:
    program = """
class Data:
    def rows(self):
        return tf.data.Dataset.range(3).map(self._load)

    def _load(self, x):
        return self._read(x)

    def _read(self, x):
        return tf.io.read_file(x)
"""
    facts = facts_of(START + program)
    (link,) = facts.datasets.named("map")
    assert [ran.name for ran in facts.mapped.runs(link)] == [None, "tensorflow.io.read_file"]


def test_the_function_of_from_generator_is_never_traced() -> None:
    facts = facts_of(
        f"{START}\ndef rows():\n    yield np.random.rand()\ntf.data.Dataset.from_generator(rows, tf.float32)"
    )
    (link,) = facts.datasets.named("from_generator")
    assert [(draw.library, draw.fresh) for draw in facts.mapped.draws(link)] == [("numpy", True)]
