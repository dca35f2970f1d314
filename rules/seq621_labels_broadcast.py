"""Labels have another number of columns than the output of the model.

## Why
Losses such as "mse" subtract the labels from the output. Where one of the two has a single column, TensorFlow repeats it for each column of the
other one, so that the loss is a number, and the training runs. It pulls the one output towards the mean of all columns.

## Measured
- Keras 3 and Keras 2: two columns of labels and one output, or one column and two outputs, train under "mse", "mae" and "huber" without a word.
- Keras 3 and Keras 2: three columns and two outputs raise ValueError at the start of `fit`.
- Keras 3 and Keras 2: labels of shape (4,) minus outputs of shape (4, 1) are 16 numbers. A model that is right has a mean square of 2.5, not of 0.0.
- Keras 2: `keras.losses.mean_squared_error(labels, outputs)`, called by the program, does the same; as `loss` of `compile` it does not.
- Keras 3: `keras.losses.mean_squared_error(labels, outputs)` gives 0.0.
- Keras 3: under `binary_crossentropy` each other number of columns raises ValueError.
- Keras 2: after `sigmoid`, under `binary_crossentropy`, each other number of columns raises ValueError.

## Do this
Give the last layer as many units as the labels have columns, or train on the column that is meant. In a calculation of your own give both one shape:
`outputs[:, 0]`, or `labels[:, None]`.

## Silent when
The number of columns is not known; the model gives more than a table; the columns of the output are added up by a loss of your own.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Broadcasts,
    Example,
    Facts,
    Finding,
    Levels,
    Mismatch,
    Mismatches,
    Rule,
    Sometimes,
    any_of,
    labels_place,
)

_START = """
import keras
import numpy as np

rows = np.linspace(-1, 1, 24, dtype="float32").reshape(12, 2)
levels = np.ones((12, {width}), "float32")
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense({units})])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, levels, epochs=2, verbose=0)
"""


def _program(width: int, units: int) -> str:
    return _START.replace("{width}", str(width)).replace("{units}", str(units))


RULE = Rule(
    code="SEQ621",
    name="labels-broadcast",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    sometimes=Sometimes.everywhere("error"),
    needs=(any_of("fit", "evaluate", "fit_generator", "train_on_batch", "predict", "GradientTape"),),
    examples=(
        Example(_program(2, 1)),
        Example(_program(1, 3)),
        Example(_program(3, 2)),
        Example(_program(1, 1) + "error = np.mean((levels[:, 0] - model.predict(rows, verbose=0)) ** 2)\n"),
        Example.ok(_program(2, 2)),
        Example.ok(_program(1, 1)),
    ),
)

_NOTES = {
    "broadcast": "it trains without a word: the single column is repeated for each column of the other",
    "refused": "it raises ValueError before a batch is trained",
}

_DIFFERENCE = "labels of shape (n,) and outputs of shape (n, 1) give n times n differences"
_SQUARE = "each label is subtracted from each output"
_ON_KERAS_2 = Levels(keras2="warning", early=None, keras3=None)


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for mismatch in run.domain(Mismatches).all:
        place = labels_place(run, mismatch.use) if mismatch.fault in _NOTES else None
        if place is None or place in seen:
            continue
        seen.add(place)
        finding = facts.finding_at(run.span(place), _message(mismatch), _NOTES[mismatch.fault], _help(mismatch))
        yield but(finding, levels=Levels.everywhere("error")) if mismatch.fault == "refused" else finding
    for broadcast in run.domain(Broadcasts).all:
        node = broadcast.result.node
        if node is None or node in seen or not run.is_here(run.call_of[broadcast.output].context):
            continue
        seen.add(node)
        finding = facts.finding_at(run.span(node), _DIFFERENCE, _SQUARE, "take `[:, 0]` of the outputs")
        yield but(finding, levels=_ON_KERAS_2) if broadcast.by_loss else finding


def _numbers(mismatch: Mismatch) -> tuple[int, int]:
    """The columns of the labels, and those of the output."""
    head = mismatch.compiled.head
    units = head.units if head is not None else None
    return (1 if mismatch.target.rank == 1 else mismatch.target.width or 0), units or 0


def _message(mismatch: Mismatch) -> str:
    width, units = _numbers(mismatch)
    columns, outputs = ("column" if width == 1 else "columns"), ("output" if units == 1 else "outputs")
    return f"`{mismatch.use.result.method}` gets labels of {width} {columns} for {units} {outputs}"


def _help(mismatch: Mismatch) -> str:
    width, units = _numbers(mismatch)
    rest = "" if width == 1 else f", or train on {units} of the columns"
    return f"give the last layer {width} {'unit' if width == 1 else 'units'}{rest}"
