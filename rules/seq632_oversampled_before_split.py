"""Rows are multiplied, and split after it.

## Why
Oversampling copies rows of a rare class, or puts new ones between them, as SMOTE does. Split after it, copies of one row lie on both sides: the model
has seen most of the rare rows that it is scored on. The score is too good, mostly for the very class that all this is for, and early stopping waits
for it. The held-out rows have another share of classes than real ones, too.

## Measured
- On every Keras, since the rows are dealt before it sees them: of 10 rare rows among 100, copied to 90 and split at random with `test_size=0.2`, all
  held-out rare rows have a copy among those that are trained on.

## Do this
Split first, and multiply the training rows alone: `x_train, y_train = SMOTE().fit_resample(x_train, y_train)`. Or leave the rows as they are, and give
`class_weight` to `fit`.

## Silent when
Rows are left out (`RandomUnderSampler`); the split comes first; no model of Keras trains on a side of it.
"""

from collections.abc import Iterator

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Levels,
    MultipliedRows,
    Rule,
    any_of,
    callee,
    here_or_imported,
    if_of_model,
)

_START = """
import keras
import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.utils import resample

rows = np.random.default_rng(1).normal(size=(40, 3)).astype("float32")
kinds = (np.arange(40) % 8 == 0).astype("float32")
"""
_FIT = """
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, "sigmoid")])
model.compile("sgd", "binary_crossentropy")
model.fit(x, y, validation_data=(held, marks), epochs=2, verbose=0)
"""
_MANY = """rare = resample({rows}[{kinds} == 1], n_samples=30, random_state=1)
{rows} = np.concatenate([{rows}[{kinds} == 0], rare])
{kinds} = np.concatenate([{kinds}[{kinds} == 0], np.ones(30, "float32")])
"""
_SPLIT = "x, held, y, marks = train_test_split(rows, kinds, test_size=0.2, random_state=2)\n"

RULE = Rule(
    code="SEQ632",
    name="oversampled-before-split",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(
        here_or_imported(any_of("train_test_split")),
        here_or_imported(any_of("fit_resample", "fit_sample", "resample")),
        any_of("fit", "fit_generator"),
    ),
    examples=(
        Example(_START + _MANY.format(rows="rows", kinds="kinds") + _SPLIT + _FIT),
        Example.ok(_START + _SPLIT + _MANY.format(rows="x", kinds="y") + _FIT),
        Example.ok(_START + _SPLIT + _FIT),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for each in run.domain(MultipliedRows).all:
        call = run.call_of.get(each.made)
        place = run.place(call) if call is not None else None
        if call is None or place is None or place in seen:
            continue
        seen.add(place)
        message = f"`{callee(run, call)}` multiplies rows that are split after it"
        note = "copies of one row are trained on and held out"
        finding = facts.finding_at(run.span(place), message, note, "split first, and multiply the training rows alone")
        yield if_of_model(facts, each.fit, finding, RULE.levels)
