"""`train_step` or `test_step` returns a tensor of one batch for the logs.

## Why
An epoch logs what its last step returned. The `result()` of a metric is the mean so far. A tensor that the step computed is the value
of one batch, and under a strategy the values of the replicas are not joined yet. EarlyStopping and ModelCheckpoint decide by it.

## Measured
With four batches whose losses are 0, 0, 1 and 1, so 0.5 on average:

- Keras 3.10 and later: a step that returns `{"loss": loss}` alone logs 0.0, the value of Keras's own tracker, which the
  step did not update. Any other key, or `"loss"` among others, logs 1.0, that of the last batch.
- Keras 3.0 to 3.9: the same.
- Keras 2: 1.0, that of the last batch. With two replicas under MirroredStrategy 2.0, their sum. A metric of the model's
  own counts among its `get_weights()`, where its attribute is set.
- Keras 3 and Keras 2: a step that the model leaves to Keras logs such a metric as well, at 0.0. One that is called "loss" replaces
  the loss of that step.

## Do this
Make a `keras.metrics.Mean` in `__init__`, update it in the step, and return its `result()`. If both steps run, do this in both, or
give the metric another name than "loss".

## Silent when
The value may be the result of a metric, or comes from code that seqlint does not see.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    RawResult,
    Rule,
    Sometimes,
    any_of,
    cst,
    mean_of_batches,
    no_mean,
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
    contract=Contract(changes=frozenset({"history", "weights"}), holds=frozenset({"as on one replica"})),
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
        finding = _fixed(facts, raws, facts.finding(raw.node, _message(raw), _note(facts, raw)))
        if facts.strategies.may_replicate or facts.external_uses.replicates(raw.owner):
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
    return f'`{raw.step.name.value}` returns "{raw.key}" of one batch, not the mean of all'


def _note(facts: Facts, raw: RawResult) -> Note:
    last = "the epoch logs the value of its last batch"
    if not _is_replaced(raw):
        return Note(last)
    return Note.on_keras_3("the epoch logs 0.0 instead", f"{last}, under a strategy the sum over its replicas")


def _fixed(facts: Facts, raws: list[RawResult], finding: Finding) -> Finding:
    edits = mean_of_batches(facts, raws)
    if edits:
        return finding.fixed_by("Log the mean of all batches", *edits)
    return but(
        finding,
        help="update a `keras.metrics.Mean` in the step, and return its `result()`",
        no_fix=no_mean(facts, raws),
    )
