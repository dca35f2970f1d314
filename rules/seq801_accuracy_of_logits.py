"""An accuracy counts logits above 0.5, where 0 is the border.

## Why
With `from_logits=True` the model gives logits: 0 is as likely as not. "accuracy" and `BinaryAccuracy` compare with 0.5 all the same, as if it were a
probability; rows between 0 and 0.5 are counted as the other class. Only the number that is shown is wrong, and all that is decided by it.

## Measured
With logits of 0.2 for each row of the class, and of -0.2 for the other rows:

- Keras 3 and Keras 2: "accuracy" and `BinaryAccuracy()` are 0.5, and `BinaryAccuracy(threshold=0.0)` is 1.0.
- Keras 3 and Keras 2: `Recall()` is 0.0, as `Precision()` is; both compare with 0.5, too.
- Keras 3.0 to 3.9: up to 3.4 `BinaryAccuracy` refuses the threshold 0.0.

## Do this
Say `BinaryAccuracy(threshold=0.0)`, or end the model in `sigmoid` and leave `from_logits=True` out; that is right for every metric.

## Silent when
The loss is for several classes, where the highest number counts; a threshold is given; the end of the model is not known.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    AccuraciesOf,
    Contract,
    CountedBy,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    any_of,
    matching,
    metric_place,
    threshold_zero,
)

_START = """
import keras
import numpy as np

rows = np.array([[-3.0], [-1.0], [1.0], [3.0]], "float32")
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer=keras.initializers.Constant(0.2))])
model.compile("sgd", keras.losses.BinaryCrossentropy(from_logits={logits}), metrics=[{metric}])
model.fit(rows, rows > 0, verbose=0)
"""


def _program(metric: str, logits: str = "True") -> str:
    return _START.replace("{metric}", metric).replace("{logits}", logits)


RULE = Rule(
    code="SEQ801",
    name="accuracy-of-logits",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"history"}), holds=frozenset({"losses stay"})),
    needs=(
        any_of("compile"),
        any_of("from_logits", "BinaryCrossentropy", "BinaryFocalCrossentropy"),
        matching(r"(?i)acc|precision|recall"),
    ),
    examples=(
        Example(
            _program('"accuracy"'),
            _program('keras.metrics.BinaryAccuracy(name="accuracy", threshold=0.0)'),
            keras=">=3.10",
        ),
        Example(
            _program('keras.metrics.BinaryAccuracy(name="acc")'),
            _program('keras.metrics.BinaryAccuracy(name="acc", threshold=0.0)'),
            keras=">=3.10",
        ),
        Example(_program("keras.metrics.Recall()")),
        Example.ok(_program("keras.metrics.BinaryAccuracy(threshold=0.0)"), keras=">=3.10"),
        Example.ok(_program('"accuracy"').replace("Dense(1,", 'Dense(1, "sigmoid",').replace("from_logits=True", "")),
    ),
)

_NOTE = "rows whose logit is between 0 and 0.5 count as the other class"
_HELP = "end the model in `sigmoid`, and leave `from_logits=True` out"
_REASON = "`{}` takes no threshold below 0, or is not written where it can be given one"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for counted in run.domain(AccuraciesOf).logits:
        place = metric_place(run, counted.compiled, counted.metric)
        if place is None or place in seen:
            continue
        seen.add(place)
        name = _shown(counted)
        finding = facts.finding_at(run.span(place), f"`{name}` compares logits with 0.5", _NOTE)
        edits = threshold_zero(facts, place, name) if "accuracy" in counted.metric.name or name == "acc" else ()
        if edits and run.is_own(counted.compiled.call.node):
            yield finding.fixed_by("Count logits above 0", *edits, lines=("2", "3.10+"))
        else:
            yield but(finding, help=_HELP, no_fix=_REASON.format(name))


def _shown(counted: CountedBy) -> str:
    metric = counted.metric
    return metric.made.method if metric.made is not None else metric.name
