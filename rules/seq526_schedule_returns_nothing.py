"""The function of a LearningRateScheduler gives no float in some epoch.

## Why
A chain of `if` without an `else` ends without a `return`: None. Keras takes no `1`, no `"0.1"` and no tensor either. Nothing fails before that epoch
begins, perhaps after hours.

## Measured
- On every Keras None, an int, a bool, a str and an array raise ValueError at the start of the epoch; np.float32 and np.float64 are accepted.
- Keras 3: a tensor raises ValueError, too, and so does a LearningRateSchedule as `schedule`: "The output of the `schedule` function should be a float".
- Keras 2: a tensor is accepted, and so is a LearningRateSchedule as `schedule`.

## Do this
End the function with a `return` of the last rate; write `float(...)` around what TensorFlow gives.

## Silent when
The training ends before that epoch, or what the function gives can't be worked out for one epoch.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import BadRate, Example, Facts, Finding, Levels, Rule, Schedules, any_of

_START = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def rate(epoch):
    if epoch < 2:
        return 0.1
    LAST


model.fit(rows, rows[:, :1], epochs=3, verbose=0, callbacks=[keras.callbacks.LearningRateScheduler(rate)])
"""

RULE = Rule(
    code="SEQ526",
    name="schedule-returns-nothing",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(any_of("LearningRateScheduler"),),
    examples=(
        Example(_START.replace("LAST", "if epoch < 1:\n        return 0.01")),
        Example(_START.replace("LAST", "return 1")),
        Example.ok(_START.replace("LAST", "return 0.01")),
        Example.ok(_START.replace("LAST", "if epoch < 9:\n        return 0.01")),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for rate in facts.run.domain(Schedules).bad:
        yield _finding(facts, rate)


def _finding(facts: Facts, rate: BadRate) -> Finding:
    name = f"`{rate.function}`" if rate.function else "the schedule"
    message = f"{name} gives {rate.what} in epoch {rate.epoch}"
    help_ = "return a rate at its end" if rate.what == "None" else "return a float"
    finding = facts.finding_at(facts.run.span(rate.node), message, "ValueError at the start of that epoch", help_)
    return but(finding, levels=Levels(None, "error", "error")) if rate.what == "a tensor" else finding
