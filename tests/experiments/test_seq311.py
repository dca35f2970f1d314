"""Which rows two workers read together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.lines import on_demand
from tests.experiments.several_workers import on_workers

if TYPE_CHECKING:
    from tests.experiments.lines import Line

pytestmark = pytest.mark.tensorflow

_PROGRAM = """
policies = tf.data.experimental.AutoShardPolicy
rows = np.arange(32, dtype="float32").reshape(32, 1)
whole = tf.data.Dataset.from_tensor_slices((rows, rows**2))


def under(data, policy):
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = policy
    return data.with_options(options)


def seen(data, **options):
    with strategy.scope():
        model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="zeros")])
        model.compile(optimizer=keras.optimizers.SGD(0.0), loss="mae")
    try:
        history = model.fit(data, validation_data=data, epochs=2, verbose=0, **options).history
    except tf.errors.NotFoundError:
        return "NotFoundError"
    return sorted({round(float(loss), 1) for losses in history.values() for loss in losses})


found = {
    "default": seen(whole.batch(8)),
    "data": seen(under(whole.batch(8), policies.DATA)),
    "off": seen(under(whole.batch(8), policies.OFF)),
    "split": seen(whole.shard(2, index).batch(8)),
    "file": seen(under(whole.batch(8), policies.FILE)),
}
"""


@on_demand
def test_two_workers_leave_rows_out(line: Line) -> None:
    if not line.is_2:
        pytest.skip("Keras 3 can't train under several workers")
    found, other = on_workers(line, _PROGRAM)
    assert found == other
    (all_rows,), (first,), (again,) = found["default"], found["off"], found["split"]
    assert found["data"] == [all_rows]
    line.says("SEQ311", f"the same first half of the rows, in each epoch: {first}")
    line.says("SEQ311", f"for rows in memory raises {found['file']}")
    line.says("SEQ311", f"reads a half again: {again}")
    line.says("SEQ311", f"`AutoShardPolicy.DATA` give {all_rows}")
