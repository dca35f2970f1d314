"""`validation_split` takes the last rows of data that come class by class.

## Why
`validation_split` cuts off the last rows as they are given, and only then `fit` shuffles the rest. Where the rows come class by class the model is
validated on the last classes alone, which it may never have been trained on.

## Measured
- Keras 3 and Keras 2: of 300 rows of three classes, one after the other, `validation_split=0.2` leaves out 60 of the last class alone.
- Keras 3 and Keras 2: with a third of them left out no row of the last class is trained on: `val_accuracy` is 0.0; with the rows in a random order
  it is above 0.9.

## Do this
Bring the rows into a random order first, inputs and labels by one permutation: `order = np.random.permutation(len(x))`. Or split them with
`train_test_split(x, y, stratify=y)`, and pass `validation_data`.

## Silent when
Something in the file shuffles, samples or splits arrays; nobody knows the order of the labels.
"""

from collections.abc import Iterator

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Levels,
    OrderedFits,
    Rule,
    a_call_of_model,
    any_of,
    argument_place,
    here_or_imported,
)

_START = """
import keras
import numpy as np

dark, bright = np.zeros((20, 3), "float32"), np.ones((20, 3), "float32")
rows = np.concatenate([dark, bright])
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, "sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy")
"""

RULE = Rule(
    code="SEQ616",
    name="split-of-ordered-data",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(here_or_imported(a_call_of_model, any_of("validation_split")),),
    examples=(
        Example(
            _START
            + """marks = np.array([0] * 20 + [1] * 20)
model.fit(rows, marks, validation_split=0.2, epochs=2, verbose=0)
"""
        ),
        Example(
            _START
            + """marks = np.concatenate([np.zeros(20), np.ones(20)])
model.fit(rows, marks, validation_split=0.2, epochs=2, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """marks = np.array([0] * 20 + [1] * 20)
order = np.random.permutation(40)
model.fit(rows[order], marks[order], validation_split=0.2, epochs=2, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """marks = np.array([0, 1] * 20)
model.fit(rows, marks, validation_split=0.2, epochs=2, verbose=0)
"""
        ),
    ),
    sources=("keras-team/keras#4298", "keras-team/keras#8346"),
)


_MESSAGE = "`validation_split` takes the last rows, and the labels come class by class"
_NOTE = "the model is validated on the last classes alone; `fit` shuffles only what is left"
_HELP = "bring inputs and labels into one random order first"


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for call in facts.run.domain(OrderedFits).splits():
        where = argument_place(facts.run, call, "validation_split")
        if where is not None and where not in seen:
            seen.add(where)
            yield facts.finding_at(facts.run.span(where), _MESSAGE, _NOTE, _HELP)
