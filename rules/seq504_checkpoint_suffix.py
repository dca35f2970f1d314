"""A ModelCheckpoint has a path that Keras 3 refuses.

## Why
Keras 3 reads the format from the end of the path. Weights alone must end in `.weights.h5`, whole models in `.keras`. `.ckpt`, `.hdf5` and
paths without a suffix are those of Keras 2, and the callback refuses them when it is made, before the first epoch.

## Measured
- Keras 3: with `save_weights_only=True` a path in `.h5`, `.hdf5`, `.ckpt`, `.tf`, `.keras` or without a suffix raises ValueError.
- Keras 3: for whole models a path in `.hdf5`, `.ckpt`, `.tf` or without a suffix raises ValueError.
- Keras 3.0 to 3.9: for whole models `.h5` raises ValueError, too.
- Keras 3.10 and later: for whole models `.h5` is taken.
- Keras 2: all of these work; a path without a suffix is a folder.

## Do this
End the path in `.weights.h5` where `save_weights_only=True`, else in `.keras`, and load the file by its new name. A whole model in `.h5` that
is compiled with `loss="mse"` can't be loaded on Keras 3, so `.keras` is the better choice there as well.

## Silent when
The end of the path is not known, or may be right: it comes from outside, or from an option without a default. The line is for Keras 2 alone.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Refusal,
    Rule,
    Saves,
    any_of,
    shown_path,
    with_suffix,
)

_START = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
# A name of a file that is quoted in this one would keep it from being changed in the examples, which are in the same folder.
_WEIGHTS = (
    _START
    + """
keep = keras.callbacks.ModelCheckpoint("tides{0}", save_weights_only=True)
model.fit(rows, rows[:, :1], epochs=2, verbose=0, callbacks=[keep])
model.load_weights("tides{0}")
"""
)
_WHOLE = (
    _START
    + """
import os

keep = keras.callbacks.ModelCheckpoint(filepath=os.path.join("runs", "NAME-{epoch}.ckpt"))
model.fit(rows, rows[:, :1], verbose=0, callbacks=[keep])
"""
).replace("NAME", "tides")
_RENAMES = Contract(changes=frozenset({"output"}), repairs=frozenset({"errors"}))

RULE = Rule(
    code="SEQ504",
    name="checkpoint-suffix",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(any_of("ModelCheckpoint"),),
    examples=(
        Example(_WEIGHTS.format(".h5"), _WEIGHTS.format(".weights.h5"), keras=">=3"),
        Example(_WHOLE, _WHOLE.replace("}.ckpt", "}.keras"), keras=">=3"),
        Example.ok(_WEIGHTS.format(".weights.h5")),
        Example.ok(_WEIGHTS.format(".h5"), keras="tf-keras"),
        Example.ok(_WHOLE.replace(".ckpt", ".h5"), keras=">=3.10"),
    ),
    sources=("keras-team/keras-io#1844", "juglab/n2v#150", "tensorflow/tensorflow#75196"),
)


def check(facts: Facts) -> Iterator[Finding]:
    for refusal in facts.run.domain(Saves).refusals("checkpoint"):
        if not facts.for_one_keras(refusal.saves[0].call):
            yield _fixed(facts, refusal, _finding(facts, refusal))


def _finding(facts: Facts, refusal: Refusal) -> Finding:
    saved = refusal.saves[0]
    what = "weights" if saved.weights else "a model"
    ends = f"`{saved.wanted}`" if saved.weights is not None else "`.weights.h5` or `.keras`"
    message = f"`ModelCheckpoint` refuses `{shown_path(facts.run, saved)}`: the path of {what} ends in {ends}"
    note = Note.on_keras_3("ValueError when the callback is made", "it works")
    finding = facts.finding_at(refusal.span, message, note)
    return finding if saved.refused() else but(finding, levels=Levels(None, "error", None))


def _fixed(facts: Facts, refusal: Refusal, finding: Finding) -> Finding:
    wanted = refusal.saves[0].wanted
    made = with_suffix(facts, refusal.saves)
    if isinstance(made, str):
        return but(finding, help=f"end the path in `{wanted}`, and load it by that name", no_fix=made)
    # Keras 2 writes both files, and finds those that it wrote before by their old names alone.
    contract = _RENAMES if "2" in facts.keras.lines else None
    return finding.fixed_by(f"End the path in `{wanted}`", *made, contract=contract)
