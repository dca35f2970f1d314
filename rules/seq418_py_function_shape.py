"""A Python function in `map` gives tensors without a shape, and `fit` needs one.

## Why
TensorFlow can't look into `tf.py_function` and `tf.numpy_function`. What they give has a type, but not even a number of dimensions. It goes through
`batch` to the model like that.

## Measured
- Keras 3: `fit`, `evaluate` and validation end with ValueError "Cannot take the length of shape with unknown rank", or with "as_list() is not defined
  on an unknown TensorShape" where the model has no input shape. A label alone is enough for that. `predict` takes it.
- Keras 2: it trains, if the model knows its input shape. Otherwise ValueError. `predict` takes it.
- Every Keras: `tf.cast`, arithmetic and most of `tf.image` leave it unknown, `batch` too.
- Every Keras: `set_shape`, `tf.ensure_shape`, `tf.reshape` or `padded_shapes` at any later step are enough.
- Every Keras: `tf.image.resize` of it raises ValueError "'images' contains no shape." at once.

## Do this
Say the shape right after the call, with None for each size that varies: `image = tf.ensure_shape(image, (None, None, 3))`.

## Silent when
A later step sets the shape, or may do so, or the dataset reaches no `fit` or `evaluate`. Also where only Keras 2 is used.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Note, Ranks, Rule, any_of

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

waves = np.ones((8, 3), "float32")
tones = np.ones((8, 1), "float32")


def louder(wave):
    return wave.numpy() * np.float32(2)

"""
_FIT = """

feed = tf.data.Dataset.from_tensor_slices((waves, tones)).map(prepare).batch(4)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ418",
    name="py-function-shape",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    needs=(any_of("map"), any_of("fit", "evaluate")),
    examples=(
        Example(
            _ROWS
            + """
def prepare(wave, tone):
    wave = tf.py_function(louder, [wave], tf.float32)
    return wave, tone
"""
            + _FIT
        ),
        Example(
            _ROWS
            + """
def prepare(wave, tone):
    tone = tf.numpy_function(lambda value: value + np.float32(1), [tone], tf.float32)
    return wave / 2.0, tf.cast(tone, tf.float32)
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """
def prepare(wave, tone):
    wave = tf.py_function(louder, [wave], tf.float32)
    wave.set_shape((3,))
    return wave, tone
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """
def prepare(wave, tone):
    wave = tf.py_function(louder, [wave], tf.float32)
    return tf.ensure_shape(wave, (3,)), tone
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """
def prepare(wave, tone):
    return tf.reshape(tf.py_function(louder, [wave], tf.float32), (3,)), tone
"""
            + _FIT
        ),
    ),
    sources=(
        "tensorflow/tensorflow#49238",
        "tensorflow/tensorflow#44970",
        "tensorflow/tensorflow#82637",
        "tensorflow/tensorflow#26305",
    ),
)


_NOTE = Note.on_keras_3('ValueError "Cannot take the length of shape with unknown rank" at the first batch')
_HELP = "say it right after the call, such as `image = tf.ensure_shape(image, (None, None, 3))`"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for cause in run.domain(Ranks).missing():
        call = run.call_of.get(cause)
        node = run.place(call) if call is not None else None
        if call is None or node is None or node in seen or cause.method == "from_generator":
            continue
        seen.add(node)
        message = f"what `{cause.method}` gives here has no shape, and a model is trained on it"
        yield facts.finding_at(run.span(node), message, _NOTE, _HELP)
