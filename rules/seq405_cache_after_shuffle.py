"""`cache` keeps the order that `shuffle` drew for the first epoch.

## Why
`cache` remembers rows as they come. After a shuffle it remembers one order, and every later epoch reads that order again. The shuffle then
works once, and not once an epoch.

## Measured
- Keras 3 and Keras 2: `shuffle(40).cache()`: three epochs have 1 order, also with `batch` between them; a cache in a file keeps it for
  the next run, too.
- Keras 3 and Keras 2: `cache().shuffle(40)`: three orders.

## Do this
Cache before `shuffle`: first what costs time, such as reading and decoding, then `cache`, `shuffle`, `batch`.

## Silent when
The rows are shuffled once more after the cache; the shuffle is meant to keep one order (`reshuffle_each_iteration=False`); nothing is
trained on the data, or in one epoch alone.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Rule, any_of

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
    code="SEQ405",
    name="cache-after-shuffle",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"order", "grouping", "history", "weights"})),
    needs=(any_of("shuffle", "cache"),),
    examples=(
        Example(
            _MODEL + "model.fit(rows.shuffle(40).cache().batch(8), epochs=3, verbose=0)\n",
            _MODEL + "model.fit(rows.cache().shuffle(40).batch(8), epochs=3, verbose=0)\n",
        ),
        Example(
            _MODEL
            + """rows = rows.shuffle(buffer_size=len(cells), seed=4)
rows = rows.cache()
model.fit(rows.batch(8), epochs=3, verbose=0)
""",
            _MODEL
            + """rows = rows.cache()
rows = rows.shuffle(buffer_size=len(cells), seed=4)
model.fit(rows.batch(8), epochs=3, verbose=0)
""",
        ),
        Example.ok(_MODEL + "model.fit(rows.cache().shuffle(40).batch(8), epochs=3, verbose=0)\n"),
        Example.ok(_MODEL + "model.fit(rows.shuffle(40).cache().shuffle(40).batch(8), epochs=3, verbose=0)\n"),
        Example.ok(
            _MODEL
            + "model.fit(rows.shuffle(40, reshuffle_each_iteration=False).cache().batch(8), epochs=3, verbose=0)\n"
        ),
        Example.ok(_MODEL + "model.fit(rows.shuffle(40).cache().batch(8), epochs=1, verbose=0)\n"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
