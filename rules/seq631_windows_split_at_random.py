"""Windows of a series that overlap are split at random.

## Why
A window of 10 rows shares 9 of them with the next one. `train_test_split` deals the windows at random, so nearly each held-out window has neighbours
among those that are trained on. The model has seen its rows, and mostly its target, too. The score is that of a memory: it says nothing of rows to
come, and early stopping waits for it.

## Measured
- On every Keras, since the rows are dealt before it sees them: of 90 windows of 10 rows, split at random with `test_size=0.2`, all 18 held-out
  windows share rows with those that are trained on; with `shuffle=False` it is 9, those at the cut.

## Do this
Cut the series first and make windows of each part, or leave out the windows at the cut: `x[:n]` and `x[n + length:]`.

## Silent when
The windows don't overlap, or how far they are from each other is not known; `shuffle=False`; no model trains on a part.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Rule, WindowSplits, any_of, if_of_model

_START = """
import keras
import numpy as np
from sklearn.model_selection import train_test_split

tides = np.random.default_rng(1).normal(size=60).astype("float32")
windows, goals = [], []
for start in range({numbers}):
    windows.append(tides[start : start + 6])
    goals.append(tides[start + 6])
x, held, y, marks = train_test_split(np.array(windows), np.array(goals){options})
model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, validation_data=(held, marks), epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ631",
    name="windows-split-at-random",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("train_test_split"), any_of("append"), any_of("fit", "fit_generator")),
    examples=(
        Example(_START.format(numbers="54", options="")),
        Example(_START.format(numbers="0, 54, 2", options=", test_size=0.2, random_state=3")),
        Example.ok(_START.format(numbers="54", options=", shuffle=False")),
        Example.ok(_START.format(numbers="0, 54, 6", options="")),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for split in run.domain(WindowSplits).all:
        place = run.place(split.call)
        if place is None or place in seen:
            continue
        seen.add(place)
        note = "nearly each held-out window shares rows with windows that are trained on"
        help_ = "split the series first, and make windows of each part"
        finding = facts.finding_at(run.span(place), "windows that overlap are split at random", note, help_)
        yield if_of_model(facts, split.fit, finding, RULE.levels)
