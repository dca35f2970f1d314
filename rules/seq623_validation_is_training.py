"""A model is validated on rows that it is trained on.

## Why
Validation tells how a model does on rows that it has not seen. Where these rows are trained on, too, it tells how well they are remembered. The
score rises although the model learns nothing of use, and early stopping waits for a rise that comes too late or never. The same holds for a test that
is cut as `x[:-n]` where `x[-n:]` was meant: it begins with the training rows.

## Measured
- Keras 3 and Keras 2: 60 rows with labels by chance: `val_accuracy` is 1.0 where `validation_data` are the training rows, and about 0.5 on rows of
  their own.
- Keras 3 and Keras 2: the same where the last 20 of the 60 rows are validated on, and not taken out of what is trained on.
- Keras 3 and Keras 2: `validation_split` takes its rows out of the training by itself: 0 of 12 are in both.

## Do this
Train on the rows that are left: `fit(x[:n], y[:n], validation_data=(x[n:], y[n:]))`, or leave it to `validation_split`.

## Silent when
The parts share no row, or nobody knows; rows are made up, and nothing looks at the scores; a test, or a comment or a name nearby, says that the
model shall overfit.
"""

from collections.abc import Iterator

from seqlint.api import (
    Counted,
    Example,
    Facts,
    Fed,
    Feds,
    Finding,
    Levels,
    Rule,
    a_call_of_model,
    any_of,
    here_or_imported,
)

_START = """
import keras
import numpy as np

draws = np.random.default_rng(3)
rows, marks = draws.normal(size=(40, 3)).astype("float32"), draws.integers(0, 2, 40)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, "sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy")
stop = keras.callbacks.EarlyStopping(monitor="val_loss")
"""

RULE = Rule(
    code="SEQ623",
    name="validation-is-training",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(here_or_imported(a_call_of_model, any_of("validation_data", "evaluate", "predict")),),
    examples=(
        Example(_START + "model.fit(rows, marks, validation_data=(rows, marks), callbacks=[stop], verbose=0)\n"),
        Example(
            _START
            + """held = rows[30:], marks[30:]
model.fit(rows, marks, validation_data=held, callbacks=[stop], verbose=0)
"""
        ),
        Example.ok(
            _START
            + """held = rows[30:], marks[30:]
model.fit(rows[:30], marks[:30], validation_data=held, callbacks=[stop], verbose=0)
"""
        ),
        Example.ok(_START + "model.fit(rows, marks, validation_split=0.25, callbacks=[stop], verbose=0)\n"),
    ),
)


_WHAT = {
    "same": "the model is validated on the rows that it is trained on",
    "part": "the model is validated on a part of the rows that it is trained on",
    "whole": "the model is validated on rows among which are those that it is trained on",
    "overlap": "the model is validated on rows of which some are trained on, too",
}
_NOTE = "with labels by chance `val_accuracy` is 1.0, where rows of their own give about 0.5"
_HELP = {
    "same": "validate on rows that are left out of the training, or pass `validation_split`",
    "part": "train on the rows that are left",
    "whole": "take the training rows out of `validation_data`",
    "overlap": "cut both parts at one place",
}


def check(facts: Facts) -> Iterator[Finding]:
    feds, seen = facts.run.domain(Feds), set()
    for fed in feds.all:
        shared = fed.relation
        if shared in ("disjoint", "unknown") or _is_wanted(feds, fed):
            continue
        where = feds.place(fed, "validation_data", fed.train, fed.validation)
        if where is None or where in seen:
            continue
        seen.add(where)
        yield facts.finding_at(facts.run.span(where), _WHAT[shared], _NOTE, _HELP[shared])
    yield from _scored(facts)


def _scored(facts: Facts) -> Iterator[Finding]:
    """Parts that are called a test, and cut so that they share rows with the training: `x[:n]` and `x[:-n]`."""
    feds, counted, seen = facts.run.domain(Feds), facts.run.domain(Counted), set()
    for reader in counted.shared_tests:
        place = facts.run.place(reader.call)
        if place is None or place in seen or feds.is_a_try(reader.call):
            continue
        seen.add(place)
        message = f"`{reader.call.result.method}` scores rows of which some are trained on"
        yield facts.finding_at(facts.run.step_span(place), message, _NOTE, _HELP["overlap"])


def _is_wanted(feds: Feds, fed: Fed) -> bool:
    """Whether that is done on purpose, or harms nobody: rows that are made up, with scores that nothing looks at."""
    made_up = fed.train is not None and fed.train.made_up
    return feds.is_a_try(fed.call) or (made_up and fed.relation == "same" and not feds.cares)
