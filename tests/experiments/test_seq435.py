"""Draws of seeded operations in several passes over a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.draws import is_frozen, passes

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = [pytest.mark.tensorflow, pytest.mark.usefixtures("unseeded")]
ROWS = 40


def slices() -> Any:
    import tensorflow as tf

    return tf.data.Dataset.from_tensor_slices(np.zeros(ROWS, "float32"))


def vary(row: Any, seed: int | None = None) -> Any:
    import tensorflow as tf

    return row + tf.random.uniform((), seed=seed)


def test_a_seed_repeats_the_draws(line: Line) -> None:
    import tensorflow as tf

    assert not is_frozen(slices().map(vary))
    assert is_frozen(slices().map(lambda row: vary(row, 4)))
    for sets_seed in (tf.random.set_seed, line.keras.utils.set_random_seed):
        sets_seed(3)
        assert is_frozen(slices().map(vary))
        first, second = passes(slices().map(vary, num_parallel_calls=tf.data.AUTOTUNE))
        assert sorted(first) == sorted(second)
    line.says(
        "SEQ435",
        "and the `seed=` of an operation give all rows the same draws in each epoch, if they come in the same order",
    )
    line.says("SEQ435", "with `num_parallel_calls` the numbers are the same")


def test_rows_in_another_order(line: Line) -> None:
    import tensorflow as tf

    tf.random.set_seed(3)
    numbered = slices().enumerate().shuffle(ROWS).map(lambda row, zero: (row, vary(zero)))
    first, second = (dict(numbered.as_numpy_iterator()) for _ in range(2))
    assert sorted(first.values()) == sorted(second.values())
    assert first != second
    line.says("SEQ435", "a `shuffle` before the `map` gives the numbers to other rows in each epoch")
    repeated = [float(row) for row in slices().map(vary).repeat(2)]
    assert repeated[:ROWS] != repeated[ROWS:]
    line.says("SEQ435", "within one `repeat()` they go on")


def test_layers_and_generators(line: Line) -> None:
    import tensorflow as tf

    brighter = line.keras.layers.RandomBrightness(0.5, value_range=(0, 1), seed=3)
    dice = tf.random.Generator.from_seed(3)
    assert not is_frozen(slices().map(lambda row: tf.reduce_sum(brighter(row + tf.ones((2, 2, 3)) / 2, training=True))))
    assert not is_frozen(slices().map(lambda row: row + dice.uniform(())))
    line.says("SEQ435", "random layers with a seed, and a `tf.random.Generator`, draw anew in each epoch")


def test_a_seed_that_comes_too_late(line: Line) -> None:
    import tensorflow as tf

    varied = slices().map(vary)
    tf.random.set_seed(3)
    assert not is_frozen(varied)
    line.says("SEQ435", "a global seed that is set after the `map` was made changes nothing")
