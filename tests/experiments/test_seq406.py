"""Draws of Python and NumPy inside a function that a dataset traces."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

ROWS = 50
EPOCHS = 3


def test_a_draw_in_a_mapped_function(line: Line) -> None:
    generator = np.random.default_rng()
    draws: tuple[Callable[[], Any], ...] = (random.random, np.random.rand, generator.uniform, random.Random(3).random)
    for draw in draws:
        seen = _trained(line, draw)
        assert len(seen) == EPOCHS * ROWS
        line.says("SEQ406", f"{len(set(seen))} number for all {ROWS} rows of {EPOCHS} epochs")


def _trained(line: Line, draw: Callable[[], Any]) -> list[float]:
    """What was drawn for each row that reached a training step."""
    import tensorflow as tf

    seen: list[float] = []

    class Keeps(line.keras.Model):  # type: ignore[misc, name-defined]
        def call(self, x: Any) -> Any:
            return x

        def train_step(self, data: Any) -> dict[str, float]:
            seen.extend(float(value) for value in np.array(data[0])[:, 0])
            return {"loss": 0.0}

    model = Keeps()
    model.compile(optimizer="sgd", run_eagerly=True)
    rows = tf.data.Dataset.from_tensor_slices(np.ones((ROWS, 1), "float32"))
    model.fit(rows.map(lambda row: (row * draw(), row)).batch(10), epochs=EPOCHS, verbose=0)
    return seen


def test_the_other_methods_trace_too(line: Line) -> None:
    import tensorflow as tf

    rows = tf.data.Dataset.range(ROWS)
    for method in ("flat_map", "interleave"):
        made = getattr(rows, method)(lambda row: tf.data.Dataset.from_tensors(random.random()))
        assert len({float(number) for number in made}) == 1
    for _ in range(8):
        assert len(list(rows.filter(lambda row: random.random() < 0.5))) in (0, ROWS)
    line.says("SEQ406", "`filter` keeps all rows or none; `flat_map` and `interleave` draw once, too")


def test_a_seed_that_python_draws(line: Line) -> None:
    import tensorflow as tf

    rows = tf.data.Dataset.range(ROWS)
    made = rows.map(lambda row: tf.random.stateless_uniform([], seed=(random.randint(0, 99), 3)))
    assert len({float(number) for number in made}) == 1
    line.says("SEQ406", "a seed for `tf.random.stateless_uniform` that Python draws: the same number for every row")


def test_what_draws_for_each_row(line: Line) -> None:
    import tensorflow as tf

    rows = tf.data.Dataset.range(ROWS)
    of_tensorflow = rows.map(lambda row: tf.random.uniform([]))
    of_numpy = rows.map(lambda row: tf.numpy_function(lambda: np.random.rand(), [], tf.float64))
    for made in (of_tensorflow, of_numpy):
        numbers = len({float(number) for number in made})
        line.says("SEQ406", f"a draw inside `tf.numpy_function`: {numbers} numbers for {ROWS} rows")
