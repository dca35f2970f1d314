"""`update_state` of a metric assigns what one batch gave, in place of adding it.

## Why
Keras calls `update_state` for each batch and `result` after it; the variables carry the sum over the batches. `assign` throws the sum away, so an
epoch logs the value of its last batch, which may have a single row. Early stopping and checkpoints decide by it.

## Measured
Of 4 batches whose labels have the means 0.5, 2.5, 4.5 and 6.5, so 3.5 on average:

- On every Keras a metric that assigns the mean of its batch logs 6.5, for the training, the validation and `evaluate`.
- Keras 2: a metric with a plain attribute, `self.value = value`, logs 6.5, too.
- Keras 3: a metric with a plain attribute, `self.value = value`, logs a symbolic tensor.
- On every Keras a metric that adds up sum and count logs 3.5.

## Do this
Use `assign_add` for sums and counts, and divide in `result`. Or wrap the value: `self.mean = keras.metrics.Mean()`, and `self.mean.update_state(value)`.

## Silent when
What is assigned is worked out of the variable itself (`self.total + value`, a maximum so far), or of nothing that the batch holds; `result` does not
read the variable.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, OwnMetrics, Rule, any_of

_START = """
import keras
import numpy as np


class Share(keras.metrics.Metric):
    def __init__(self, name="share", **kwargs):
        super().__init__(name=name, **kwargs)
        self.right = self.add_weight(name="right", initializer="zeros")
        self.all = self.add_weight(name="all", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        right = keras.ops.cast(y_true > 0.5, "float32")
        self.right.assign(keras.ops.sum(right))
        self.all.assign_add(keras.ops.sum(keras.ops.ones_like(right)))

    def result(self):
        return self.right / self.all


rows = np.arange(8, dtype="float32").reshape(8, 1) / 8
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse", metrics=[Share()])
model.fit(rows, rows, batch_size=4, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ805",
    name="metric-assigns",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(any_of("update_state"),),
    examples=(
        Example(_START, keras=">=3"),
        Example.ok(_START.replace("right.assign(", "right.assign_add("), keras=">=3"),
        Example.ok(_START.replace("assign(keras", "assign(self.right + keras"), keras=">=3"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for found in facts.run.domain(OwnMetrics).assigned:
        if not facts.run.is_here(found.context):
            continue
        message = f"`{found.cls.name}` assigns what one batch gave to `{found.name}`, and does not add it"
        note = "an epoch logs the value of its last batch"
        span = facts.run.step_span(found.node)
        yield facts.finding_at(span, message, note, "use `assign_add`, and divide in `result`")
