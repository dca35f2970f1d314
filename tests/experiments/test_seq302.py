"""What one of two replicas says, and both together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.replicas import on_two

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

_PROGRAM = """
rows = np.repeat([0.0, 1.0], 4).astype("float32").reshape(8, 1)
data = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices(rows).batch(8))
loss = strategy.run(lambda batch: tf.reduce_mean(batch), args=(next(iter(data)),))
ops = tf.distribute.ReduceOp
try:
    loss < 0.1
    compared = "fine"
except TypeError:
    compared = "TypeError"
found = [strategy.experimental_local_results(loss)[0], loss.values[0]]
found += [strategy.reduce(op, loss, axis=None) for op in (ops.MEAN, ops.SUM)]
scaled = None
if keras.__version__ >= "3":
    with strategy.scope():
        scored = keras.losses.MeanSquaredError()
    own = strategy.run(lambda batch: scored(tf.zeros_like(batch), batch), args=(next(iter(data)),))
    scaled = [float(strategy.reduce(op, own, axis=None)) for op in (ops.SUM, ops.MEAN)]
one = tf.distribute.MirroredStrategy(["CPU:0"]).run(lambda: tf.constant(0.0))
found = [[float(value) for value in found], compared, bool(loss), scaled, tf.is_tensor(one)]
"""


def test_the_first_is_not_both(line: Line) -> None:
    (first, also, mean, total), compared, truth, scaled, plain = on_two(line, _PROGRAM)
    assert (first, also, truth) == (0.0, 0.0, True)
    line.says("SEQ302", f"`loss.values[0]` are {first}, without a warning")
    line.says("SEQ302", f"with MEAN gives {mean}, with SUM {total}")
    line.says("SEQ302", f"can't be compared ({compared})")
    line.says("SEQ302", "`if loss:` is always true")
    assert plain
    line.says("SEQ302", "With one replica it is a plain tensor")
    if not line.is_2 and not line.is_early:
        assert scaled == [0.5, 0.25]
        line.says("SEQ302", f"There SUM is {scaled[0]}, and MEAN half of it")
