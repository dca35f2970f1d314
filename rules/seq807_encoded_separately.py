"""Labels for training and for scoring are encoded separately.

## Why
`to_categorical` makes rows as long as the highest class of the labels that it gets. An encoder that is fitted again counts the classes of what it gets: a
class that a part does not have moves all classes after it, so that one number means two classes.

## Measured
With three classes, of which the labels for scoring have two:

- Keras 3 and Keras 2: where `to_categorical` gets no `num_classes`, and the highest class is missing, the validation raises ValueError.
- Keras 3 and Keras 2: with a second `LabelEncoder`, and the lowest class missing, a model that is right has an accuracy of 0.0 instead of 1.0.

## Do this
Give `num_classes` to each call. Fit an encoder on the labels of the training, and use `transform` for all others.

## Silent when
The labels are those of a data set that comes with a library, or of a split with `stratify`; they are encoded before they are split.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Edit,
    Example,
    Facts,
    Finding,
    LabelCodes,
    Levels,
    Rule,
    SeparateCodes,
    any_of,
    as_wide_as,
    matching,
)

_START = """
import keras
import numpy as np

rows = np.linspace(-1, 1, 24, dtype="float32").reshape(12, 2)
late_kinds = np.array([0, 1, 2, 1])
first, late = keras.utils.to_categorical([0, 1, 2] * 4{count}), keras.utils.to_categorical(late_kinds{count})
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="sgd", loss="categorical_crossentropy")
model.fit(rows, first, validation_data=(rows[:4], late), epochs=2, shuffle=False, verbose=0)
"""

RULE = Rule(
    code="SEQ807",
    name="encoded-separately",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(
        any_of("fit"),
        matching(r"to_categorical|Encoder|Binarizer|get_dummies"),
        any_of("validation_data", "evaluate"),
    ),
    examples=(
        Example(_START.replace("{count}", ""), _START.replace("{count}", ", num_classes=3")),
        Example.ok(_START.replace("{count}", ", num_classes=3")),
        Example.ok(_START.replace("{count}", "").replace("(late_kinds)", "(late_kinds, 3)")),
    ),
)

_MESSAGES = {
    "width": "`to_categorical` makes the labels for scoring as wide as their own highest class",
    "codes": "`{}` encodes the labels for scoring without those for training",
}
_NOTES = {
    "width": "a part without the highest class has fewer columns than the model has outputs, and scoring it raises ValueError",
    "codes": "a class that one part does not have moves the numbers of the others",
}
_HELPS = {
    "width": "give `num_classes` to each call",
    "codes": "fit one encoder on the labels for training, and use `transform` for the others",
}


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for codes in run.domain(LabelCodes).separate:
        call = run.call_of.get(codes.scored)
        place = run.place(call) if call is not None else None
        if place is None or place in seen:
            continue
        seen.add(place)
        message = _MESSAGES[codes.fault].format(codes.scored.method)
        finding = facts.finding_at(run.span(place), message, _NOTES[codes.fault])
        edits = _edits(facts, codes)
        if edits:
            yield finding.fixed_by("Give the number of classes", *edits)
        else:
            yield but(finding, help=_HELPS[codes.fault], no_fix="it isn't plain how many classes there are")


def _edits(facts: Facts, codes: SeparateCodes) -> tuple[Edit, ...]:
    head = codes.compiled.head
    if codes.fault != "width" or head is None or head.units == 1:
        return ()
    return as_wide_as(facts, head.units, codes.trained, codes.scored)
