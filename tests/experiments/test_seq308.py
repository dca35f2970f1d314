"""How many rows of a batch each of two replicas gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.replicas import on_two

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

_PROGRAM = """
rows = np.ones((32, 1), "float32")


class Sizes(keras.layers.Layer):
    def call(self, x):
        def noted(size):
            sizes.append(int(size))
            return size

        size = tf.numpy_function(noted, [tf.shape(x)[0]], tf.int32)
        with tf.control_dependencies([size]):
            return tf.identity(x)


def shares(*data, **options):
    with strategy.scope():
        model = keras.Sequential([keras.Input((1,)), Sizes(), keras.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse", jit_compile=False)
    sizes.clear()
    model.fit(*data, verbose=0, **options)
    return [sorted(set(sizes)), len(sizes) // 2]


sizes = []
pairs = tf.data.Dataset.from_tensor_slices((rows, rows))
size = 16
scaled = size * strategy.num_replicas_in_sync
found = [
    [shares(rows, rows, batch_size=size), shares(pairs.batch(size))],
    [shares(rows, rows, batch_size=scaled), shares(pairs.batch(scaled))],
]
"""


def test_a_batch_is_shared_out(line: Line) -> None:
    small, scaled = on_two(line, _PROGRAM)
    assert small == [[[8], 2]] * 2
    assert scaled == [[[16], 1]] * 2
    line.says("SEQ308", "each replica gets 8 rows, and an epoch has 2 steps, as on one device")
    line.says("SEQ308", "each gets 16 rows, and an epoch has 1 step")
