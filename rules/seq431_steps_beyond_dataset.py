"""Epochs times steps are more batches than a dataset that ends has.

## Why
With `steps_per_epoch` Keras reads on where the last epoch stopped. A dataset that does not repeat ends in the middle of some epoch. Its rest is a
short epoch, or the end of the training: few read the warning among the lines of the progress bar.

## Measured
- Keras 3.10 and later: all epochs run; the one in which the data end is short, and the next begins anew: 10 batches in epochs of 4 make
  epochs of 4, 4, 2, 4, 4, 2 steps. Nothing happens where the steps divide the batches.
- Keras 3.0 to 3.9: 4, 4, 2, 4, 4, 2, too; where the steps divide the batches an epoch of 0 steps follows each pass.
- Keras 2: the training ends with that epoch: of 6 epochs of 4 steps over 10 batches 3 are run, the last with 2 steps. Nothing is raised.

## Do this
Leave `steps_per_epoch` out, so that each epoch is one pass. Where an epoch shall be shorter or longer than that, add `.repeat()`.

## Silent when
The dataset repeats, or nobody knows how many batches it has; one epoch alone; on Keras 3.10 and later, the steps divide the batches.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Rule, a_call_of_model, any_of

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((50, 3), "float32")
train = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).batch(5)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ431",
    name="steps-beyond-dataset",
    since="0.1.0",
    levels=Levels(keras2="error", early="warning", keras3="warning"),
    needs=(a_call_of_model, any_of("steps_per_epoch")),
    examples=(
        Example(_START + "model.fit(train, steps_per_epoch=4, epochs=6, verbose=0)\n"),
        Example(_START + "model.fit(train, steps_per_epoch=len(rows) // 5 + 1, epochs=6, verbose=0)\n"),
        Example.ok(_START + "model.fit(train.repeat(), steps_per_epoch=4, epochs=6, verbose=0)\n"),
        Example.ok(_START + "model.fit(train, steps_per_epoch=4, epochs=2, verbose=0)\n"),
        Example.ok(_START + "model.fit(train, steps_per_epoch=5, epochs=6, verbose=0)\n", keras=">=3.10"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    yield from ()
