"""A dataset that repeats for ever is read to its end.

## Why
`repeat()` without a number never ends. `fit` needs `steps_per_epoch` then, the validation needs `validation_steps`, and `evaluate` and
`predict` need `steps`; else the first epoch, or its validation, runs until somebody stops it.

## Measured
- Keras 3: an epoch, a validation, `evaluate` and `predict` never end, without a warning; `steps_per_epoch` alone does not end the validation.
- Keras 2: ValueError "When providing an infinite dataset, you must specify the number of steps to run"; where TensorFlow can't tell that it
  is endless, as after `filter`, it never ends.
- On every Keras it ends after `take`, in a `zip` with a dataset that ends, and when a callback sets `stop_training` after a batch.

## Do this
Leave `repeat()` out: Keras starts a dataset anew for each epoch. Or say how many steps an epoch has.

## Silent when
A number of steps is given, or may be; something ends it; a callback of the program's own is passed.
"""

from collections.abc import Iterator

from seqlint.api import Contract, Example, Facts, Finding, Levels, Rule, a_call_of_model, any_of

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(24, dtype="float32").reshape(24, 1) / 24
pairs = tf.data.Dataset.from_tensor_slices((rows, 2 * rows))
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ408",
    name="endless-dataset",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors", "steps"})),
    needs=(a_call_of_model, any_of("repeat", "counter", "random")),
    examples=(
        Example(_START + "model.fit(pairs.batch(6).repeat(), epochs=2, verbose=0)\n"),
        Example(
            _START
            + "train = pairs.batch(6)\nmodel.fit(train, validation_data=pairs.repeat().batch(6), epochs=2, verbose=0)\n"
        ),
        Example.ok(_START + "model.fit(pairs.batch(6).repeat(), steps_per_epoch=4, epochs=2, verbose=0)\n"),
        Example.ok(_START + "model.fit(pairs.batch(6).repeat(2), epochs=2, verbose=0)\n"),
        Example.ok(_START + "model.fit(pairs.repeat().batch(6).take(5), epochs=2, verbose=0)\n"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
