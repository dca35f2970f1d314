"""`drop_remainder=True` leaves rows out of a validation or prediction.

## Why
In training the last, smaller batch can be dropped: with a shuffle, other rows are in it next time. Data that are scored or predicted have one
pass, so the rows of the last batch are never looked at, and the predictions are fewer than the rows.

## Measured
- Keras 3 and Keras 2: of 45 rows in batches of 16, 32 are predicted, and `evaluate` and the validation of `fit` score 32; in batches of 15
  all are.
- Keras 3: with batches of 64 `predict` raises UnboundLocalError.
- Keras 2: with batches of 64 `predict` raises ValueError "Expected input data to be non-empty".

## Do this
Leave `drop_remainder` out where data are scored or predicted. A function that makes all sets takes it as a parameter.

## Silent when
The rows are whole batches; they are repeated before; the shape must be fixed, as on a TPU and for a stateful layer; the batch makes one sample
of several rows.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Rule, any_of

_MODEL = """
import keras
import numpy as np
import tensorflow as tf

cells = np.arange(45, dtype="float32").reshape(45, 1) / 45
rows = tf.data.Dataset.from_tensor_slices((cells, cells))
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ430",
    name="remainder-dropped-in-evaluation",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"history"})),
    needs=(any_of("drop_remainder", "batch", "padded_batch"),),
    examples=(
        Example(
            _MODEL
            + """held = rows.batch(16, drop_remainder=True)
model.fit(rows.batch(9), validation_data=held, verbose=0)
""",
            _MODEL
            + """held = rows.batch(16)
model.fit(rows.batch(9), validation_data=held, verbose=0)
""",
        ),
        Example(
            _MODEL
            + """model.fit(rows.batch(16, True), verbose=0)
loss = model.evaluate(rows.batch(16, True), verbose=0)
""",
            _MODEL
            + """model.fit(rows.batch(16, True), verbose=0)
loss = model.evaluate(rows.batch(16, False), verbose=0)
""",
        ),
        Example.ok(_MODEL + "model.fit(rows.batch(16, drop_remainder=True), verbose=0)\n"),
        Example.ok(_MODEL + "guess = model.predict(rows.batch(15, drop_remainder=True), verbose=0)\n"),
        Example.ok(_MODEL + "loss = model.evaluate(rows.batch(16, drop_remainder=False), verbose=0)\n"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
