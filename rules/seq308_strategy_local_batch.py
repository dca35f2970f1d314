"""The batch of one replica is given where the batch of all replicas belongs.

## Why
Under MirroredStrategy and its like a batch belongs to all replicas together: Keras and `experimental_distribute_dataset` cut it into one part for
each. A size that is meant for one device leaves each with a fraction of it, and a learning rate that was raised for more rows meets fewer.

## Measured
With two replicas under MirroredStrategy and 32 rows:

- On every Keras: of `batch_size=16`, and of a dataset with `.batch(16)`, each replica gets 8 rows, and an epoch has 2 steps, as on one device. With
  `16 * strategy.num_replicas_in_sync` each gets 16 rows, and an epoch has 1 step.

## Do this
Multiply the batch of one replica by `strategy.num_replicas_in_sync`. That changes the training: the learning rate and the number of steps belong
to it. Or call the number what it is, the batch of all replicas.

## Silent when
Nothing says that the number is meant for one replica: it has no name such as `per_replica`, the learning rate is not multiplied by the number of
replicas, and the file uses no product of the two. Where `distribute_datasets_from_function` is used, each replica makes its own batches.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, LocalBatch, LocalBatches, Rule, matching

_START = """
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
rows = np.ones((32, 1), "float32")
BATCH_PER_REPLICA = 16
"""
_MODEL = """
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.SGD({}), loss="mse")
"""
_RATE = "0.1 * strategy.num_replicas_in_sync"
_DATASET = "dataset = tf.data.Dataset.from_tensor_slices((rows, rows)).batch({})\nmodel.fit(dataset, verbose=0)\n"

RULE = Rule(
    code="SEQ308",
    name="strategy-local-batch",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(matching(r"trategy|\.\s*scope\s*\("), matching(r"(?i)batch")),
    examples=(
        Example(_START + _MODEL.format("0.1") + _DATASET.format("BATCH_PER_REPLICA")),
        Example(_START + _MODEL.format(_RATE) + _DATASET.format("16")),
        Example(_START + _MODEL.format("0.1") + "model.fit(rows, rows, batch_size=BATCH_PER_REPLICA, verbose=0)\n"),
        Example(
            (
                _START
                + "total = BATCH_SIZE * strategy.num_replicas_in_sync\n"
                + _MODEL.format("0.1")
                + _DATASET.format("BATCH_SIZE")
            ).replace("BATCH_PER_REPLICA", "BATCH_SIZE")
        ),
        Example.ok(
            _START + _MODEL.format(_RATE) + _DATASET.format("BATCH_PER_REPLICA * strategy.num_replicas_in_sync")
        ),
        Example.ok(_START + _MODEL.format("0.1") + _DATASET.format("16")),
    ),
    sources=("keras-team/keras-io#316", "tensorflow/tensorflow#33809"),
)

_WHY = {
    "name": "is cut into one part for each replica",
    "rate": "is not scaled with the replicas, but the learning rate is",
    "product": "is given, and not its product with the replicas",
}
_NOTE = "a batch is shared out: of two replicas each gets half of its rows"
_HELP = "multiply the batch of one replica by `strategy.num_replicas_in_sync`"


def check(facts: Facts) -> Iterator[Finding]:
    for batch in facts.run.domain(LocalBatches).all:
        span = facts.run.step_span(batch.node) if batch.is_step else facts.run.span(batch.node)
        yield facts.finding_at(span, _message(batch), _NOTE, _HELP)


def _message(batch: LocalBatch) -> str:
    what = f"the batch size `{batch.size}`" if batch.size else "the batch size"
    return f"{what} {_WHY[batch.why]}"
