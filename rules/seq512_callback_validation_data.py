"""A callback reads `self.validation_data`, which Keras does not set.

## Why
Keras 1 gave each callback the validation data of the `fit`. No later Keras does: what computes a score of its own from them gets nothing.

## Measured
- Keras 3.10 and later: AttributeError "object has no attribute 'validation_data'" where it is read.
- Keras 3.0 to 3.9: it is None, so that `self.validation_data[0]` raises TypeError "'NoneType' object is not subscriptable".
- Keras 2: it is None, so that `self.validation_data[0]` raises TypeError "'NoneType' object is not subscriptable".
- Every Keras: a model has no `validation_data` either; `self.model.validation_data` raises AttributeError.

## Do this
Give the data to the callback's constructor, and keep them under a name of your own.

## Silent when
The class, a method of it or other code of the file sets the attribute.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, HookReads, Levels, Note, Rule, matching

_START = """
import keras
import numpy as np


class Share(keras.callbacks.Callback):
    def __init__(self, rows=None):
        super().__init__()
        self.rows = rows

    def on_epoch_end(self, epoch, logs=None):
"""
_END = """

rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, :1], validation_data=(rows, rows[:, :1]), epochs=2, verbose=0, callbacks=[Share(rows)])
"""

RULE = Rule(
    code="SEQ512",
    name="callback-validation-data",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(matching(r"[cC]allback|def\s+on_\w+"), matching(r"\.\s*validation_data\b")),
    examples=(
        Example(_START + "        print(np.mean(self.validation_data[0]))\n" + _END),
        Example(_START + "        x, y = self.model.validation_data\n        print(np.mean(y))\n" + _END),
        Example.ok(_START + "        print(np.mean(self.rows))\n" + _END),
        Example.ok(
            _START.replace("self.rows", "self.validation_data")
            + "        print(np.mean(self.validation_data))\n"
            + _END
        ),
    ),
    sources=("tensorflow/tensorflow#27318", "keras-team/keras#10472"),
)

_NOTES = {
    False: Note(keras3="it raises AttributeError", early="it is None", keras2="it is None"),
    True: Note("it raises AttributeError: a model has no such attribute"),
}


def check(facts: Facts) -> Iterator[Finding]:
    for read in facts.run.domain(HookReads).of_validation:
        what = "self.model.validation_data" if read.of_model else "self.validation_data"
        message = f"`{read.owner}` reads `{what}`, which Keras does not set"
        help_ = f"give the data to `{read.owner}(...)`, and keep them under another name"
        yield facts.finding_at(facts.run.span(read.node), message, _NOTES[read.of_model], help_)
