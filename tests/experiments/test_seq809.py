"""What the mean over two replicas makes of losses that are divided by the whole batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.replicas import on_two

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

_PROGRAM = """
rows = np.repeat([1.0, 3.0], 4).astype("float32").reshape(8, 1)
data = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices(rows).batch(8))
batch = next(iter(data))
ops = tf.distribute.ReduceOp
with strategy.scope():
    mean, scored = keras.metrics.Mean(), keras.losses.MeanSquaredError()


def both(step):
    try:
        parts = strategy.run(step, args=(batch,))
    except ValueError:
        return "ValueError"
    return [float(strategy.reduce(op, parts, axis=None)) for op in (ops.MEAN, ops.SUM)]


averaged = lambda part: tf.nn.compute_average_loss(tf.reduce_mean(part**2, axis=1), global_batch_size=8)
strategy.run(lambda part: mean.update_state(averaged(part)), args=(batch,))
found = {
    "divided": [
        both(averaged),
        both(lambda part: tf.reduce_sum(part**2) / 8),
        both(lambda part: tf.reduce_mean(part**2) / strategy.num_replicas_in_sync),
    ],
    "object": both(lambda part: scored(tf.zeros_like(part), part)),
    "metric": float(mean.result()),
}
"""


def test_the_mean_divides_again(line: Line) -> None:
    found = on_two(line, _PROGRAM)
    assert found["divided"] == [[2.5, 5.0]] * 3
    line.says("SEQ809", "`/ strategy.num_replicas_in_sync` give 2.5 with MEAN and 5.0 with SUM")
    if line.is_2:
        assert found["object"] == "ValueError"
        line.says("SEQ809", "a loss object raises ValueError in a custom loop")
    elif line.version < (3, 8):
        line.says("SEQ809", f"a loss object does not divide up to 3.7: {found['object'][0]} with MEAN")
    else:
        assert found["object"] == [2.5, 5.0]
    if not line.is_early:
        line.says("SEQ809", f"replica updates with the divided loss is {found['metric']}")
