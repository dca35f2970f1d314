"""`evaluate` scores one batch of many.

## Why
`next(rows)` and `rows.take(1)` give one batch: 32 rows, as a rule. Its score says little of the others. With 32 rows an accuracy of 0.9 may well be one
of 0.8 or 1.0 on the next batch, and where the rows come class by class, one batch holds one class. It is printed as the score of the test all the same.

## Measured
- Keras 3 and Keras 2: of a model that is right for 160 of 200 rows, the scores of its batches of 20 go from 0.6 to 0.95.

## Do this
Give all of them: `model.evaluate(rows)`.

## Silent when
A loop scores batch after batch; the batch has more than 64 rows, or an unknown number: it may be all that there is.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, OneBatches, Rule, any_of, callee, if_of_model

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((40, 3), "float32")
batches = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).batch(4)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""

RULE = Rule(
    code="SEQ633",
    name="one-batch-scored",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(
        any_of("evaluate"),
        any_of("next", "__next__", "take", "flow_from_directory", "flow_from_dataframe", "flow"),
    ),
    examples=(
        Example(_START + "x, y = next(iter(batches))\nmodel.evaluate(x, y, verbose=0)\n"),
        Example(_START + "model.evaluate(batches.take(1), verbose=0)\n"),
        Example.ok(_START + "model.evaluate(batches, verbose=0)\n"),
        Example.ok(_START + "for x, y in batches:\n    model.evaluate(x, y, verbose=0)\n"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for each in run.domain(OneBatches).all:
        place = run.place(each.call)
        if place is None or place in seen:
            continue
        seen.add(place)
        rows = "" if each.size is None else " of one row" if each.size == 1 else f" of {each.size} rows"
        message = f"`{callee(run, each.call)}` scores one batch{rows}"
        finding = facts.finding_at(
            run.span(place), message, "its score says little of the other batches", "give all batches to it"
        )
        yield if_of_model(facts, each.call, finding, RULE.levels)
