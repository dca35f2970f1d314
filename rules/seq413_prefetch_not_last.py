"""`prefetch` is not the last step, and TensorFlow was told not to add one.

## Why
`prefetch` runs what is before it ahead of time. What comes after it waits until the model asks. TensorFlow adds a `prefetch` at the end by itself,
unless autotuning or `inject_prefetch` is switched off.

## Measured
- On every Keras, with `options.autotune.enabled = False`: a `map` after it works on a row only when the model asks for it; one before it is 2 rows ahead with
  `prefetch(2)`.
- Every Keras, with `options.autotune.enabled = False`: `.prefetch(2).batch(4)` is 2 rows ahead, `.batch(4).prefetch(2)` 2 batches.
- Every Keras, otherwise: TensorFlow adds a `prefetch` of its own at the end.

## Do this
Move `prefetch` to the end of the chain.

## Silent when
The options are those of TensorFlow, another `prefetch` is last, or nothing that takes time comes after it.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Rule, any_of

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((8, 3), "float32")
options = tf.data.Options()
options.autotune.enabled = False
feed = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).with_options(options)
"""
_FIT = """
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ413",
    name="prefetch-not-last",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(
        any_of("prefetch"),
        any_of("with_options"),
        any_of("autotune", "inject_prefetch", "apply_default_optimizations"),
    ),
    examples=(
        Example(
            _ROWS + "feed = feed.prefetch(2).batch(4)\n" + _FIT,
            _ROWS + "feed = feed.batch(4).prefetch(2)\n" + _FIT,
        ),
        Example(
            _ROWS
            + """
feed = feed.batch(4)
feed = feed.prefetch(tf.data.AUTOTUNE)
feed = feed.map(lambda row, label: (row * 2.0, label))
"""
            + _FIT
        ),
        Example.ok(_ROWS + "feed = feed.batch(4).prefetch(2)\n" + _FIT),
        Example.ok(_ROWS.replace("False", "True") + "feed = feed.prefetch(2).batch(4)\n" + _FIT),
        Example.ok(_ROWS + "feed = feed.prefetch(2).batch(4).prefetch(1)\n" + _FIT),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
