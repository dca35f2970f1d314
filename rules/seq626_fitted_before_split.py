"""A scaler, vectoriser or mean is learned from rows that are held out later.

## Why
A held-out row plays the part of one that nobody has seen. Where the scale was learned from it, too, it has told the model something: how far the largest values
reach, which words there are. Scores of validation and test are too good, by little for many rows, by much for few or for rows that change with time.

## Measured
- Keras 3 and Keras 2: `Normalization.adapt` on 20 rows around 10 and 20 held-out rows around 60 learns the mean 35 in place of 10.
- Keras 3 and Keras 2: what `adapt` has learned stays as it is in `fit`, whatever `validation_split` leaves out.

## Do this
Split first. Then `fit_transform` or `adapt` the training rows alone, and `transform` the others by what was learned.

Where only words are learned, or where `validation_split` holds rows out, the model is told little. That is advice, and is reported where
`select` or `extend-select` names this rule.

## Silent when
What is learned comes from the training rows; nothing is held out of them; labels are encoded (`LabelEncoder`, `to_categorical`), which all classes
are needed for.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Learned,
    LearnedEarly,
    Levels,
    Rule,
    Sometimes,
    a_call_of_model,
    callee,
    here_or_imported,
)

_START = """
import keras
import numpy as np

rows = np.arange(120, dtype="float32").reshape(40, 3)
scale = keras.layers.Normalization()
model = keras.Sequential([keras.Input((3,)), scale, keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
train, held = rows[:30], rows[30:]
"""
_FIT = "model.fit(train, train[:, :1], validation_data=(held, held[:, :1]), verbose=0)\n"

RULE = Rule(
    code="SEQ626",
    name="fitted-before-split",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    sometimes=Sometimes.everywhere("advice"),
    needs=(here_or_imported(a_call_of_model),),
    examples=(
        Example(_START + "scale.adapt(rows)\n" + _FIT),
        Example.where_unknown(
            _START + "scale.adapt(rows)\nmodel.fit(rows, rows[:, :1], validation_split=0.25, verbose=0)\n"
        ),
        Example.ok(_START + "scale.adapt(train)\n" + _FIT),
        Example.ok(_START + "scale.adapt(rows)\nmodel.fit(rows, rows[:, :1], verbose=0)\n"),
    ),
)


_NOTES = {
    "numbers": "20 held-out rows around 60 move the mean of 20 training rows from 10 to 35",
    "vocabulary": "words of rows that are held out are known, as those of new rows are not",
}
_HELD = {"validation": "validation holds out", "evaluate": "`evaluate` scores", "predict": "`predict` gets as new ones"}
_HELP = "split first, and learn from the training rows alone"


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for each in facts.run.domain(LearnedEarly).all():
        call = facts.run.call_of.get(each.made)
        node = facts.run.place(call) if call is not None else None
        if node is None or node in seen:
            continue
        seen.add(node)
        finding = facts.finding_at(facts.run.step_span(node), _message(facts, each), _NOTES[each.what], _HELP)
        tells_less = each.what == "vocabulary" or each.split
        yield replace(finding, levels=Levels.everywhere("advice"), default=False) if tells_less else finding


def _message(facts: Facts, each: Learned) -> str:
    held = "`validation_split` holds out" if each.split else _HELD[each.held_by]
    call = facts.run.call_of.get(each.made)
    name = callee(facts.run, call) if call is not None else each.made.method
    return f"`{name}` learns from rows that {held}"
