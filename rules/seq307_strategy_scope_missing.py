"""A model or its optimizer is made outside of the scope of the strategy.

## Why
A strategy makes one copy of each variable on every device, but only of variables that are made in its scope. The others belong to no
strategy, and TensorFlow raises where the two kinds meet.

## Measured
Under MirroredStrategy, with one replica as with two:

- Keras 3.10 and later: a model made outside that is compiled or trained inside: AssertionError without a text,
  RuntimeError "Need to be inside" or another error at the first step. A model made inside whose optimizer is made
  outside: RuntimeError "Mixing different tf.distribute.Strategy objects", for every optimizer that keeps variables of
  its own in addition to the weights. Plain SGD does not, and works.
- Keras 3.0 to 3.9: the same, but two cases work: up to 3.4 a model that gets its weights at the first step, where
  `compile` and `fit` are called inside; and Adagrad, made outside.
- Keras 2: ValueError "was not created in the distribution strategy scope" for a model made outside, unless it gets its
  weights at the first step inside. Optimizers may be made outside.

## Do this
Make the model and the optimizer, and call `compile`, inside `with strategy.scope():`. `fit` may be called outside.

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
    Note,
    OutOfScope,
    Rule,
    Scopes,
    a_member,
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
    needs=(matching(r"trategy|\.\s*scope\s*\("), a_member("compile", "fit", "fit_generator", "train_on_batch")),
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
_NO_STRATEGY = "its variables belong to no strategy, and the first step fails"
_NEWEST = Levels(keras2=None, early=None, keras3="error")


def check(facts: Facts) -> Iterator[Finding]:
    for miss in facts.scope_misses.all:
        finding = _fixed(facts, miss, _finding(facts, miss))
        if miss.what != "model":
            finding = but(finding, levels=_ON_KERAS_3)
        yield finding if miss.below else but(finding, levels=_NEWEST)
    yield from _when_it_runs(facts)


def _when_it_runs(facts: Facts) -> Iterator[Finding]:
    """Models that a method makes, here or in another file."""
    told = {facts.span(miss.node) for miss in facts.scope_misses.all}
    for found in facts.run.domain(Scopes).models_outside():
        span, scope = facts.run.span(found.node), f"the scope of `{found.strategy.method}`"
        if span in told:
            continue
        told.add(span)
        message = f"`{found.model}` is made outside of {scope}, but `{found.call.result.method}` is called inside"
        finding = facts.finding_at(span, message, _NO_STRATEGY, help=f"make it in {scope}")
        yield but(finding, levels=_NEWEST, no_fix="a function makes it")


def _finding(facts: Facts, miss: OutOfScope) -> Finding:
    assert isinstance(miss.call.func, cst.Attribute)
    name, called = facts.text(miss.call.func.value), miss.call.func.attr.value
    scope = f"the scope of `{miss.strategy.name}`"
    if miss.what == "model":
        message = f"`{name}` is made outside of {scope}, but `{called}` is called inside"
        return facts.finding(miss.node, message, _NO_STRATEGY)
    what = "the optimizer is made" if miss.what == "optimizer" else "`compile` makes the optimizer"
    raised = 'the first step raises RuntimeError "Mixing different tf.distribute.Strategy objects"'
    return facts.finding(miss.node, f"{what} outside of {scope}, but `{name}` inside", Note.on_keras_3(raised))


def _fixed(facts: Facts, miss: OutOfScope, finding: Finding) -> Finding:
    scope = f"the scope of `{miss.strategy.name}`"
    edits = _edits(facts, miss)
    if edits:
        return finding.fixed_by(f"Move it into {scope}", *edits, contract=_WARNED)
    elsewhere = miss.scope is None or not facts.tree.holds(facts.tree.parents[miss.scope], miss.node)
    reason = (
        f"{scope} is entered in another function or block" if elsewhere else "the lines between use what would move"
    )
    return but(finding, help=f"make it in {scope}", no_fix=reason)


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
