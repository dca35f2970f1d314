"""`validation_split` is given with data that make their own batches.

## Why
`validation_split` takes the last rows of arrays. A generator, a Sequence or a dataset has no last rows that Keras could set aside before the training.

## Measured
- Keras 3: ValueError "Argument `validation_split` is only supported for tensors or NumPy arrays" for a generator, a Sequence and a dataset.
- Keras 2: ValueError "`validation_split` is only supported for Tensors or NumPy arrays" for a generator, a Sequence and a dataset.
- On every Keras: with `validation_data` next to it, or as `0.0`, it is ignored.

## Do this
Split the rows, or the files, before the batches are made, and give the second part as `validation_data`.

## Silent when
`validation_data` is given, too; the split is 0; the data may be arrays.
"""

from collections.abc import Iterator

from seqlint.api import (
    BatchSources,
    Example,
    Facts,
    Feed,
    Feeds,
    Finding,
    Levels,
    Rule,
    a_call_of_model,
    a_source,
    any_of,
    argument,
    argument_node,
    constant_of,
    if_of_model,
    is_expected_to_fail,
    may_be_of_model,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(40, dtype="float32").reshape(20, 2) / 40
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def batches():
    for start in range(0, len(rows), 4):
        yield rows[start : start + 4], rows[start : start + 4, :1]


"""
_DATASET = "data = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).batch(4)\n"

RULE = Rule(
    code="SEQ604",
    name="split-of-batches",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(a_call_of_model, any_of("validation_split"), a_source),
    examples=(
        Example(_START + "model.fit(batches(), validation_split=0.2, verbose=0)\n"),
        Example(_START + _DATASET + "model.fit(data, validation_split=0.25, epochs=2, verbose=0)\n"),
        Example.where_unknown(
            _START + _DATASET + "def train(learner, share=0.2):\n    learner.fit(data, validation_split=share)\n"
        ),
        Example.ok(_START + "model.fit(rows, rows[:, :1], validation_split=0.2, verbose=0)\n"),
        Example.ok(_START + _DATASET + "model.fit(data, validation_data=data, verbose=0)\n"),
    ),
)

_NOTE = "ValueError before the first step"
_HELP = "give the second part as `validation_data`"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for feed in run.domain(Feeds).all:
        kind = run.domain(BatchSources).kind(feed.value) if feed.role == "trained" else None
        if kind is None or not _splits(feed) or is_expected_to_fail(feed.call) or not may_be_of_model(facts, feed.call):
            continue
        node = argument_node(run, feed.call, "validation_split") or run.place(feed.call)
        if node is None or node in seen:
            continue
        seen.add(node)
        message = f"`validation_split` can't split a {kind}"
        finding = facts.finding_at(run.span(node), message, _NOTE, _HELP)
        yield if_of_model(facts, feed.call, finding, RULE.levels)


def _splits(feed: Feed) -> bool:
    """Whether a share of the rows is asked for, and nothing else to validate on."""
    share, held = argument(feed.call, "validation_split"), argument(feed.call, "validation_data")
    if share is None or (held is not None and constant_of(held) is not None):
        return False
    return isinstance(share.constant, float) and share.constant > 0
