"""Rows, elements and steps that a program gives in numbers."""

from __future__ import annotations

import pytest

from seqlint.domains.counts.counts import Counts
from seqlint.domains.orders.class_runs import ClassRuns
from seqlint.domains.pipelines.pipelines import Pipelines
from tests.run.programs import ran

_START = """
import math
import keras
import numpy as np
import tensorflow as tf
from_array = tf.data.Dataset.from_tensor_slices
x = np.random.rand(90, 4).astype("float32")
(digits, _), _ = keras.datasets.mnist.load_data()
"""


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("len(x) // 8", 11),
        ("math.ceil(x.shape[0] / 8)", 12),
        ("-(-len(x) // 8)", 12),
        ("int(np.ceil(len(x[10:]) / 8))", 10),
        ("max(1, len(x) // 100)", 1),
        ("len(digits.reshape(-1, 28, 28, 1))", 60_000),
        ("len([k for k in range(3) for _ in range(400)])", 1_200),
        ("len([0] * 30 + [1] * 20)", 50),
        ("len(np.repeat(np.arange(4), 5))", 20),
        ("len(np.concatenate([x, x[:5]]))", 95),
        ("len(np.concatenate([x, x], axis=1))", None),
        ("len(x[x > 0])", None),
        ("len(unknown) // 8", None),
        ("len(x) // 0", None),
        ("int(1e308 * 100)", None),
        ("len(x) * 10**400 / 3", None),
    ],
)
def test_a_number_is_what_python_computes(number: str, expected: int | None) -> None:
    run = ran(f"{_START}\nprint({number})")
    (call,) = run.called("builtins.print")
    assert run.domain(Counts).whole(call.result.args[0]) == expected


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        ("from_array(x)", 90),
        ("from_array((x, x * 2)).shuffle(9).map(lambda a, b: (a, b)).batch(8)", 12),
        ("from_array({'a': x}).batch(8, drop_remainder=True)", 11),
        ("tf.data.Dataset.range(2, 20, 3)", 6),
        ("from_array(x).skip(20).take(30).repeat(2)", 60),
        ("tf.data.Dataset.zip((from_array(x), from_array(x[:7])))", 7),
        ("from_array(x).repeat()", None),
        ("from_array(x).filter(lambda a: True)", None),
        ("from_array(x).unbatch()", None),
        ("from_array(x).take(-1)", None),
        ("tf.data.Dataset.range(10**25)", 10**25),
        ("from_array(x).concatenate(from_array(x[:8])).batch(7)", 14),
        ("from_array(x).concatenate(from_array(unknown))", None),
        ("from_array((unknown, x)).batch(10, drop_remainder=True)", 9),
        ("from_array(x).batch(10, drop_remainder=unknown)", None),
        ("from_array(np.random.default_rng(1).integers(0, 9, (30, 2))).skip(40)", 0),
    ],
)
def test_elements_of_a_dataset(dataset: str, expected: int | None) -> None:
    run = ran(f"{_START}\ndata = {dataset}\n")
    (*_, last) = run.domain(Pipelines).steps
    assert run.domain(Counts).elements(last) == expected


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("np.repeat(np.arange(3), 30)", 30),
        ("np.concatenate([np.zeros(60), np.ones(30)])", 30),
        ("[0] * 45 + [1] * 45", 45),
        ("np.array([kind for kind in range(3) for _ in range(30)])", 30),
        ("np.zeros(90)", None),
        ("np.concatenate([np.zeros(60), np.zeros(30)])", None),
        ("np.arange(90) % 3", None),
        ("np.repeat(np.arange(3), 30)[np.random.permutation(90)]", None),
        ("np.tile(np.arange(3), 30)", None),
    ],
)
def test_labels_that_come_class_by_class(labels: str, expected: int | None) -> None:
    run = ran(f"{_START}\ndata = from_array((x, {labels})).shuffle(4)\n")
    (step,) = run.domain(Pipelines).named("shuffle")
    assert run.domain(ClassRuns).of(step) == expected
