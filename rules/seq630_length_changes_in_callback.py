"""A callback changes a number on which the length of a Sequence depends.

## Why
A curriculum that gives a Sequence more batches in each epoch changes its `__len__`. Keras 3 reads the length once, when `fit` begins.

## Measured
- Keras 3: a Sequence of 4 batches that a callback sets to 8 at the end of each epoch has 4, 4 and 4 in three epochs.
- Keras 2: a Sequence of 4 batches that a callback sets to 8 at the end of each epoch has 4, 8 and 8 in three epochs.

## Do this
Keep the length, and let the batches draw from more or fewer samples. Or call `fit` once for each stage.

## Silent when
Nobody knows which object the callback changes, or the attribute holds rows: these may be as many as before.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, LengthsSet, Levels, Rule, a_sequence, any_of

_START = """
import keras
import numpy as np


class Rows(keras.utils.PyDataset):
    def __init__(self):
        super().__init__()
        self.count = 2

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return np.ones((2, 3), "float32"), np.ones((2, 1), "float32")


class More(keras.callbacks.Callback):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    def on_epoch_end(self, epoch, logs=None):
        CHANGE


rows = Rows()
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, epochs=3, verbose=0, callbacks=[More(rows)])
"""

RULE = Rule(
    code="SEQ630",
    name="length-changes-in-callback",
    since="0.1.0",
    levels=Levels(keras2=None, early="warning", keras3="warning"),
    needs=(a_sequence, any_of("__len__"), any_of("on_epoch_end", "on_epoch_begin")),
    examples=(
        Example(_START.replace("CHANGE", "self.rows.count += 2")),
        Example(_START.replace("CHANGE", "self.rows.count = 4")),
        Example.ok(_START.replace("CHANGE", "self.rows.level = epoch")),
        Example.ok(_START.replace("CHANGE", "print(self.rows.count)")),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for found in facts.run.domain(LengthsSet).all:
        message = f"`{found.hook}` changes `{found.name}`, on which the length of `{found.sequence}` depends"
        note = "every epoch has as many batches as the first"
        yield facts.finding_at(facts.run.span(found.node), message, note, "call `fit` once for each stage")
