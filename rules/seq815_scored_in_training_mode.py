"""A step that scores calls its model with `training=True`.

## Why
With `training=True` dropout drops and batch normalisation uses the batch at hand, and moves what it has learned. A test step that says so scores another
model than the one that is used later: its numbers are too low and change from run to run, and each score moves the model. Mostly it is a line that was
copied from the training step, or a helper of both that takes `training` and does not hand it on.

## Measured
- Keras 3 and Keras 2: `model(x, training=True)` without a GradientTape drops half of the numbers of `Dropout(0.5)`, and moves the mean of
  `BatchNormalization`.
- Keras 3 and Keras 2: in `test_step` the flag does the same under `evaluate`, which says `training=False` to nobody.

## Do this
Write `training=False` there. In a helper of both steps hand on what it gets: `self.encoder(x, training=training)`.

## Silent when
A GradientTape records the call; the model has no layer that minds; the file speaks of Monte Carlo dropout, uncertainty or a GAN, where it is meant.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Levels,
    OwnScores,
    Rule,
    callee,
    matching,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(16, dtype="float32").reshape(8, 2) / 16
model = keras.Sequential([keras.Input((2,)), keras.layers.BatchNormalization(), keras.layers.Dense(1)])

def test_step(batch):
    return tf.reduce_mean((model(batch, training={flag}) - batch[:, :1]) ** 2)

print(round(float(test_step(rows)), 4))
"""

RULE = Rule(
    code="SEQ815",
    name="scored-in-training-mode",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(matching(r"training\s*=\s*True"), matching(r"def\s+\w*(test|val|eval|dev)")),
    examples=(
        Example(_START.format(flag="True")),
        Example.ok(_START.format(flag="False")),
        Example.ok(_START.format(flag="True").replace("test_step", "first_step")),
        Example.ok(_START.format(flag="True").replace("keras.layers.BatchNormalization(), ", "")),
    ),
)

_HELPS = {True: "write `training=False`", False: "hand on the `training` that the helper gets"}


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for each in run.domain(OwnScores).all:
        place = each.call.node
        if place is None or place in seen:
            continue
        seen.add(place)
        message = f"`{callee(run, each.call)}` is called with `training=True` where `{each.step}` scores"
        note = "dropout drops, and batch normalisation learns from what it scores"
        finding = facts.finding_at(run.span(place), message, note)
        yield but(
            finding, help=_HELPS[each.is_in_step], no_fix="its scores are others then: older ones can't be compared"
        )
