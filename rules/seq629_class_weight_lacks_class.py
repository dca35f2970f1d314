"""`class_weight` leaves out a class that the model has.

## Why
Keras looks up the weight of each row by the number of its class. Mostly the classes are counted from 1 in the dict and from 0 in the labels, or a class was
added later. Then the weights of all classes are others than the ones that were meant.

## Measured
- Keras 3: a class that is left out has the weight 1, without a word.
- Keras 2: ValueError at the start of `fit`; where the last classes are left out, InvalidArgumentError at the first batch that has one.
- Keras 3 and Keras 2: a class that the labels don't have is passed over without a word.

## Do this
Name each class, from 0 on. Whoever wants 1 for a class can write it.

## Silent when
The dict is made by code that is not followed; the number of classes is not known from the last layer.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    ClassWeights,
    Example,
    Facts,
    Finding,
    Lacking,
    Levels,
    Note,
    Rule,
    Sometimes,
    any_of,
    argument_place,
)

_START = """
import keras
import numpy as np

rows = np.linspace(-1, 1, 24, dtype="float32").reshape(12, 2)
kinds = np.arange(12) % 3
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="sgd", loss="sparse_categorical_crossentropy")
model.fit(rows, kinds, class_weight={weights}, epochs=2, shuffle=False, verbose=0)
"""


def _program(weights: str) -> str:
    return _START.replace("{weights}", weights)


RULE = Rule(
    code="SEQ629",
    name="class-weight-lacks-class",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes(early=("warning",), keras3=("warning",)),
    needs=(any_of("fit"), any_of("class_weight")),
    examples=(
        Example(_program("{1: 1.0, 2: 2.0, 3: 1.5}")),
        Example(_program("{2: 4.0}")),
        Example.ok(_program("{0: 1.0, 1: 2.0, 2: 1.5}")),
        Example.ok(_program("{number: 1.5 for number in np.unique(kinds)}")),
    ),
)

_NOTE = Note.on_keras_3(
    "its rows have the weight 1, without a word",
    "`fit` raises ValueError, or InvalidArgumentError at the first row of a last class",
)
_ONE = Levels(keras2="error", early="warning", keras3="warning")


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for lacking in run.domain(ClassWeights).lacking:
        place = argument_place(run, lacking.call, "class_weight")
        if place is None or place in seen:
            continue
        seen.add(place)
        finding = facts.finding_at(run.span(place), _message(lacking), _NOTE, _help(lacking))
        yield but(finding, levels=_ONE) if lacking.only_one else finding


def _message(lacking: Lacking) -> str:
    numbers = [str(number) for number in lacking.missing]
    if len(numbers) > 2:
        return f"`class_weight` leaves out {len(numbers)} of the {lacking.count} classes"
    word = "class" if len(numbers) == 1 else "classes"
    return f"`class_weight` leaves out {word} {' and '.join(numbers)}"


def _help(lacking: Lacking) -> str:
    return f"give a weight to each class from 0 to {lacking.count - 1}"
