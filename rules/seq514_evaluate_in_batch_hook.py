"""A hook for batches evaluates the model that is being trained.

## Why
`evaluate` begins the metrics of the model anew. In the middle of an epoch these hold what was measured in the batches so far, so that what
`fit` reports for the epoch is what came after the last evaluation, or the evaluation itself.

## Measured
- On every Keras `evaluate` in `on_train_batch_end` changes what `fit` reports: a loss of 17.85 for 3.42, where the weights are the same.
- On every Keras `evaluate` in `on_epoch_end`, and `predict` anywhere, change nothing.

## Do this
Evaluate in `on_epoch_end`, or work out the score from `self.model.predict(...)`.

## Silent when
The model is another one than that of the callback.
"""

from collections.abc import Iterator

from seqlint.api import BatchHooks, Example, Facts, Finding, Levels, Rule, any_of, matching

_START = """
import keras
import numpy as np

rows = np.ones((12, 3), "float32")


class Score(keras.callbacks.Callback):
    def HOOK(self, number, logs=None):
        print(self.model.evaluate(2 * rows, rows[:, :1], verbose=0))


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, :1], batch_size=4, epochs=2, verbose=0, callbacks=[Score()])
"""

RULE = Rule(
    code="SEQ514",
    name="evaluate-in-batch-hook",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(matching(r"on_(?:train_)?batch_"), any_of("evaluate", "evaluate_generator")),
    examples=(
        Example(_START.replace("HOOK", "on_train_batch_end")),
        Example(_START.replace("HOOK", "on_batch_begin")),
        Example.ok(_START.replace("HOOK", "on_epoch_end")),
        Example.ok(
            _START.replace("HOOK", "on_train_batch_end").replace("evaluate(2 * rows, rows[:, :1]", "predict(2 * rows")
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for found in facts.run.domain(BatchHooks).evaluations:
        message = f"`evaluate` in `{found.hook}` begins the metrics of the epoch anew"
        note = "`fit` reports other values for the epoch"
        yield facts.finding_at(facts.run.span(found.node), message, note, "evaluate in `on_epoch_end`")
