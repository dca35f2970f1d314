"""`zip` pairs datasets whose rows come in orders of their own.

## Why
Each side of a `zip` is read by itself, and each `shuffle` or `list_files` on the way draws an order for each reading. Inputs meet the targets
of other rows; the model learns the mean, and nothing fails. One shuffled dataset that is mapped twice is read twice, too.

## Measured
- On every Keras two `shuffle` of their own leave 1 of 60 pairs right, a shuffled side and one in order 3 of 60 at most.
- On every Keras one shuffled dataset, mapped twice, leaves 1 of 60 pairs right, with `seed=` none; `list_files` 2 of 30 at most.
- On every Keras all pairs fit with one `seed=` and one buffer size in both, and with `reshuffle_each_iteration=False` in the shared one; after
  a `cache` from the second pass on.

## Do this
Shuffle after `zip`, or let one `map` give both parts of a row. `list_files(..., shuffle=False)` comes sorted.

## Silent when
Both sides are shuffled alike; the pairs are meant to be random, as for mixup, for two unlike domains, or for rows without labels; nothing
says that the two sides are the inputs and targets of the same rows.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Rule, any_of

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(24, dtype="float32").reshape(24, 1) / 24
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ403",
    name="zip-of-shuffled",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"samples", "order", "grouping", "history", "weights"})),
    needs=(any_of("zip"), any_of("shuffle", "list_files")),
    examples=(
        Example(
            _START
            + """mixed = tf.data.Dataset.from_tensor_slices(rows).shuffle(24)
pairs = tf.data.Dataset.zip((mixed.map(lambda row: row), mixed.map(lambda row: 2 * row)))
model.fit(pairs.batch(6), epochs=2, verbose=0)
""",
        ),
        Example(
            _START
            + """inputs = tf.data.Dataset.from_tensor_slices(rows).shuffle(24)
targets = tf.data.Dataset.from_tensor_slices(2 * rows).shuffle(24)
model.fit(tf.data.Dataset.zip((inputs, targets)).batch(6), epochs=2, verbose=0)
""",
        ),
        Example.ok(
            _START
            + """inputs = tf.data.Dataset.from_tensor_slices(rows)
targets = tf.data.Dataset.from_tensor_slices(2 * rows)
model.fit(tf.data.Dataset.zip((inputs, targets)).shuffle(24).batch(6), epochs=2, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """inputs = tf.data.Dataset.from_tensor_slices(rows).shuffle(24, seed=3)
targets = tf.data.Dataset.from_tensor_slices(2 * rows).shuffle(24, seed=3)
model.fit(tf.data.Dataset.zip((inputs, targets)).batch(6), epochs=2, verbose=0)
"""
        ),
    ),
    sources=("tensorflow/tensorflow#70521",),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
