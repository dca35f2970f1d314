"""A training stops or saves by the scores of the rows that are its test.

## Why
`EarlyStopping`, `ModelCheckpoint(save_best_only=True)` and `ReduceLROnPlateau` choose by `val_` scores. The best of many epochs is best by chance, too:
on the rows that it was chosen by it looks better than on any others. A test is a set that nothing was chosen by.

## Measured
- Keras 3 and Keras 2: labels by chance, other rows in each epoch: over 20 test sets of 20 rows the best of 40 epochs is right for more than 0.6,
  and the last epoch for about 0.5.

## Do this
Hold out a third part, and pass that as `validation_data`; or leave `validation_split` to `fit`. Score the test rows once, at the end.

## Silent when
No callback decides by the scores; other rows are scored after the training; nothing is called a test.
"""

from collections.abc import Iterator

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Levels,
    ReportedTests,
    Rule,
    a_call_of_model,
    any_of,
    argument_place,
)

_START = """
import keras
import numpy as np

rows, marks = np.load("rows.npy"), np.load("marks.npy")
x_test, y_test = np.load("test_rows.npy"), np.load("test_marks.npy")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, "sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy")
stop = keras.callbacks.EarlyStopping(patience=2, restore_best_weights=True)
"""
_FIT = "model.fit(rows, marks, epochs=9, validation_data=(x_test, y_test), callbacks=[stop])\n"

RULE = Rule(
    code="SEQ624",
    name="test-as-validation",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(a_call_of_model, any_of("validation_data"), any_of("EarlyStopping", "ModelCheckpoint", "ReduceLROnPlateau")),
    examples=(
        Example(_START + _FIT + "print(model.evaluate(x_test, y_test))\n"),
        Example.ok(_START + _FIT.replace(", callbacks=[stop]", "") + "print(model.evaluate(x_test, y_test))\n"),
        Example.ok(
            _START
            + _FIT.replace("validation_data=(x_test, y_test)", "validation_split=0.2")
            + "print(model.evaluate(x_test, y_test))\n"
        ),
    ),
)


_NOTE = "with labels by chance the best of 40 epochs scores more than 0.6 on these rows, any other about 0.5"
_HELP = "choose by a third part, and score the test rows once"


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for each in facts.run.domain(ReportedTests).all():
        where = argument_place(facts.run, each.fed.call, "validation_data")
        if where is not None and where not in seen:
            seen.add(where)
            does = "sets the learning rate" if each.decider == "ReduceLROnPlateau" else "chooses"
            tests = "scores as the test" if each.reader.role == "evaluate" else "gets as the test"
            message = f"`{each.decider}` {does} by the rows that `{each.reader.call.result.method}` {tests}"
            yield facts.finding_at(facts.run.span(where), message, _NOTE, _HELP)
