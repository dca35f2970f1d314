"""Functions, objects and partial calls that a dataset gets."""

from __future__ import annotations

import pytest

from seqlint.domains.pipelines.draws import Draws
from seqlint.domains.pipelines.pipelines import Pipelines
from tests.run.programs import ran

_START = """
import functools
import tensorflow as tf
from tensorflow import keras

rows = tf.data.Dataset.range(9)


def vary(row, by=1):
    return row + tf.random.uniform(()) * by


class Varying:
    def __call__(self, row):
        return vary(row)


class Layer(keras.layers.Layer):
    def call(self, row):
        return vary(row)


layer = Layer()
"""


@pytest.mark.parametrize(
    "function",
    [
        "vary",
        "lambda row: vary(row)",
        "functools.partial(vary, by=3)",
        "Varying()",
        "layer",
        "lambda row: layer(row)",
        "keras.Sequential([keras.layers.RandomFlip()])",
        "lambda row: tf.numpy_function(lambda it: it + __import__('random').random(), [row], tf.int64) + vary(row)",
    ],
)
def test_what_draws_in_a_map_is_seen(function: str) -> None:
    run = ran(f"{_START}\nrows.map({function})")
    (step,) = run.domain(Pipelines).named("map")
    assert run.domain(Draws).varies(step)


@pytest.mark.parametrize(
    "function",
    [
        "lambda row: row + 1",
        "lambda row: tf.random.stateless_uniform((), seed=(1, 2)) + tf.cast(row, tf.float32)",
        "lambda row: keras.layers.RandomFlip()(row, training=False)",
        "lambda row: keras.layers.Dropout(0.5)(row)",
        "lambda row: tf.random.uniform(())",
        "lambda row: (row, tf.random.uniform(()) < 0.5)",
    ],
)
def test_rows_that_stay_what_they_are(function: str) -> None:
    run = ran(f"{_START}\nrows.map({function})")
    (step,) = run.domain(Pipelines).named("map")
    assert not run.domain(Draws).varies(step)


@pytest.mark.parametrize(
    ("applied", "methods"),
    [
        ("lambda ds: ds.cache().batch(3)", ["batch", "cache", "range"]),
        ("tf.data.experimental.ignore_errors()", ["ignore_errors", "range"]),
        ("tf.data.experimental.shuffle_and_repeat(9, 2)", ["repeat", "shuffle", "range"]),
        ("tf.data.experimental.unbatch()", ["unbatch", "range"]),
    ],
)
def test_apply_adds_the_steps_of_its_function(applied: str, methods: list[str]) -> None:
    pipelines = ran(f"{_START}\nprint(list(rows.apply({applied})))").domain(Pipelines)
    (reading,) = pipelines.readings
    assert [step.method for step in pipelines.line(reading.dataset)] == methods


def test_what_a_script_calls_is_not_given_away() -> None:
    pipelines = ran(f"{_START}\ndef made():\n    return rows.batch(3)\n\nfor row in made():\n    pass\n").domain(
        Pipelines
    )
    assert [reading.role for reading in pipelines.readings] == ["looped"]
