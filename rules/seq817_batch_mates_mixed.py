"""A layer takes the mean or maximum over the whole batch, and so mixes its rows.

## Why
A mean without `axis` is one number for all rows of the batch. A layer that subtracts it, or divides by it, gives each row an output that depends on
the others in its batch: the same row has one prediction alone, and another one in a batch. Duelling networks that subtract the mean of all
advantages in place of those of one state are the best known case.

## Measured
- On every Keras a model with `x - K.mean(x)` in a Lambda, or `x / tf.reduce_max(x)` in a layer of its own, predicts other values for a row in a batch
  of 4 than for the row alone; with `axis=-1, keepdims=True` they are equal.

## Do this
Say over which axes of a row the number is: `axis=-1, keepdims=True` for the last one.

## Silent when
An axis is given; the number belongs to a loss; weights are reduced, or other values than those that the number is applied to.
"""

from collections.abc import Iterator

from seqlint.api import BatchMates, Example, Facts, Finding, Levels, Rule, any_of, callee, matching

_START = """
import keras
import numpy as np
import tensorflow as tf

inputs = keras.Input((4,))
values = keras.layers.Dense(3)(inputs)
model = keras.Model(inputs, keras.layers.Lambda(CENTRE)(values))
print(model.predict(np.ones((2, 4), "float32"), verbose=0).shape)
"""

RULE = Rule(
    code="SEQ817",
    name="batch-mates-mixed",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(
        matching(r"(mean|max|min|sum|std)\("),
        any_of("Lambda", "call", "Input"),
        any_of("layers", "Layer", "Model"),
    ),
    examples=(
        Example(_START.replace("CENTRE", "lambda x: x - tf.reduce_mean(x)")),
        Example(_START.replace("CENTRE", "lambda x: x / (tf.reduce_max(x) + 1e-6)")),
        Example.ok(_START.replace("CENTRE", "lambda x: x - tf.reduce_mean(x, axis=-1, keepdims=True)")),
        Example.ok(_START.replace("CENTRE", "lambda x: x - 0.5")),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    for call in run.domain(BatchMates).all:
        place = run.place(call)
        if place is None:
            continue
        message = f"`{callee(run, call)}` is one number for all rows of a batch"
        note = "what a row gives depends on the others in its batch"
        help_ = "say which axes of a row it is for, such as `axis=-1, keepdims=True`"
        yield facts.finding_at(run.span(place), message, note, help_)
