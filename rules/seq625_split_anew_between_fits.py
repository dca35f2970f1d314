"""One model is fitted again on another split, and validated on rows that it knows.

## Why
`fit` goes on with the weights that are there. Where the rows are split anew for the next fit of the same model, most rows that are held out now were
trained on before. Each fold looks better than the one before it, and the mean of the folds says nothing.

## Measured
- Keras 3 and Keras 2: 3 folds over 60 rows with labels by chance, one model through all: `val_accuracy` is about 0.5 in the first fold, and 0.9 or
  more in the last one. With a new model for each fold it is about 0.5 in each.
- Keras 3 and Keras 2: `compile` leaves the weights as they are.

## Do this
Make the model in the loop, in a function that is called for each split; or keep `model.get_weights()` of the start, and set them before each fit. To go
on with one model split once, before the first fit, or with one `random_state`.

## Silent when
The split is the same each time; a new model is made, or weights are set or loaded; a function that is not seen gets the model; the folds go forward
in time (`TimeSeriesSplit`).
"""

from collections.abc import Iterator

from seqlint.api import (
    Anew,
    AnewSplits,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    a_call_of_model,
    callee,
    here_or_imported,
    matching,
)

_START = """
import keras
import numpy as np
from sklearn.model_selection import KFold, train_test_split

rows, marks = np.load("rows.npy"), np.load("marks.npy")


def made():
    net = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, "sigmoid")])
    net.compile(optimizer="sgd", loss="binary_crossentropy")
    return net


"""
_FOLDS = """model = made()
for train, held in KFold(3).split(rows):
    model.fit(rows[train], marks[train], validation_data=(rows[held], marks[held]), verbose=0)
"""
_SPLITS = """model = made()
for _ in range(3):
    x, held_x, y, held_y = train_test_split(rows, marks, test_size=0.2)
    model.fit(x, y, validation_data=(held_x, held_y), verbose=0)
"""

RULE = Rule(
    code="SEQ625",
    name="split-anew-between-fits",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(here_or_imported(a_call_of_model, matching(r"split\b|\bsample\b|[Ff]old")),),
    examples=(
        Example(_START + _FOLDS),
        Example(_START + _SPLITS),
        Example.ok(
            _START
            + _FOLDS.replace("model = made()\n", "").replace("    model.fit", "    model = made()\n    model.fit")
        ),
        Example.ok(_START + _SPLITS.replace("test_size=0.2", "test_size=0.2, random_state=1")),
    ),
)


_NOTE = "the first fold scores about 0.5 on labels by chance, the last one 0.9 or more; `compile` keeps the weights"
_HELP = "make the model for each split, or set its first weights again"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set()
    for each in run.domain(AnewSplits).all():
        call = each.later.call
        where = run.place(call)
        if where is None or where in seen:
            continue
        seen.add(where)
        yield facts.finding_at(run.step_span(where), _message(facts, each), _NOTE, _HELP)


def _message(facts: Facts, each: Anew) -> str:
    model = callee(facts.run, each.later.call).rpartition(".")[0] or "the model"
    rows = "fold" if each.folds else "split"
    return f"`{model}` has trained on rows of this {rows} in the {rows} before"
