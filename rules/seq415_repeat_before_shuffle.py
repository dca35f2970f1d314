"""`repeat` comes before `shuffle`, which then mixes one epoch with the next.

## Why
`repeat` puts the passes over the data one after the other, and a shuffle after it draws from several of them. What `fit` calls an epoch then
has some rows twice and others not at all.

## Measured
- Keras 3 and Keras 2: `repeat().shuffle(100)` of 100 rows: an epoch of 100 rows has 70 to 80 different ones, also with `repeat(2)`.
  With a buffer of 20 it has some 90.
- Keras 3 and Keras 2: `shuffle(100).repeat()`: all 100.

## Do this
Repeat after `shuffle`. Where steps alone count, as in a long training without epochs, the order does no harm.

## Silent when
Some rows are repeated to make up for the others, before `concatenate` or a mix of datasets; nothing is trained on the data.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Rule, Sometimes, any_of

_MODEL = """
import keras
import numpy as np
import tensorflow as tf

cells = np.arange(40, dtype="float32").reshape(40, 1) / 40
rows = tf.data.Dataset.from_tensor_slices((cells, cells))
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ415",
    name="repeat-before-shuffle",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    sometimes=Sometimes.everywhere("advice"),
    contract=Contract(changes=frozenset({"samples", "order", "grouping", "history", "weights"})),
    needs=(any_of("repeat", "shuffle"),),
    examples=(
        Example(
            _MODEL + "model.fit(rows.repeat().shuffle(40).batch(8), steps_per_epoch=5, epochs=3, verbose=0)\n",
            _MODEL + "model.fit(rows.shuffle(40).repeat().batch(8), steps_per_epoch=5, epochs=3, verbose=0)\n",
        ),
        Example(
            _MODEL
            + """rows = rows.repeat(3)
rows = rows.shuffle(buffer_size=40)
model.fit(rows.batch(8), epochs=3, steps_per_epoch=5, verbose=0)
""",
            _MODEL
            + """rows = rows.shuffle(buffer_size=40)
rows = rows.repeat(3)
model.fit(rows.batch(8), epochs=3, steps_per_epoch=5, verbose=0)
""",
        ),
        Example.ok(_MODEL + "model.fit(rows.shuffle(40).repeat().batch(8), steps_per_epoch=5, epochs=3, verbose=0)\n"),
        Example.ok(
            _MODEL
            + """few = rows.take(5).repeat(7)
model.fit(rows.skip(5).concatenate(few).shuffle(70).batch(8), epochs=3, verbose=0)
"""
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
