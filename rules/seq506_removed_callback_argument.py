"""An argument of a callback that Keras 3 does not have.

## Why
Keras 2 takes arguments that Keras 3 has dropped: `period` of ModelCheckpoint, `write_grads` of TensorBoard. The callback raises when it is made. One of
them is worse: `epsilon` of ReduceLROnPlateau raises nothing, and is ignored.

## Measured
- Keras 3: ModelCheckpoint raises TypeError for `period`, `options`, `save_format`, `load_weights_on_restart` and all that it does not know.
- Keras 3: TensorBoard raises TypeError for `write_grads`, `batch_size`, `embeddings_data` and `embeddings_layer_names`.
- Keras 3: BackupAndRestore raises TypeError for `save_before_preemption`.
- Keras 3: ReduceLROnPlateau ignores `epsilon`: with 100 for a loss that falls by less the rate stays at 0.01.
- Keras 2: all of these are taken; `epsilon` is used as `min_delta`, and the rate falls.

## Do this
Leave the argument out. `save_freq` of ModelCheckpoint counts batches: for every second epoch give `2 * len(train)`, and no `save_best_only` on a `val_`
metric. Write `min_delta` for `epsilon`.

## Silent when
The callback is not one of Keras, or keywords are not known. The line is for Keras 2 alone.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    WITHOUT_EFFECT,
    Call,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    Sometimes,
    any_of,
    constant_of,
    drop_argument,
    keyword_place,
    removed,
    rename_keyword,
)

_START = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_PERIOD = (
    _START
    + """
keep = keras.callbacks.ModelCheckpoint("newest.keras", period=1)
model.fit(rows, rows[:, :1], epochs=2, verbose=0, callbacks=[keep])
"""
)
_EPSILON = (
    _START
    + """
slower = keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=1, epsilon=100)
model.fit(rows, rows[:, :1], epochs=4, verbose=0, callbacks=[slower])
"""
)

_FAILS = Contract(repairs=frozenset({"errors", "warnings"}))

RULE = Rule(
    code="SEQ506",
    name="removed-callback-argument",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    sometimes=Sometimes(early=("warning",), keras3=("warning",)),
    contract=Contract(
        changes=frozenset({"history", "weights", "settings"}),
        repairs=frozenset({"errors", "warnings"}),
        holds=frozenset({"only moments asked"}),
    ),
    migration=True,
    needs=(any_of("ModelCheckpoint", "TensorBoard", "BackupAndRestore", "ReduceLROnPlateau"),),
    examples=(
        Example(_PERIOD, _PERIOD.replace(", period=1", ""), keras=">=3", contract=_FAILS),
        Example(_PERIOD.replace("period=1", "period=5"), keras=">=3"),
        Example(_EPSILON, _EPSILON.replace("epsilon", "min_delta"), keras=">=3"),
        Example.ok(_PERIOD.replace("period=1", 'save_freq="epoch"')),
        Example.ok(_PERIOD, keras="tf-keras"),
    ),
    sources=("keras-team/keras#18797",),
)


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for call in facts.run.calls:
        for name in removed(call.name, [each for each, _ in call.result.keywords]):
            where = keyword_place(facts.run, call, name)
            if where is None or (where, name) in seen or facts.for_one_keras(call):
                continue
            seen.add((where, name))
            finding = _on_plateau(facts, call) if name == "epsilon" else _on_other(facts, call, name)
            yield but(finding, start=facts.run.span(where)[0], end=facts.run.span(where)[1])


def _on_plateau(facts: Facts, call: Call) -> Finding:
    note = Note.on_keras_3("it is ignored, and `min_delta` stays 0.0001", "it is used as `min_delta`")
    finding = facts.finding_at((0, 0), "`ReduceLROnPlateau` ignores `epsilon` on Keras 3", note)
    finding = but(finding, levels=Levels(None, "warning", "warning"))
    edits = rename_keyword(facts, call, "epsilon", "min_delta")
    if not edits:
        return but(finding, help="call it `min_delta`", no_fix="it is given in a dict, or in another file")
    return finding.fixed_by("Call it `min_delta`", *edits)


def _on_other(facts: Facts, call: Call, name: str) -> Finding:
    callback = call.name.removesuffix(".__init__").rpartition(".")[2]
    note = Note.on_keras_3("TypeError when the callback is made", "it is taken")
    finding = facts.finding_at((0, 0), f"`{callback}` takes no `{name}` on Keras 3", note)
    value = constant_of(call.result.keyword(name))
    if name not in WITHOUT_EFFECT or WITHOUT_EFFECT[name] not in (value, ...):
        why = (
            "`save_freq` counts batches, not epochs"
            if name == "period"
            else "it says something that Keras 3 has no word for"
        )
        return but(finding, help="leave it out", no_fix=why)
    edits = drop_argument(facts, call.result, name, "") if facts.run.written(call, name) is not None else ()
    if not edits:
        return but(finding, help="leave it out", no_fix="it is given in a dict, or in another call")
    return finding.fixed_by(f"Leave `{name}` out", *edits, contract=_FAILS)
