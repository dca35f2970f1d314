"""`Tout` of a Python function names other types than the function returns.

## Why
TensorFlow believes `Tout` when it makes the graph. Only when the first row is read does it see what the function returns. Many NumPy
functions give float64, and a Python number is float64 or int64.

## Measured
- On every Keras: `tf.numpy_function` refuses any other type at the first batch: InvalidArgumentError "0-th value returned by pyfunc_0 is double,
  but expects float". Lists are refused, too, and a Python float is float64 there, an int is int64.
- Every Keras: `tf.py_function` converts Python's and NumPy's numbers, and cuts 1.7 to 1, without a warning. But it refuses a tensor of another type,
  and a Python float for an int.
- Every Keras: a text for a number, a number for a text and None are refused by both.
- Every Keras: one result for two types is refused by both. `tf.py_function` drops what is too many, also of a list of numbers, and
  `tf.numpy_function` refuses it.

## Do this
Return what `Tout` says: `np.float32(value)`, `array.astype("float32")`. Or let `Tout` say what is returned, and use `tf.cast` after it.

## Silent when
The type of what is returned isn't plain to see.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, PythonResults, Rule, any_of

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

winds = np.ones((8, 3), "float32")
gusts = np.ones((8, 1), "float32")

"""
_FIT = """

feed = tf.data.Dataset.from_tensor_slices((winds, gusts)).map(prepare).batch(4)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ433",
    name="py-function-type",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(any_of("py_function", "numpy_function", "py_func"),),
    examples=(
        Example(
            _ROWS
            + """
def gust_of(wind):
    return np.random.normal(size=(1,))


def prepare(wind, gust):
    gust = tf.numpy_function(gust_of, [wind], tf.float32)
    return wind, tf.ensure_shape(gust, (1,))
"""
            + _FIT
        ),
        Example(
            _ROWS
            + """
def both(wind, gust):
    return wind.numpy()


def prepare(wind, gust):
    wind, gust = tf.py_function(both, [wind, gust], [tf.float32, tf.float32])
    return tf.ensure_shape(wind, (3,)), tf.ensure_shape(gust, (1,))
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """
def gust_of(wind):
    return np.random.normal(size=(1,)).astype(np.float32)


def prepare(wind, gust):
    gust = tf.numpy_function(gust_of, [wind], tf.float32)
    return wind, tf.ensure_shape(gust, (1,))
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """
def gust_of(wind):
    return np.random.normal(size=(1,))


def prepare(wind, gust):
    gust = tf.py_function(gust_of, [wind], tf.float32)
    return wind, tf.ensure_shape(gust, (1,))
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """
def gust_of(wind):
    return np.random.normal(size=(1,))


def prepare(wind, gust):
    gust = tf.cast(tf.numpy_function(gust_of, [wind], tf.float64), tf.float32)
    return wind, tf.ensure_shape(gust, (1,))
"""
            + _FIT
        ),
    ),
)


_NOTE = "the first row raises InvalidArgumentError"
_HELP = "return what `Tout` says, or let `Tout` say what is returned and use `tf.cast` after it"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for call, what in run.domain(PythonResults).refused:
        node = run.place(call)
        if node is not None and node not in seen:
            seen.add(node)
            yield facts.finding_at(run.span(node), f"the Python function returns {what}", _NOTE, _HELP)
