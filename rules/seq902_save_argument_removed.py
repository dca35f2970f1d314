"""An argument of saving or loading that Keras 3 does not have.

## Why
Keras 3 reads the format from the end of the path, and writes no folders in TensorFlow's format. `save_format`, and what said how such a folder is
written (`save_traces`, `signatures`, `options`), have gone. The call raises, mostly as the last line of a long training.

## Measured
- Keras 3: `save_format` in `save_weights` raises TypeError; in `save` ValueError, unless the path ends in `.keras`, `.h5` or `.hdf5`: then it warns.
- Keras 3: `save_traces`, `signatures` and `options` raise ValueError in `save`, `options` TypeError in `save_weights` and `load_model`.
- Keras 3: `include_optimizer` and `overwrite` work.
- Keras 2: all of these work with folders and `.h5`.

## Do this
Leave the argument out, and end the path in `.keras`, for weights in `.weights.h5`. For a server that reads TensorFlow's format use `model.export(folder)`,
which has the signatures of its endpoints.

## Silent when
The model may be one of another library. `save_format` comes with a path that says the format, or may. The line is for Keras 2 alone.
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
    Rule,
    Saved,
    Saves,
    any_of,
    argument_place,
    callee,
    without_arguments,
)

# A name of a file that is quoted in this one would keep it from being changed in the examples, which are in the same folder.
_WHOLE = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, :1], verbose=0)
model.save("kelp{0}", save_format="tf")
again = keras.models.load_model("kelp{0}")
"""
_WEIGHTS = _WHOLE.replace("save(", "save_weights(").replace("again = keras.models.load_model", "model.load_weights")
_RENAMES = Contract(changes=frozenset({"output"}), repairs=frozenset({"errors"}))

RULE = Rule(
    code="SEQ902",
    name="save-argument-removed",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(any_of("save_format", "save_traces", "signatures", "options"),),
    examples=(
        Example(_WHOLE.format(""), _WHOLE.format(".keras").replace(', save_format="tf"', ""), keras=">=3"),
        Example(
            _WEIGHTS.format(".h5").replace('"tf"', '"h5"'),
            _WEIGHTS.format(".weights.h5").replace(', save_format="tf"', ""),
            keras=">=3",
        ),
        Example(_WHOLE.format("").replace('save_format="tf"', "signatures=None"), keras=">=3"),
        Example.ok(_WHOLE.format(".keras").replace('save_format="tf"', "include_optimizer=False"), keras=">=3"),
        Example.ok(_WHOLE.format(".h5").replace('save_format="tf"', 'save_format="h5"'), keras=">=3"),
        Example.ok(_WHOLE.format(""), keras="tf-keras"),
    ),
    sources=("keras-team/keras#18748",),
)

_RAISES = {"save": "ValueError", "save_weights": "TypeError", "load_model": "TypeError", "load_weights": "ValueError"}


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    seen = set()
    for saved in run.domain(Saves).all:
        names = saved.removed
        where = argument_place(run, saved.call, names[0]) if names else None
        if where is None or where in seen or facts.for_one_keras(saved.call):
            continue
        seen.add(where)
        listed = " or ".join(f"`{name}`" for name in names)
        note = Note.on_keras_3(
            f"{_RAISES[saved.kind]}, and nothing is {'loaded' if saved.is_load else 'saved'}", "it works"
        )
        finding = facts.finding_at(run.span(where), f"`{callee(run, saved.call)}` takes no {listed} on Keras 3", note)
        yield _fixed(facts, saved, finding)


def _fixed(facts: Facts, saved: Saved, finding: Finding) -> Finding:
    made = without_arguments(facts, saved)
    ends = f", and end the path in `{saved.wanted}`" if saved.refused() else ""
    if isinstance(made, str):
        finding = but(finding, help=f"leave it out{ends}", no_fix=made)
    else:
        contract = _RENAMES if "2" in facts.keras.lines else None
        finding = finding.fixed_by(f"Leave it out{ends}", *made, contract=contract)
    return finding if saved.sure else finding.provided("its model is one of Keras", RULE.levels)
