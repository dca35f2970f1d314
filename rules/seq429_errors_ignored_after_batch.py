"""`ignore_errors` after `batch` drops the whole batch of each row that fails.

## Why
`ignore_errors` leaves out the element in which an error happens. After `batch` the element is a batch: one row that can't be read takes all the
rows of its batch along. Nothing tells how many.

## Measured
- On every Keras, of 64 rows with 3 broken ones, 40 are left after `.batch(8).ignore_errors()`, and 61 after `.ignore_errors().batch(8)`;
  `unbatch` after it, `prefetch` or a `shuffle` before it change nothing.
- On every Keras an error inside a `map` after `batch` drops its batch wherever `ignore_errors` is, since that function gets a batch.

## Do this
Move `ignore_errors` before `batch`, right after the step that fails.

## Silent when
Nothing before the `batch` can fail for one row: the rows come from arrays, and only a `map` over batches follows.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Rule, any_of

_START = """
import keras
import tensorflow as tf

lines = [f"{number}.5" for number in range(24)]
lines[5] = lines[20] = "--"
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def parse(line):
    value = tf.strings.to_number(line)
    return value[tf.newaxis] / 24, value


"""

RULE = Rule(
    code="SEQ429",
    name="errors-ignored-after-batch",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"samples", "order", "grouping", "steps", "history", "weights"})),
    needs=(any_of("ignore_errors"),),
    examples=(
        Example(
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines).map(parse).batch(4).ignore_errors()
model.fit(data, epochs=2, verbose=0)
""",
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines).map(parse).ignore_errors().batch(4)
model.fit(data, epochs=2, verbose=0)
""",
        ),
        Example(
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines)
data = data.map(parse)
data = data.batch(4)
data = data.apply(tf.data.experimental.ignore_errors())
model.fit(data, epochs=2, verbose=0)
""",
        ),
        Example.ok(
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines).map(parse).ignore_errors().batch(4)
model.fit(data, epochs=2, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines).batch(1).map(parse).ignore_errors()
model.fit(data, epochs=2, verbose=0)
"""
        ),
    ),
    sources=("tensorflow/tensorflow#27022", "tensorflow/tensorflow#38078"),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
