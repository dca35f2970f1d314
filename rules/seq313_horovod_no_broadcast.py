"""Under Horovod each rank starts to train from weights of its own.

## Why
Each rank draws its own start weights, or only rank 0 loads some. Horovod adds up gradients, not weights: where the ranks start from
different ones, they stay different, and what rank 0 saves is one of several models.

## Measured
- On every Keras: two models that are made by the same code without a seed start from different weights, and the same gradients leave the
  difference as it is.
- On every Keras, from the documentation of Horovod, since it was not run for this page: `BroadcastGlobalVariablesCallback` sends the weights
  of rank 0 to all others at the start, and "is necessary to ensure consistent initialization of all workers when training is started
  with random weights or restored from a checkpoint".

## Do this
Put `hvd.callbacks.BroadcastGlobalVariablesCallback(0)` first in the callbacks of `fit`, on every rank. In a loop of your own call
`hvd.broadcast_variables` after the first step, for the variables of the model and of the optimizer.

## Silent when
The file sends anything to the other ranks; every rank loads weights or sets a seed; a callback is of code that seqlint does not see; the fit
runs on one rank.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    UnevenStart,
    horovod_alone,
    horovod_before,
    if_on_model,
    matching,
)

_START = """
import horovod.tensorflow.keras as hvd
import keras

from mine import rows

hvd.init()
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD(0.01 * hvd.size())), loss="mse")
"""
_NAME = "horovod.keras.callbacks.BroadcastGlobalVariablesCallback"

RULE = Rule(
    code="SEQ313",
    name="horovod-no-broadcast",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"history", "stop", "weights"})),
    needs=(matching(r"horovod"),),
    examples=(
        Example(
            _START + "model.fit(rows, epochs=9)\n",
            _START + "model.fit(rows, epochs=9, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)])\n",
        ),
        Example(
            _START
            + """callbacks = [
    hvd.callbacks.MetricAverageCallback(),
    keras.callbacks.EarlyStopping(patience=3),
]
model.fit(rows, epochs=9, callbacks=callbacks)
""",
            _START
            + """callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    keras.callbacks.EarlyStopping(patience=3),
]
model.fit(rows, epochs=9, callbacks=callbacks)
""",
        ),
        Example(
            """
import horovod.tensorflow as hvd
import tensorflow as tf

from mine import model, optimizer, rows

hvd.init()
for batch in rows:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch))
    tape = hvd.DistributedGradientTape(tape)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
"""
        ),
        Example.where_unknown(
            """
import horovod.tensorflow.keras as hvd
import keras

from mine import build, rows

hvd.init()
model = build(hvd.DistributedOptimizer(keras.optimizers.SGD(0.1)))
model.fit(rows, epochs=9)
"""
        ),
        Example.ok(
            _START + "model.fit(rows, epochs=9, callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0)])\n"
        ),
        Example.ok(
            _START.replace("model =", "keras.utils.set_random_seed(7)\nmodel =") + "model.fit(rows, epochs=9)\n"
        ),
    ),
    sources=("google/automl#427",),
)


def check(facts: Facts) -> Iterator[Finding]:
    for start in facts.uneven_starts.all:
        what = "training" if start.fit is None else f"`{facts.text(start.node.func)}`"
        note = "each rank draws its own, and the gradients that Horovod adds up leave the difference"
        finding = facts.finding(start.node, f"{what} starts on each rank from weights of its own", note)
        yield _conditional(facts, start, _fixed(facts, start, finding))


def _fixed(facts: Facts, start: UnevenStart, finding: Finding) -> Finding:
    edits = _edits(facts, start)
    if edits and not facts.workers.may_lack_horovod(start.node):
        return finding.fixed_by("Send the weights of rank 0 to all ranks first", *edits)
    help_ = "put `BroadcastGlobalVariablesCallback(0)` first, on every rank"
    reason = "the list of callbacks is not made in one plain place"
    if start.fit is None:
        help_, reason = (
            "call `hvd.broadcast_variables` after the first step",
            "where a loop has made its variables can't be told",
        )
    return but(finding, help=help_).unfixed(reason)


def _edits(facts: Facts, start: UnevenStart) -> tuple[Edit, ...] | None:
    if start.fit is None:
        return None
    if start.callbacks is None:
        return horovod_alone(facts, start.node, _NAME, "0")
    return horovod_before(facts, start.callbacks.members[0], _NAME, "0")


def _conditional(facts: Facts, start: UnevenStart, finding: Finding) -> Finding:
    if start.fit is None:
        return finding
    finding = if_on_model(facts, start.fit, finding, RULE.levels)
    receiver = facts.text(start.fit.receiver)
    return finding if start.sure else finding.provided(f"`{receiver}` has the optimizer of Horovod", RULE.levels)
