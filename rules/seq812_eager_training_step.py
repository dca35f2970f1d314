"""A training loop by hand runs each step without a graph.

## Why
`fit` makes one graph of a training step. A loop with a GradientTape runs the Python of model, loss and optimizer anew for each batch, and starts each
operation by itself. For small models that takes most of the time, and a GPU waits for it.

## Measured
- Keras 3 and Keras 2: 20 steps without `tf.function` run the Python of the step 20 times, and with it at most 2 times.
- Keras 3: 30 steps of a dense network of five layers took 32 times the CPU time of those of a graph, and 30 of a small convolutional one 14 times.

## Do this
Put the step in a function with `@tf.function`: all from the tape to `apply_gradients`. Make the optimizer and the metrics before it.

## Silent when
A file that takes part calls `tf.function` or has a strategy, whatever they are for; a `@tf.function` is on the step, on what the loop calls, or on the
`call` of a model; the loop has a handful of rounds.
"""

from collections.abc import Iterator

from seqlint.api import EagerSteps, Example, Facts, Finding, Levels, Rule, any_of

_START = """
import keras
import tensorflow as tf

rows = tf.ones((8, 2))
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.1)

{decorator}
def step(rows):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(rows, training=True) - rows[:, :1]) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))

for batch in range({rounds}):
    step(rows)
"""

RULE = Rule(
    code="SEQ812",
    name="eager-training-step",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(any_of("gradient"), any_of("for", "while")),
    examples=(
        Example(_START.format(decorator="", rounds=100)),
        Example(_START.format(decorator="", rounds="10 * 10")),
        Example.ok(_START.format(decorator="@tf.function", rounds=100)),
        Example.ok(_START.format(decorator="", rounds=3)),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for step in run.domain(EagerSteps).all:
        place = run.place(step.gradient)
        if place is None or place in seen:
            continue
        seen.add(place)
        note = "each batch runs all Python of the step anew"
        help_ = "put the step in a function with `@tf.function`"
        yield facts.finding_at(run.span(place), "this loop trains without a graph", note, help_)
