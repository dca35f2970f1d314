"""A layer is given `batch_input_shape`, which Keras 3 does not take.

## Why
Keras 2 let the first layer of a Sequential say how large its batches are, as stateful recurrent layers need it. On Keras 3 that is said by an
`Input` of its own. `input_shape` and `input_dim` still work there, with a warning.

## Measured
- Keras 3: `LSTM(4, batch_input_shape=(2, 3, 4))` raises ValueError "Unrecognized keyword arguments passed to LSTM", and so do other layers and
  wrappers. `InputLayer` still takes it; `keras.Input(batch_input_shape=...)` raises TypeError.
- Keras 2: it works, and `keras.Input(batch_shape=...)` as the first item does the same.

## Do this
Put `keras.Input(batch_shape=...)` before the first layer.

## Silent when
The project runs on Keras 2 alone, or the layer is an `InputLayer`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Contract, Example, Facts, Finding, Levels, Note, Rule, any_of, own_input

_START = """
import keras
import numpy as np

rows = np.ones((4, 3, 2), "float32")
"""
_LIST = """
model = keras.Sequential([
    keras.layers.LSTM(4, batch_input_shape=(2, 3, 2), stateful=True),
    keras.layers.Dense(1),
])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, 0, :1], batch_size=2, verbose=0)
"""
_ADDED = """
model = keras.Sequential()
model.add(keras.layers.GRU(2, batch_input_shape=(2, 3, 2)))
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, 0], batch_size=2, verbose=0)
"""

RULE = Rule(
    code="SEQ708",
    name="batch-input-shape-removed",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(any_of("batch_input_shape"),),
    examples=(
        Example(
            _START + _LIST,
            _START
            + _LIST.replace(" batch_input_shape=(2, 3, 2),", "").replace(
                "    keras.layers.LSTM", "    keras.Input(batch_shape=(2, 3, 2)),\n    keras.layers.LSTM"
            ),
        ),
        Example(
            _START + _ADDED,
            _START
            + _ADDED.replace(", batch_input_shape=(2, 3, 2)", "").replace(
                "model.add", "model.add(keras.Input(batch_shape=(2, 3, 2)))\nmodel.add"
            ),
        ),
        Example.ok(_START + _LIST, keras="tf-keras"),
        Example.ok(_START + _LIST.replace("LSTM(4, batch_input_shape=(2, 3, 2)", "LSTM(4"), keras=">=3"),
    ),
)

_NAME = "batch_input_shape"
_NOTE = Note.on_keras_3("ValueError: the argument is not recognized")
_HELP = "put `keras.Input(batch_shape=...)` before it"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for call in run.calls:
        name = call.name
        takes = name == "keras.layers.InputLayer" or not (name.startswith("keras.layers.") or name == "keras.Input")
        written = run.written(call, _NAME) or run.handed(call, _NAME)
        if takes or name.endswith("()") or written is None or written in seen:
            continue
        seen.add(written)
        message = f"`{call.result.method}` takes no `{_NAME}` on Keras 3"
        finding = facts.finding_at(run.span(written), message, _NOTE)
        is_plain = name != "keras.Input" and run.written(call, _NAME) is not None
        edits = own_input(facts, run.span(call.node), _NAME) if is_plain else ()
        if edits:
            yield finding.fixed_by("Give the shape to an `Input`", *edits)
        else:
            yield but(finding, help=_HELP, no_fix="it is not evidently the first layer of a Sequential")
