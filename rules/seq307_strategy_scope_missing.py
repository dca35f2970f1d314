"""A model, or its optimizer, is made outside of the scope of the strategy.

## Why
A strategy makes one copy of each variable on every device, and it does so for the variables that are made in its scope.
Those from outside belong to no strategy: where the two meet, TensorFlow raises.

## Measured
Under MirroredStrategy, with one replica as with two:

- Keras 3.10 and later: a model made outside that is compiled or trained inside: AssertionError without a text,
  RuntimeError "Need to be inside" or another error at the first step. A model made inside whose optimizer is made
  outside: RuntimeError "Mixing different tf.distribute.Strategy objects", for every optimizer that keeps variables of
  its own beside the weights. Plain SGD does not, and works.
- Keras 3.0 to 3.9: the same, but for two that work: up to 3.4 a model that gets its weights at the first step, where
  `compile` and `fit` are called inside; and Adagrad, made outside.
- Keras 2: ValueError "was not created in the distribution strategy scope" for a model made outside, unless it gets its
  weights at the first step inside. Optimizers may be made outside.

## Do this
Make the model and the optimizer, and call `compile`, in `with strategy.scope():`. `fit` may stand outside.

## Silent when
It can't be told where the model is made, or the strategy is OneDeviceStrategy or the default one.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    OutOfScope,
    Rule,
    cst,
    into_scope,
    matching,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
rows = np.arange(16, dtype="float32").reshape(16, 1) / 16
"""
_LAYERS = '[keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones")]'
_FIT = "model.fit(rows, rows, batch_size=8, epochs=2, shuffle=False, verbose=0)\n"

RULE = Rule(
    code="SEQ307",
    name="strategy-scope-missing",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(matching(r"trategy|\.\s*scope\s*\("),),
    examples=(
        Example(
            _START
            + f"model = keras.Sequential({_LAYERS})\n\nwith strategy.scope():\n"
            + '    model.compile(optimizer="adam", loss="mse")\n'
            + _FIT,
            _START
            + f"\nwith strategy.scope():\n    model = keras.Sequential({_LAYERS})\n"
            + '    model.compile(optimizer="adam", loss="mse")\n'
            + _FIT,
            keras=">=2.15",
        ),
        Example(
            _START
            + f"\nwith strategy.scope():\n    model = keras.Sequential({_LAYERS})\n"
            + '\noptimizer = keras.optimizers.Adam(0.01)\nmodel.compile(optimizer=optimizer, loss="mse")\n'
            + _FIT,
            _START
            + f"\nwith strategy.scope():\n    model = keras.Sequential({_LAYERS})\n"
            + '    optimizer = keras.optimizers.Adam(0.01)\n    model.compile(optimizer=optimizer, loss="mse")\n\n'
            + _FIT,
            keras=">=3",
        ),
        Example(
            _START
            + f"\n\ndef build():\n    return keras.Sequential({_LAYERS})\n\n\nmodel = build()\n"
            + 'model.compile(optimizer="adam", loss="mse")\nwith strategy.scope():\n    '
            + _FIT,
            _START
            + f"\n\ndef build():\n    return keras.Sequential({_LAYERS})\n\n\nwith strategy.scope():\n    model = build()\n"
            + '    model.compile(optimizer="adam", loss="mse")\n    '
            + _FIT,
            keras=">=3",
        ),
        Example.ok(
            _START
            + f"\nwith strategy.scope():\n    model = keras.Sequential({_LAYERS})\n"
            + '    model.compile(optimizer="adam", loss="mse")\n'
            + _FIT
        ),
        Example.ok(
            _START
            + f"\nwith strategy.scope():\n    model = keras.Sequential({_LAYERS})\n"
            + 'model.compile(optimizer="sgd", loss="mse")\n'
            + _FIT
        ),
        Example.ok(
            _START
            + f"\n\ndef build():\n    model = keras.Sequential({_LAYERS})\n"
            + '    model.compile(optimizer="adam", loss="mse")\n    return model\n\n\n'
            + "with strategy.scope():\n    model = build()\n"
            + _FIT
        ),
    ),
    sources=("keras-team/keras#17187",),
)

# Keras 2 warns on some ways to the error.
_WARNED = Contract(repairs=frozenset({"errors", "warnings"}))
_ON_KERAS_3 = Levels(keras2=None, early="error", keras3="error")
_NEWEST = Levels(keras2=None, early=None, keras3="error")


def check(facts: Facts) -> Iterator[Finding]:
    for miss in facts.scope_misses.all:
        finding = facts.finding(miss.node, _message(facts, miss))
        edits = _edits(facts, miss)
        title = f"Move it into the scope of `{miss.strategy.name}`"
        finding = finding.fixed_by(title, *edits, contract=_WARNED) if edits else finding
        if miss.what != "model":
            finding = but(finding, levels=_ON_KERAS_3)
        yield finding if miss.below else but(finding, levels=_NEWEST)


def _message(facts: Facts, miss: OutOfScope) -> str:
    assert isinstance(miss.call.func, cst.Attribute)
    name, called = facts.text(miss.call.func.value), miss.call.func.attr.value
    scope = f"the scope of `{miss.strategy.name}`"
    if miss.what == "model":
        return f"`{name}` is made outside of {scope} in which `{called}` is called: its variables belong to no strategy, and the first step fails"
    what = "the optimizer is made" if miss.what == "optimizer" else "`compile` makes the optimizer"
    return f"{what} outside of {scope} in which `{name}` is made: RuntimeError 'Mixing different tf.distribute.Strategy objects' at the first step"


def _edits(facts: Facts, miss: OutOfScope) -> tuple[Edit, ...]:
    """The lines moved into the scope; with an optimizer goes the `compile` that takes it, where that is outside too."""
    if miss.scope is None:
        return ()
    inside = facts.tree.holds(miss.scope, miss.call)
    if miss.what == "model":
        nodes = (miss.node, *([miss.optimizer] if miss.optimizer is not None else []))
        return (inside and into_scope(facts, miss.scope, *nodes)) or ()
    nodes = (miss.node,) if inside else (miss.node, miss.call)
    return into_scope(facts, miss.scope, *nodes) or ()
