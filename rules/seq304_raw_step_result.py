"""`train_step` or `test_step` returns the tensor of one batch as what is logged.

## Why
What an epoch logs is what its last step returned. A metric's `result()` is the mean so far; a tensor that the step worked
out is the value of one batch, and under a strategy the values of all replicas are still to be joined. EarlyStopping and
ModelCheckpoint decide by it.

## Measured
With four batches whose losses are 0, 0, 1 and 1, and so 0.5 on average:

- Keras 3.10 and later: a step that returns `{"loss": loss}` alone logs 0.0, the value of Keras's own tracker, which the
  step did not update. Any other key, or `"loss"` among others, logs 1.0, that of the last batch.
- Keras 3.0 to 3.9: the same.
- Keras 2: 1.0, that of the last batch. With two replicas under MirroredStrategy 2.0, their sum. A metric of the model's
  own counts among its `get_weights()`, where its attribute is set.
- Keras 3 and Keras 2: a step that the model leaves to Keras logs such a metric as well, at 0.0. One that is called "loss" takes the
  place of its loss there.

## Do this
A `keras.metrics.Mean`, made in `__init__`, updated in the step; return its `result()`. Write both steps where both run, or
give the metric another name than "loss".

## Silent when
The value may be the result of a metric, or comes from code out of sight.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    RawResult,
    Rule,
    Sometimes,
    any_of,
    cst,
    mean_of_batches,
)

_MODEL = """
import keras
import numpy as np
import tensorflow as tf


class Damped(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
{}        self.inner = keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, inputs):
        return self.inner(inputs)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((y - self(x, training=True)) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
{}        return {{{}}}


x = np.arange(16, dtype="float32").reshape(16, 1) / 16
model = Damped()
model.compile(optimizer="sgd")
model.fit(x, 3 * x, batch_size=4, epochs=2, shuffle=False, verbose=0)
"""


def _program(key: str, value: str, tracked: bool) -> str:
    made = f'        self.{key}_tracker = keras.metrics.Mean(name="{key}")\n' if tracked else ""
    update = f"        self.{key}_tracker.update_state(loss)\n" if tracked else ""
    return _MODEL.format(made, update, f'"{key}": {value}')


RULE = Rule(
    code="SEQ304",
    name="raw-step-result",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    sometimes=Sometimes.everywhere("error"),
    contract=Contract(changes=frozenset({"history", "weights"})),
    needs=(any_of("train_step", "test_step"),),
    examples=(
        Example(
            _program("loss", "loss", tracked=False),
            _program("loss", "self.loss_tracker.result()", tracked=True),
            keras=">=2.15",
        ),
        Example(
            _program("pull", "loss", tracked=False),
            _program("pull", "self.pull_tracker.result()", tracked=True),
            keras=">=3",
        ),
        Example.ok(_program("pull", "self.pull_tracker.result()", tracked=True)),
        Example.ok(
            """
import keras

from ours import backward


class Damped(keras.Model):
    def train_step(self, data):
        return {"loss": backward(self, data)}
"""
        ),
    ),
    sources=("keras-team/keras#15509",),
)

_ERROR = Levels.everywhere("error")
_ERROR_ON_KERAS_3 = Levels(keras2="warning", early="error", keras3="error")


def check(facts: Facts) -> Iterator[Finding]:
    for raws in _by_key(facts):
        raw = raws[0]
        finding = facts.finding(raw.node, _message(raw))
        edits = mean_of_batches(facts, raws)
        finding = finding.fixed_by("Log the mean of all batches", *edits) if edits else finding
        if facts.strategies.may_replicate or facts.elsewhere.replicates(raw.owner):
            finding = but(finding, levels=_ERROR)
        elif _is_replaced(raw):
            finding = but(finding, levels=_ERROR_ON_KERAS_3)
        yield finding


def _by_key(facts: Facts) -> list[list[RawResult]]:
    """What a class returns under one key, in both steps: one Mean is made for all."""
    found: dict[tuple[cst.ClassDef, str], list[RawResult]] = {}
    for raw in facts.step_results.raw:
        found.setdefault((raw.owner.node, raw.key), []).append(raw)
    return list(found.values())


def _is_replaced(raw: RawResult) -> bool:
    """Whether Keras 3 logs its own tracker instead."""
    return raw.key == "loss" and raw.alone


def _message(raw: RawResult) -> str:
    what = f'`{raw.step.name.value}` returns the value of one batch as "{raw.key}"'
    if _is_replaced(raw):
        return (
            f"{what}: Keras 3 logs 0.0 instead, tf-keras the last batch, and the sum of its replicas under a strategy"
        )
    return f"{what}: the epoch logs its last batch, and not the mean of all"
