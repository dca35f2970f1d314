"""How many calls of a mapped function run at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.experiments.running_ahead import at_a_time, is_parallel

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow


def test_calls_at_a_time(line: Line) -> None:
    import tensorflow as tf

    alone, two, more = at_a_time(None), at_a_time(2), at_a_time(tf.data.AUTOTUNE)
    line.says("SEQ411", f"a `map` with `tf.numpy_function` runs {alone} call at a time")
    line.says("SEQ411", f"`num_parallel_calls=2` runs {two}")
    assert more > 1
    line.says("SEQ411", "`num_parallel_calls=tf.data.AUTOTUNE` runs several")


def test_what_tensorflow_runs_in_parallel_by_itself(line: Line) -> None:
    import tensorflow as tf

    page = tf.io.encode_png(np.zeros((4, 4, 1), "uint8"))
    assert is_parallel(_decoded, page)
    assert not is_parallel(_decoded, page, autotune=False)
    line.says(
        "SEQ411", "TensorFlow runs a `map` that only reads and decodes in parallel by itself, unless autotuning is off"
    )
    for function in (_of_python, _of_numpy, _flipped):
        assert not is_parallel(function, page)
    line.says("SEQ411", "It does not where the function calls Python or draws random numbers")


def test_the_order_stays(line: Line) -> None:
    import tensorflow as tf

    rows = tf.data.Dataset.range(30)
    made = rows.map(lambda row: row * 2, num_parallel_calls=tf.data.AUTOTUNE)
    assert [int(row) for row in made] == [int(row) * 2 for row in rows]
    line.says("SEQ411", "the rows keep their order")


def _decoded(page: Any) -> Any:
    import tensorflow as tf

    return tf.cast(tf.io.decode_png(page), tf.float32) / 255.0


def _of_python(page: Any) -> Any:
    import tensorflow as tf

    return tf.py_function(lambda row: row, [page], tf.string)


def _of_numpy(page: Any) -> Any:
    import tensorflow as tf

    return tf.numpy_function(lambda row: row, [page], tf.string)


def _flipped(page: Any) -> Any:
    import tensorflow as tf

    return tf.image.random_flip_left_right(_decoded(page))
