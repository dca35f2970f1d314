"""`map` calls Python, or draws random numbers, for one row at a time.

## Why
Without `num_parallel_calls` a mapped function that TensorFlow can't look through runs for one row after the other, while the model waits. Files that
are read in Python, and other code that waits for something, can run for several rows at once.

## Measured
- On every Keras: a `map` with `tf.numpy_function` runs 1 call at a time, `num_parallel_calls=2` runs 2, and `num_parallel_calls=tf.data.AUTOTUNE` runs several.
  With it the rows keep their order.
- Every Keras: TensorFlow runs a `map` that only reads and decodes in parallel by itself, unless autotuning is off. It does not where the function calls
  Python or draws random numbers.

## Do this
Write `map(load, num_parallel_calls=tf.data.AUTOTUNE)`. It may help little where the function is pure computation in Python, or where the model is the
slow part: measure it.

## Silent when
The Python function draws random numbers or changes something, the rows are only looked at, or seqlint can't tell that Python is called.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Rule, any_of

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

pages = np.arange(8 * 16).reshape(8, 4, 4)
letters = np.ones((8, 1), "float32")


def scaled(page):
    return (page / 128).astype("float32")


def prepare(page, letter):
    page = tf.numpy_function(scaled, [page], tf.float32)
    return tf.ensure_shape(page, (4, 4)), letter

"""
_FIT = """
model = keras.Sequential([keras.Input((4, 4)), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=2, verbose=0)
"""
_ONE = """
feed = tf.data.Dataset.from_tensor_slices((pages, letters)).map(prepare).batch(4)
"""
_SEVERAL = """
feed = tf.data.Dataset.from_tensor_slices((pages, letters)).map(prepare, num_parallel_calls=tf.data.AUTOTUNE).batch(4)
"""

RULE = Rule(
    code="SEQ411",
    name="serial-map",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(any_of("map"),),
    examples=(
        Example(_ROWS + _ONE + _FIT, _ROWS + _SEVERAL + _FIT),
        Example(
            _ROWS
            + """
feed = tf.data.Dataset.from_tensor_slices((pages, letters))
feed = feed.map(prepare)
feed = feed.batch(4)
"""
            + _FIT,
            _ROWS
            + """
feed = tf.data.Dataset.from_tensor_slices((pages, letters))
feed = feed.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
feed = feed.batch(4)
"""
            + _FIT,
        ),
        Example.ok(_ROWS + _SEVERAL + _FIT),
        Example.ok(
            _ROWS
            + """
feed = tf.data.Dataset.from_tensor_slices((pages, letters))
feed = feed.map(lambda page, letter: (tf.cast(page, tf.float32) / 128.0, letter)).batch(4)
"""
            + _FIT
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
