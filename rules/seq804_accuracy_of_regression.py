"""An accuracy is asked for where the labels are measurements.

## Why
"accuracy" counts rows whose class is right. With a loss such as "mse" and labels such as prices nothing is a class: Keras then takes the output
for a probability and compares it with 0.5, or looks for the highest column. The number says nothing, and stays near 0.0 for a good model.

## Measured
- Keras 3 and Keras 2: a model that gives each label exactly has a loss of 0.0, and an accuracy of 0.0, where labels are measurements.

## Do this
Take a metric that measures how far off the output is, such as "mae"; or, if the labels are classes, a loss for classes.

## Silent when
The labels are known to be classes, or the output is bounded by `sigmoid` or `softmax`; a later `compile` takes the place of this one; `BinaryAccuracy`
or `CategoricalAccuracy` is asked for by its own name, and nothing shows that labels are measurements.
"""

from collections.abc import Iterator

from seqlint.api import AccuraciesOf, CountedBy, Example, Facts, Finding, Levels, Rule, any_of, matching, metric_place

_START = """
import keras
import numpy as np

rows = np.linspace(-1, 1, 24, dtype="float32").reshape(12, 2)
prices = {labels}
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse", metrics=[{metrics}])
model.fit(rows, prices, epochs=2, verbose=0)
"""
_REAL = "20 * np.random.default_rng(0).normal(size=12)"


def _program(metrics: str, labels: str = _REAL) -> str:
    return _START.replace("{metrics}", metrics).replace("{labels}", labels)


RULE = Rule(
    code="SEQ804",
    name="accuracy-of-regression",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("compile"), matching(r"['\"]acc(?:uracy)?['\"]|_accuracy|Accuracy")),
    examples=(
        Example(_program('"accuracy"')),
        Example(_program('"mae", "acc"')),
        Example.ok(_program('"mae"')),
        Example.ok(_program('"accuracy"', "np.random.default_rng(0).integers(0, 2, size=12)")),
    ),
)

_NOTE = "it {}, and says nothing of how far off the model is"
_HALF, _HIGHEST = "compares each number with 0.5", "compares the places of the highest numbers"
_HELP = 'take "mae", or leave it out'


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for counted in run.domain(AccuraciesOf).measurements:
        place = metric_place(run, counted.compiled, counted.metric)
        loss = counted.compiled.loss
        if place is None or place in seen or loss is None:
            continue
        seen.add(place)
        message = f"`{counted.metric.name}` counts classes, but `{loss.name}` measures numbers"
        yield facts.finding_at(run.span(place), message, _NOTE.format(_counts(counted)), _HELP)


def _counts(counted: CountedBy) -> str:
    """What a metric does with numbers: Keras takes an "accuracy" of several columns for one of one-hot labels."""
    head, name = counted.compiled.head, counted.metric.name
    if name == "binary_accuracy" or (head is not None and head.units == 1):
        return _HALF
    is_wide = head is not None and head.units is not None
    return _HIGHEST if is_wide or name == "categorical_accuracy" else "counts what is equal"
