"""A hook takes the number of the batch for the step of the training.

## Why
`batch` begins at 0 in each epoch. A warm-up over 500 steps that divides `batch` by 500 starts anew with each epoch, and never ends where an epoch has
fewer batches.

## Measured
- On every Keras a warm-up over 10 steps to 0.1 reaches 0.03 in 5 epochs of 3 batches: the hook gets 0, 1, 2 in each of them.

## Do this
Count the steps yourself: `self.step = 0` in `on_train_begin`, `self.step += 1` in the hook. `self.model.optimizer.iterations` counts them, too.

## Silent when
The number of the epoch, or the number of its batches, is part of it.
"""

from collections.abc import Iterator

from seqlint.api import BatchHooks, Example, Facts, Finding, Levels, Rule, matching

_START = """
import keras
import numpy as np


class Warm(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.done = 0

    def on_train_batch_begin(self, batch, logs=None):
        self.done += 1
        self.model.optimizer.learning_rate = 0.1 * min(1.0, COUNT / 10)


rows = np.ones((12, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, :1], batch_size=4, epochs=2, verbose=0, callbacks=[Warm()])
"""

RULE = Rule(
    code="SEQ523",
    name="batch-number-as-step",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(matching(r"on_(?:train_)?batch_"), matching(r"\b(?:lr|learning_rate|summary)\b")),
    examples=(
        Example(_START.replace("COUNT", "(batch + 1)")),
        Example(_START.replace("COUNT", "max(1, batch)")),
        Example.ok(_START.replace("COUNT", "self.done")),
        Example.ok(_START.replace("COUNT", "(self.params['steps'] + batch)")),
    ),
    sources=("huggingface/transformers#5765",),
)


def check(facts: Facts) -> Iterator[Finding]:
    for found in facts.run.domain(BatchHooks).steps:
        what = "the learning rate follows" if found.what == "rate" else "the summary counts by"
        message = f"{what} the batch of the epoch, which begins at 0 each time"
        note = "each epoch repeats the steps of the first"
        yield facts.finding_at(facts.run.span(found.node), message, note, "count the steps in an attribute")
