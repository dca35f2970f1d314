"""A model or its weights are saved or loaded at a path that Keras 3 refuses.

## Why
Keras 3 reads the format from the end of the path: `.keras` is a model, `.weights.h5` are weights. A path without a suffix was a folder in
TensorFlow's format on Keras 2. Keras 3 writes no such folder and reads none. What fails is mostly the last line of a long training.

## Measured
- Keras 3: `model.save` to `.ckpt`, `.tf` or without a suffix raises ValueError, and nothing is written; `.keras`, `.h5` and `.hdf5` work.
- Keras 3: `model.save_weights` to anything but `.weights.h5` raises ValueError.
- Keras 3: `load_model` of a folder of Keras 2 raises ValueError "File format not supported", and so does `load_weights` of `.ckpt`.
- Keras 2: all of these work.

## Do this
Save models as `.keras`, weights as `.weights.h5`, and load them by these names. For a server that reads TensorFlow's format use `model.export(folder)`.
An old folder can be used as a layer, `keras.layers.TFSMLayer(folder, call_endpoint="serving_default")`, or load it with Keras 2 and save it anew.

## Silent when
The end of the path is not known, or may be right. The model may be one of another library. `zipped=False` asks for a folder of Keras 3. The line is
for Keras 2 alone.
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
    callee,
    shown_path,
    with_suffix,
)

# A name of a file that is quoted in this one would keep it from being changed in the examples, which are in the same folder.
_WHOLE = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, :1], verbose=0)
model.save("reef{0}")
again = keras.models.load_model("reef{0}")
"""
_WEIGHTS = _WHOLE.replace("save(", "save_weights(").replace("again = keras.models.load_model", "model.load_weights")
_RENAMES = Contract(changes=frozenset({"output"}), repairs=frozenset({"errors"}))

RULE = Rule(
    code="SEQ901",
    name="save-path-refused",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(any_of("save", "save_model", "save_weights", "load_weights", "load_model"),),
    examples=(
        Example(_WHOLE.format(""), _WHOLE.format(".keras"), keras=">=3"),
        Example(_WEIGHTS.format(".h5"), _WEIGHTS.format(".weights.h5"), keras=">=3"),
        Example.ok(_WHOLE.format(".keras")),
        Example.ok(_WEIGHTS.format(".h5"), keras="tf-keras"),
    ),
    sources=("keras-team/keras#19108",),
)

_NOTES = {
    "save": "ValueError, and nothing is saved",
    "save_weights": "ValueError, and nothing is saved",
    "load_model": "ValueError, whatever the folder holds",
    "load_weights": "ValueError, whatever the file holds",
}


def check(facts: Facts) -> Iterator[Finding]:
    for refusal in facts.run.domain(Saves).refusals("save", "save_weights", "load_model", "load_weights"):
        saved = refusal.saves[0]
        if not saved.removed and not facts.for_one_keras(saved.call):
            yield _fixed(facts, refusal, _finding(facts, refusal))


def _finding(facts: Facts, refusal: Refusal) -> Finding:
    saved = refusal.saves[0]
    taken = "`.weights.h5` or `.keras`" if saved.kind == "load_weights" else f"`{saved.wanted}`"
    message = f"`{callee(facts.run, saved.call)}` refuses `{shown_path(facts.run, saved)}`: it takes {taken}"
    return facts.finding_at(refusal.span, message, Note.on_keras_3(_NOTES[saved.kind], "it works"))


def _fixed(facts: Facts, refusal: Refusal, finding: Finding) -> Finding:
    saved = refusal.saves[0]
    if saved.is_load:
        help_ = f"save it in `{saved.wanted}`, and load that; Keras 2 can read the old one"
        return but(finding, help=help_, no_fix="nothing here saves what it loads")
    made = with_suffix(facts, refusal.saves)
    if isinstance(made, str):
        finding = but(finding, help=f"end the path in `{saved.wanted}`, and load it by that name", no_fix=made)
    else:
        # Keras 2 writes both, and finds what it wrote before by its old name alone.
        contract = _RENAMES if "2" in facts.keras.lines else None
        finding = finding.fixed_by(f"End the path in `{saved.wanted}`", *made, contract=contract)
    return finding if saved.sure else finding.provided("its model is one of Keras", RULE.levels)
