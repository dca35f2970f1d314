"""The loss does not take the form that the labels have.

## Why
`categorical_crossentropy` wants a row with one place for each class, as `to_categorical` makes it; `sparse_categorical_crossentropy` wants the
number of the class. The names are alike, and programs that are put together from two others have often one of each.

## Measured
- Keras 3: rows of `to_categorical` under a sparse loss raise ValueError at the start of `fit`.
- Keras 2: rows of `to_categorical` under a sparse loss raise InvalidArgumentError at the first batch.
- Keras 3 and Keras 2: numbers of classes, one for each row, raise ValueError under `categorical_crossentropy`.

## Do this
Use the loss that fits the labels, or leave `to_categorical` out. Metrics that are named after a loss must fit, too; "accuracy" fits both.

## Silent when
The labels come from code that is not seen; a loader makes them from folders (SEQ420); the last layer does not go with the loss (SEQ802).
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Mismatch,
    Mismatches,
    Note,
    Rule,
    any_of,
    compile_place,
    labels_place,
    other_loss,
)

_START = """
import keras
import numpy as np

rows = np.linspace(-1, 1, 24, dtype="float32").reshape(12, 2)
kinds = {kinds}
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3, activation="softmax")])
model.compile(optimizer="sgd", loss="{loss}")
model.fit(rows, kinds, epochs=2, shuffle=False, verbose=0)
"""


def _program(kinds: str, loss: str) -> str:
    return _START.replace("{kinds}", kinds).replace("{loss}", loss)


_ROWS = "keras.utils.to_categorical([0, 1, 2] * 4, 3)"
_NUMBERS = "np.random.default_rng(0).integers(0, 3, size=12)"

RULE = Rule(
    code="SEQ803",
    name="labels-unlike-loss",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors", "settings"}), holds=frozenset({"only losses asked"})),
    needs=(any_of("fit", "fit_generator", "evaluate", "train_on_batch"),),
    examples=(
        Example(
            _program(_ROWS, "sparse_categorical_crossentropy"),
            _program(_ROWS, "categorical_crossentropy"),
        ),
        Example(
            _program(_NUMBERS, "categorical_crossentropy"),
            _program(_NUMBERS, "sparse_categorical_crossentropy"),
        ),
        Example.ok(_program(_ROWS, "categorical_crossentropy")),
        Example.ok(_program(_NUMBERS, "sparse_categorical_crossentropy")),
    ),
    sources=("keras-team/keras#14341",),
)

_WHAT = {"one-hot": "a row with places for all classes", "numbers": "one number for each row"}
_NOTES = {
    "one-hot": Note.on_keras_3("ValueError at the start of `fit`", "InvalidArgumentError at the first batch"),
    "numbers": Note("ValueError at the start of `fit`"),
}


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for mismatch in run.domain(Mismatches).all:
        place = compile_place(run, mismatch.compiled, "loss") or labels_place(run, mismatch.use)
        if mismatch.fault not in _WHAT or place is None or place in seen:
            continue
        seen.add(place)
        loss = mismatch.compiled.loss
        name = loss.name if loss is not None else ""
        message = f"`{name}` does not take such labels: {_WHAT[mismatch.fault]}"
        finding = facts.finding_at(run.span(place), message, _NOTES[mismatch.fault])
        edits = other_loss(facts, mismatch.compiled) if mismatch.is_for_all_uses else ()
        if edits:
            yield finding.fixed_by(f"Use `{_other(name)}`", *edits)
        else:
            yield but(finding, help=_help(mismatch, name), no_fix="the loss or a metric is more than a name")


def _other(name: str) -> str:
    return name.removeprefix("sparse_") if name.startswith("sparse_") else f"sparse_{name}"


def _help(mismatch: Mismatch, name: str) -> str:
    labels = "leave `to_categorical` out" if mismatch.fault == "one-hot" else "make rows with `to_categorical`"
    return f"use `{_other(name)}`, or {labels}" if "focal" not in name else labels
