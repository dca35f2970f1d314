"""Several workers leave a part of the rows unread.

## Why
Under MultiWorkerMirroredStrategy `fit` shares a dataset out between the workers, and counts the steps of an epoch for all of them together.
Options or a split of one's own that don't fit to that leave rows out, without a message, and the loss is that of the others.

## Measured
With two processes of this machine as workers, on 32 rows whose mean loss is 325.5:

- Keras 2: with `AutoShardPolicy.OFF` and no number of steps both workers read the same first half of the rows, in each epoch: 77.5. So does
  validation. `AutoShardPolicy.FILE` for rows in memory raises NotFoundError. Of rows that are split by `shard` for each worker `fit`
  reads a half again: 329.5. The default and `AutoShardPolicy.DATA` give 325.5.
- Keras 3: `fit` fails under several workers (SEQ310).

## Do this
Give every worker the whole dataset and leave the sharing to `fit`: no `shard`, and the default policy or `AutoShardPolicy.DATA`. With
`AutoShardPolicy.OFF` give `steps_per_epoch`, `validation_steps` or `steps`.

## Silent when
The number of steps is given; the dataset repeats; it is split by anything but the number of the worker; seqlint can't see the options or the
strategy; one of several strategies may be in use.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Example, Facts, Finding, Levels, Rule, Sometimes, Strategies, Uncovered, matching

_START = """
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
rows = np.ones((32, 1), "float32")
dataset = tf.data.Dataset.from_tensor_slices((rows, rows)).batch(8)
"""
_OPTIONS = """options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.{}
dataset = dataset.with_options(options)
"""
_MODEL = """
with strategy.scope():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
"""
_SPLIT = """index = strategy.cluster_resolver.task_id
dataset = dataset.unbatch().shard(2, index).batch(8)
"""

RULE = Rule(
    code="SEQ311",
    name="multiworker-coverage",
    since="0.1.0",
    levels=Levels(keras2="warning", early=None, keras3=None, mixed="warning"),
    sometimes=Sometimes(keras2=("error",)),
    needs=(matching(r"(?i)shard|options|policy"), matching(r"MultiWorkerMirrored|trategy|\.\s*scope\s*\(")),
    examples=(
        Example(_START + _OPTIONS.format("OFF") + _MODEL + "model.fit(dataset, epochs=2, verbose=0)\n", keras="<3"),
        Example(_START + _OPTIONS.format("FILE") + _MODEL + "model.fit(dataset, epochs=2, verbose=0)\n", keras="<3"),
        Example(_START + _SPLIT + _MODEL + "model.fit(dataset, epochs=2, verbose=0)\n", keras="<3"),
        Example.ok(_START + _OPTIONS.format("DATA") + _MODEL + "model.fit(dataset, epochs=2, verbose=0)\n", keras="<3"),
        Example.ok(
            _START
            + _OPTIONS.format("OFF")
            + _MODEL
            + "model.fit(dataset.repeat(), steps_per_epoch=4, epochs=2, verbose=0)\n",
            keras="<3",
        ),
    ),
    sources=("tensorflow/tensorflow#42146", "tensorflow/tensorflow#56513"),
)

_FAILS = Levels(keras2="error", early=None, keras3=None, mixed="warning")
_SHARE = "with two workers only half of the rows are read"


def check(facts: Facts) -> Iterator[Finding]:
    for found in facts.run.domain(Strategies).uncovered:
        span = facts.run.step_span(found.node) if found.is_step else facts.run.span(found.node)
        finding = facts.finding_at(span, *_texts(found))
        yield but(finding, levels=_FAILS) if found.lost == "file" else finding


def _texts(found: Uncovered) -> tuple[str, str, str]:
    """The message, the note and the help."""
    assert found.reading.trainer is not None
    method = found.reading.trainer.result.method
    if found.lost == "off":
        help_ = f"use `AutoShardPolicy.DATA`, or give `{found.steps}`"
        return f"`AutoShardPolicy.OFF` leaves rows unread: `{method}` has no `{found.steps}`", _SHARE, help_
    if found.lost == "file":
        note = "each worker raises NotFoundError"
        return "`AutoShardPolicy.FILE` fails for a dataset that reads no files", note, "use `AutoShardPolicy.DATA`"
    help_ = "leave the `shard` out, and give every worker all rows"
    return f"`shard` leaves rows unread: `{method}` shares those of each worker out again", _SHARE, help_
