"""One ModelCheckpoint or EarlyStopping serves several models.

## Why
A callback keeps the best value that it has seen. In a loop over folds the second model is compared with the first: where it is worse, nothing is
saved, and what is loaded for its score are the weights of the first.

## Measured
- On every Keras a ModelCheckpoint with `save_best_only=True` never begins anew: of 3 folds, each worse than the one before, all load the weights of the
  first.
- Keras 3.0 to 3.9: an EarlyStopping keeps the best value, too: 3 folds with `patience=2` run 10, 2 and 2 epochs.
- Keras 3.10 and later: an EarlyStopping begins anew: the same folds run 10, 10 and 10 epochs.
- Keras 2: an EarlyStopping begins anew: the same folds run 10, 10 and 10 epochs.

## Do this
Make the callback inside of the loop, right before its `fit`, with a path of its own.

## Silent when
One model is trained in several stages; its best value is set by hand.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Example, Facts, Finding, Levels, Note, Rule, Trainings, any_of

_START = """
import keras
import numpy as np

rows = np.arange(24, dtype="float32").reshape(24, 1) / 24


def build():
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    return model


"""
_KEEP = 'keep = keras.callbacks.ModelCheckpoint("best.keras", monitor="loss", save_best_only=True)\n'
_LOOP = "for fold in range(2):\n    model = build()\n"
_FIT = "    model.fit(rows[fold::2], rows[fold::2], verbose=0, callbacks=[keep])\n"

RULE = Rule(
    code="SEQ511",
    name="callback-reused",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("fit", "fit_generator"), any_of("ModelCheckpoint", "EarlyStopping")),
    examples=(
        Example(_START + _KEEP + _LOOP + _FIT),
        Example(_START + _KEEP + _LOOP.replace("2", "30") + _FIT),
        Example.ok(_START + _LOOP + "    " + _KEEP + _FIT),
        Example.ok(_START + _KEEP.replace(", save_best_only=True", "") + _LOOP + _FIT),
    ),
    sources=("keras-team/keras#20521",),
)

_NOTE = "a later model that is worse than the first is not saved"


def check(facts: Facts) -> Iterator[Finding]:
    for reused in facts.run.domain(Trainings).reused:
        message = f"one `{reused.name}` serves several models, and keeps the best value of the first"
        help_ = "make a new one for each `fit`"
        saves = reused.name == "ModelCheckpoint"
        note = Note(_NOTE) if saves else Note(early="later models stop early")
        finding = facts.finding_at(facts.run.span(reused.made.node), message, note, help_)
        yield finding if saves else but(finding, levels=Levels(None, "warning", None))
