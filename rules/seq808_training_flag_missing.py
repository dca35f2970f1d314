"""A training step by hand calls the model without `training=True`.

## Why
Dropout drops, and batch normalisation takes the statistics of the batch and remembers them, only with `training=True`. `fit` says so to the
model; a call in a step of one's own does not, nor does `self(x)` in `train_step`. The model trains as if it were predicting.

## Measured
- On every Keras `model(x)` in a GradientTape leaves the moving mean of BatchNormalization at 0.0, and Dropout drops nothing; with `training=True`
  both work.
- On every Keras the same holds for `self(x)` in the `train_step` of a model that `fit` trains.

## Do this
Write `model(x, training=True)` where the gradients come from.

## Silent when
`training` is given; the model has no layer that minds, as far as one sees; the gradients are not those of this model's weights; its `call` decides
itself.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    OwnSteps,
    Rule,
    Unflagged,
    any_of,
    callee,
    last_argument,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(16, dtype="float32").reshape(8, 2) / 16
model = keras.Sequential([keras.Input((2,)), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.1)
"""
_STEP = """
for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(rows) - rows[:, :1]) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
print(np.round(model.predict(rows, verbose=0)[0, 0], 3))
"""

RULE = Rule(
    code="SEQ808",
    name="training-flag-missing",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"output", "history", "weights", "state"})),
    needs=(any_of("GradientTape"), any_of("trainable_variables", "trainable_weights")),
    examples=(
        Example(
            _START + _STEP,
            _START + _STEP.replace("model(rows)", "model(rows, training=True)"),
        ),
        Example.ok(_START + _STEP.replace("model(rows)", "model(rows, training=True)")),
        Example.ok((_START + _STEP).replace("keras.layers.BatchNormalization(), ", "")),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for found in run.domain(OwnSteps).unflagged:
        node = run.place(found.call)
        if node is None or node in seen:
            continue
        seen.add(node)
        message = f"`{callee(run, found.call)}` is called without `training=True`, and its `{found.layer}` is off"
        note = "it trains as if it were predicting"
        yield _fixed(facts, facts.finding_at(run.span(node), message, note), found)


def _fixed(facts: Facts, finding: Finding, found: Unflagged) -> Finding:
    last = last_argument(facts.run, found.call)
    if last is None or not found.takes:
        if last is None:
            return but(finding, help="give `training=True`", no_fix="the call is in another file")
        help_text = "let `call` take `training`, hand it to its layers, and give `training=True`"
        return but(finding, help=help_text, no_fix="its `call` takes no `training`")
    end = facts.run.span(last)[1]
    return finding.fixed_by("Give `training=True`", Edit(end, end, ", training=True"))
