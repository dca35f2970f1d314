"""`fit` can't use this `class_weight`.

## Why
`class_weight` is a dict from the number of a class to its weight. `compute_class_weight` of scikit-learn gives an array, and its "balanced" is a word
that only scikit-learn knows. Keras makes sample weights of the dict, so there can be no others, and only for one output.

## Measured
- Keras 3 and Keras 2: a list raises AttributeError at the start of `fit`, as "balanced" does; an array of NumPy raises AttributeError or ValueError.
- Keras 3: a dict with texts as keys is taken, and each row has the weight 1. A Python generator as data raises ValueError.
- Keras 2: a dict with texts as keys raises ValueError. A Python generator as data is taken.
- Keras 3 and Keras 2: `sample_weight` or batches with sample weights in addition, or several outputs, raise ValueError.

## Do this
Make a dict of the weights: `dict(enumerate(weights))`, where the weights are in the order of the classes. For a generator or several outputs give sample
weights as the third part of each batch.

## Silent when
The weights come from code that is not seen; the model is not known to be of Keras.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    ClassWeights,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Misused,
    Note,
    Rule,
    any_of,
    argument_place,
    wrapped,
)

_START = """
import keras
import numpy as np

rows = np.linspace(-1, 1, 24, dtype="float32").reshape(12, 2)
kinds = np.arange(12) % 3
weights = {weights}
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
model.fit(rows, kinds, class_weight={given}, epochs=2, shuffle=False, verbose=0)
"""


def _program(weights: str, given: str = "weights") -> str:
    return _START.replace("{weights}", weights).replace("{given}", given)


_ARRAY = "np.array([1.0, 2.0, 1.0])"

RULE = Rule(
    code="SEQ613",
    name="class-weight-misused",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(any_of("fit"), any_of("class_weight")),
    examples=(
        Example(_program(_ARRAY), _program(_ARRAY, "dict(enumerate(weights))")),
        Example(_program('"balanced"')),
        Example(_program("{0: 1.0, 1: 2.0, 2: 1.0}").replace("epochs=2", "sample_weight=np.ones(12)")),
        Example.ok(_program("{0: 1.0, 1: 2.0, 2: 1.0}")),
        Example.ok(_program(_ARRAY, "dict(enumerate(weights))")),
    ),
)

_MESSAGES = {
    "no dict": "`class_weight` must be a dict from the number of a class to its weight",
    "texts": "the keys of `class_weight` must be numbers of classes",
    "generator": "`fit` takes no `class_weight` for a Python generator",
    "weights too": "`fit` gets `class_weight` and `sample_weight`",
    "batch weights": "`fit` gets `class_weight`, and its batches have sample weights",
    "several outputs": "`fit` takes no `class_weight` for several outputs",
}
_NOTES = {
    "no dict": Note.on_keras_3(
        "`fit` raises AttributeError", "`fit` raises AttributeError, or ValueError for an array"
    ),
    "texts": Note.on_keras_3("each row has the weight 1", "`fit` raises ValueError"),
    "generator": Note.on_keras_3("`fit` raises ValueError"),
    "weights too": Note("`fit` raises ValueError"),
    "batch weights": Note("`fit` raises ValueError"),
    "several outputs": Note("`fit` raises ValueError"),
}
_MULTIPLY = "multiply the sample weights by those of the classes, and leave `class_weight` out"
_HELPS = {
    "no dict": "give `{number: weight, ...}`, with each class in it",
    "texts": "use the numbers that the labels have",
    "generator": "give the weights as the third part of each batch",
    "weights too": _MULTIPLY,
    "batch weights": _MULTIPLY,
    "several outputs": "give sample weights as the third part of each batch",
}
_LEVELS = {
    "generator": Levels(keras2=None, early="error", keras3="error"),
}


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for misused in run.domain(ClassWeights).misused:
        place = argument_place(run, misused.call, "class_weight")
        if place is None or place in seen:
            continue
        seen.add(place)
        finding = facts.finding_at(run.span(place), _MESSAGES[misused.fault], _NOTES[misused.fault])
        finding = but(finding, levels=_LEVELS.get(misused.fault))
        written = run.written(misused.call, "class_weight")
        if _is_in_order(misused) and written is not None:
            yield finding.fixed_by("Make a dict of it", *wrapped(run, written, "dict(enumerate", ")"))
        else:
            yield but(finding, help=_HELPS[misused.fault], no_fix="it isn't plain which class each weight is for")


def _is_in_order(misused: Misused) -> bool:
    """Whether an array surely has the weights of the classes 0, 1, 2 and so on."""
    return misused.made is not None and misused.made.name.startswith("numpy.")
