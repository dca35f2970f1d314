"""Probabilities are cut to whole numbers, which makes nearly all of them 0.

## Why
The last layer has a sigmoid or a softmax, so each value lies between 0 and 1. An integer keeps only what comes before the point: 0.97 becomes 0. The
confusion matrix or accuracy that is computed from it then knows one class alone.

## Measured
- On every Keras `model.predict(rows).astype(int)` of a sigmoid that gives 0.95 to all rows is 0 for all of them, and 1 with `> 0.5`.

## Do this
Compare with a threshold, `(model.predict(rows) > 0.5).astype(int)`, or take the largest, `model.predict(rows).argmax(axis=-1)`.

## Silent when
The last layer is not known, or gives other numbers; the predictions are rounded, compared or multiplied before.
"""

from collections.abc import Iterator

from seqlint.api import CutProbabilities, Example, Facts, Finding, Levels, Rule, any_of, matching

_START = """
import keras
import numpy as np

rows = np.arange(16, dtype="float32").reshape(8, 2)
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile("sgd", "binary_crossentropy")
found = PREDICTION
print(found.shape)
"""

RULE = Rule(
    code="SEQ819",
    name="probabilities-cut",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("predict", "predict_on_batch", "predict_generator"), matching(r"int|uint8")),
    examples=(
        Example(_START.replace("PREDICTION", 'model.predict(rows, verbose=0).astype("int32")')),
        Example(_START.replace("PREDICTION", "np.array(model.predict(rows, verbose=0), dtype=int)")),
        Example.ok(_START.replace("PREDICTION", "(model.predict(rows, verbose=0) > 0.5).astype(int)")),
        Example.ok(_START.replace("PREDICTION", "np.round(model.predict(rows, verbose=0)).astype(int)")),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for cut in run.domain(CutProbabilities).all:
        place = run.place(cut.call)
        if place is None or place in seen:
            continue
        seen.add(place)
        message = f"the probabilities of a {cut.activation} are cut to whole numbers"
        help_ = "compare them with a threshold, or take `argmax`"
        yield facts.finding_at(run.step_span(place), message, "all below 1 become 0: 0.97 too", help_)
