"""`take` comes after `cache`, which is then never filled.

## Why
A cache is complete when it was read to its end. `take` stops before, and what was cached so far is thrown away. So each epoch reads and
prepares the rows again, and TensorFlow logs that the iterator did not fully read the dataset.

## Measured
- Keras 3 and Keras 2: `cache().take(30)` of 40 rows: four epochs read 120 rows from the source, and not 30. `take(30).cache()`: 30.
- Keras 3 and Keras 2: a `take` of all rows fills the cache; another part that is read to the end, as by `skip(30)`, fills the cache,
  too: 70 rows; a shuffle between them that holds all rows reads to the end.

## Do this
Take first, and cache what is left.

## Silent when
Something reads the cache to its end; all rows are taken; the part is only looked at, or read once.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Rule, any_of

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
    code="SEQ421",
    name="cache-then-take",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("cache", "take"),),
    examples=(
        Example(
            _MODEL + "model.fit(rows.cache().take(32).batch(8), epochs=3, verbose=0)\n",
            _MODEL + "model.fit(rows.take(32).cache().batch(8), epochs=3, verbose=0)\n",
        ),
        Example(
            _MODEL
            + """rows = rows.cache()
rows = rows.take(len(cells) // 2)
model.fit(rows.batch(8), epochs=3, verbose=0)
""",
            _MODEL
            + """rows = rows.take(len(cells) // 2)
rows = rows.cache()
model.fit(rows.batch(8), epochs=3, verbose=0)
""",
        ),
        Example.ok(_MODEL + "model.fit(rows.take(32).cache().batch(8), epochs=3, verbose=0)\n"),
        Example.ok(
            _MODEL
            + """kept = rows.cache()
train, held = kept.take(32).batch(8), kept.skip(32).batch(8)
model.fit(train, validation_data=held, epochs=3, verbose=0)
"""
        ),
        Example.ok(
            _MODEL
            + """kept = rows.cache().batch(8)
print(next(iter(kept.take(1)))[0].shape)
model.fit(kept, epochs=3, verbose=0)
"""
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
