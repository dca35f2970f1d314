"""A model is loaded without its own layers, losses or metrics being named.

## Why
A file holds the names of layers, losses and metrics, not their code. `load_model` finds those of Keras by itself; it must be told of all others.

## Measured
- Keras 3: a model with a layer of its own, or of a class of its own, raises TypeError from `.keras` and ValueError "Unknown layer" from `.h5`.
- Keras 3: a loss function of its own raises TypeError from both, and a Loss, a metric or a Metric from `.keras`; not with `compile=False`.
- Keras 3.0 to 3.9: a class in a module that can be imported is found in `.keras`.
- Keras 3.10 and later: a model in `.h5` that is compiled with `loss="mse"`, "mae" or another short name raises ValueError, by the long name it is loaded.
- Keras 3.0 to 3.9: a model in `.h5` that is compiled with `loss="mse"`, "mae" or another short name raises TypeError, by the long name it is loaded.

## Do this
Decorate the class or function with `@keras.saving.register_keras_serializable()`, or give `custom_objects={"Scale": Scale}`. For predictions alone
`compile=False` does without losses and metrics. Save as `.keras`, or compile with `loss="mean_squared_error"`, where the short name is the matter.

## Silent when
The project is held on Keras 2; `custom_objects` or a `custom_object_scope` is there, or `get_custom_objects` is used; the part is registered. The program does not save the model itself.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    CustomParts,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    Unloadable,
    any_of,
    callee,
    custom_objects,
    path_node,
)

_LAYER = """
import keras
import numpy as np


class Scale(keras.layers.Layer):
    def call(self, rows):
        return 2 * rows


rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), Scale(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, :1], verbose=0)
model.save("brook.h5")
again = keras.models.load_model("brook.h5", compile=False)
again.predict(rows, verbose=0)
"""
_NOTE = Note.on_keras_3("TypeError from `.keras`, ValueError from `.h5`: it can not be located")
_ALIAS = _LAYER.replace("Scale()", "keras.layers.Dense(2)").replace(", compile=False", "")

RULE = Rule(
    code="SEQ903",
    name="custom-objects-missing",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(any_of("load_model"),),
    examples=(
        Example(_LAYER, _LAYER.replace("compile=False", 'compile=False, custom_objects={"Scale": Scale}'), keras=">=3"),
        Example(_ALIAS, keras=">=3"),
        Example.ok(_ALIAS, keras="tf-keras"),
        Example.ok(_LAYER.replace("compile=False", 'custom_objects={"Scale": Scale}, compile=False')),
    ),
    sources=("keras-team/keras#19441",),
)


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for found in facts.run.domain(CustomParts).unloadable:
        where = path_node(facts.run, found.load)
        if where is None or where in seen or facts.for_one_keras(found.load.call):
            continue
        seen.add(where)
        yield _fixed(facts, found, _finding(facts, found, facts.run.span(where)))


def _finding(facts: Facts, found: Unloadable, span: tuple[int, int]) -> Finding:
    names = ", ".join(f"`{part.name}`" for part in found.parts if part.role != "alias")
    load = callee(facts.run, found.load.call)
    if names:
        finding = facts.finding_at(span, f"`{load}` is not told of {names}, which the model is made of", _NOTE)
        early = facts.run.domain(CustomParts).loads_early(found)
        return but(finding, levels=Levels(None, None, "error")) if early else finding
    alias = found.parts[0].name
    note = Note(early="TypeError: the function can't be located", keras3="ValueError: it can't be deserialized")
    return facts.finding_at(span, f'`{load}` does not find the loss "{alias}" in an `.h5` file', note)


def _fixed(facts: Facts, found: Unloadable, finding: Finding) -> Finding:
    if any(part.role == "alias" for part in found.parts):
        return but(
            finding,
            help="save it as `.keras`, or load it with `compile=False`",
            no_fix="the file has to be saved in another way",
        )
    made = custom_objects(facts, found)
    if isinstance(made, str):
        return but(finding, help="give `custom_objects`, or register it with Keras", no_fix=made)
    return finding.fixed_by("Give `custom_objects`", *made)
