"""A loss that is divided by the whole batch is averaged over the replicas again.

## Why
In a custom loop each replica computes a part of the loss. Where that part is divided by the rows of the whole batch, or by the number of
replicas, the parts belong added up. Their mean is the true loss divided by the number of replicas: the curves look better than the model
is, and change with the machine.

## Measured
With two replicas under MirroredStrategy, and rows whose loss is 5.0:

- Every Keras: `tf.nn.compute_average_loss`, `tf.reduce_sum(...) / GLOBAL_BATCH_SIZE` and `/ strategy.num_replicas_in_sync` give 2.5
  with MEAN and 5.0 with SUM. The gradients are right: optimizers add them up.
- Keras 3.10 and later: a loss object such as `keras.losses.MeanSquaredError()` divides by the number of replicas itself inside
  `strategy.run`: 2.5 with MEAN and 5.0 with SUM. A `keras.metrics.Mean` that every replica updates with the divided loss is 2.5.
- Keras 3.0 to 3.9: a loss object does not divide up to 3.7: 5.0 with MEAN.
- Keras 2: a loss object raises ValueError in a custom loop, unless its reduction is NONE or SUM. A `keras.metrics.Mean` that every
  replica updates with the divided loss is 2.5.

## Do this
Use `strategy.reduce(tf.distribute.ReduceOp.SUM, loss, axis=None)`. Give a Mean metric the losses of the rows, or the loss times
`strategy.num_replicas_in_sync`.

## Silent when
The replicas return plain means, accuracies or counts; `global_batch_size` may be the batch of one replica; the number of replicas is
multiplied in later; the strategy has one device; the function that the replicas run is in code that seqlint does not see.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    KERAS_LINES,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    cst,
    matching,
    replace,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
BATCH = 4 * strategy.num_replicas_in_sync
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones")])

rows = np.repeat([1.0, 3.0], 4).astype("float32").reshape(8, 1)
batches = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices(rows).batch(BATCH))

"""
_STEP = """
def error(batch):
    each = tf.reduce_mean(tf.square(model(batch)), axis=-1)
    return {}

"""
_AVERAGE = "tf.nn.compute_average_loss(each, global_batch_size=BATCH)"
_CHECK = """
@tf.function
def check(batch):
    losses = strategy.run(error, args=(batch,))
    return strategy.reduce({}, losses, axis=None)


now = np.mean([float(check(batch)) for batch in batches])
print("loss", now)
model.predict(rows, verbose=0)
"""
_LOSS = """
with strategy.scope():
    scored = keras.losses.MeanSquaredError()


def error(batch):
    return scored(tf.zeros_like(batch), model(batch))

"""
_MEAN, _SUM = "tf.distribute.ReduceOp.MEAN", "tf.distribute.ReduceOp.SUM"

RULE = Rule(
    code="SEQ809",
    name="mean-of-global-average",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"output", "state"})),
    needs=(matching(r"trategy|\.\s*scope\s*\(|local_results|all_reduce"),),
    examples=(
        Example(
            _START + _STEP.format(_AVERAGE) + _CHECK.format(_MEAN),
            _START + _STEP.format(_AVERAGE) + _CHECK.format(_SUM),
        ),
        Example(
            _START + _STEP.format("tf.reduce_sum(each) / BATCH") + _CHECK.format('"mean"'),
            _START + _STEP.format("tf.reduce_sum(each) / BATCH") + _CHECK.format('"sum"'),
        ),
        Example(
            _START + _LOSS + _CHECK.format(_MEAN),
            _START + _LOSS + _CHECK.format(_SUM),
            keras=">=3.10",
        ),
        Example(
            _START
            + """with strategy.scope():
    mean_loss = keras.metrics.Mean()


def error(batch):
    each = tf.reduce_mean(tf.square(model(batch)), axis=-1)
    mean_loss.update_state(tf.nn.compute_average_loss(each, global_batch_size=BATCH))


for batch in batches:
    strategy.run(error, args=(batch,))
now = float(mean_loss.result())
"""
        ),
        Example.ok(_START + _STEP.format(_AVERAGE) + _CHECK.format(_SUM)),
        Example.ok(_START + _STEP.format("tf.reduce_mean(each)") + _CHECK.format(_MEAN)),
        Example.ok(
            _START
            + _STEP.format("tf.nn.compute_average_loss(each, global_batch_size=BATCH // strategy.num_replicas_in_sync)")
            + _CHECK.format(_MEAN)
        ),
    ),
    sources=("tensorflow/tensorflow#28956",),
)

_DIVIDED = {
    "batch": "is divided by the whole batch already",
    "replicas": "is divided by their number already",
    "loss": "Keras 3 divides by their number already",
}
_TRUE = "the result is the true loss divided by the number of replicas"
_HELP = {
    "reduce": "use `tf.distribute.ReduceOp.SUM`",
    "results": "use `strategy.reduce(tf.distribute.ReduceOp.SUM, ..., axis=None)`",
    "all_reduce": "use `tf.distribute.ReduceOp.SUM`",
    "metric": "give it the losses of the rows, or the loss times `strategy.num_replicas_in_sync`",
}
_BY_KERAS_3 = Levels(keras2=None, early=None, keras3="error")


def check(facts: Facts) -> Iterator[Finding]:
    for mean in facts.replica_means.all:
        text = facts.text(mean.value)
        what = f"`{text}`" if "\n" not in text and len(text) < 40 else "a loss"
        message = f"{what} is averaged over the replicas, but {_DIVIDED[mean.scaled]}"
        finding = facts.finding(mean.call, message, _TRUE)
        if mean.scaled == "loss":
            finding = but(finding, levels=_BY_KERAS_3)
        edit = _edit(facts, mean.operation) if mean.operation is not None else None
        if edit is None:
            yield but(finding, help=_HELP[mean.how]).unfixed("the mean is not taken by one plain `ReduceOp.MEAN`")
        else:
            lines = KERAS_LINES if mean.scaled != "loss" else ("3.10+",)
            yield finding.fixed_by("Add up the parts of all replicas", edit, lines=lines)


def _edit(facts: Facts, operation: cst.BaseExpression) -> Edit | None:
    """SUM for MEAN, as it is written."""
    if isinstance(operation, cst.Attribute) and operation.attr.value == "MEAN":
        return replace(facts, operation.attr, "SUM")
    text = facts.text(operation)
    if isinstance(operation, cst.SimpleString) and text[1:-1] in ("MEAN", "mean"):
        return replace(facts, operation, text[0] + ("SUM" if text[1:-1] == "MEAN" else "sum") + text[-1])
    return None
