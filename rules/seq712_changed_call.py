"""A call means something else on Keras 3, such as `compile` with metrics by place.

## Why
Some methods of Keras 3 take their arguments in another order, or take fewer of them, and TensorFlow's functions no longer take the symbolic
tensors of a functional model. The name is there, so nothing tells of it before the call runs.

## Measured
- Keras 3: `compile("sgd", "mse", ["mae"])` takes the list for `loss_weights`, and `fit` raises ValueError.
- Keras 3: `add_weight("w", (3, 3))` raises ValueError or TypeError, since `shape` comes first.
- Keras 3: `tf.reduce_sum` and `tf.shape` of a symbolic tensor raise ValueError "A KerasTensor cannot be used as input to a TensorFlow function".
- Keras 3: `Dense(1, weights=...)` and `SGD(jit_compile=True)` raise ValueError, `to_categorical(y=...)` raises TypeError.
- Keras 2: all of these work.

## Do this
Name the arguments: that works on every line. Use `keras.ops` on symbolic tensors, or put the operation into the `call` of a layer.

## Silent when
The arguments are named already, the call is kept for Keras 2 alone, or the method is one of the program's own.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    KERAS_3_LINES,
    ChangedCall,
    ChangedCalls,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    any_of,
    by_name,
    cst,
    on_symbolic,
    without_argument,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((8, 3), "float32")
"""
_FIT = """
model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
model.compile("sgd", "mse", ["mae"])
model.fit(rows, rows[:, :1], verbose=0)
"""
_LAYER = """

class Scale(keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight("scale", (3,), initializer="ones")

    def call(self, inputs):
        return inputs * self.scale


model = keras.Sequential([Scale()])
model.compile("sgd", "mse")
model.fit(rows, rows, verbose=0)
"""
_SUM = """
inputs = keras.Input((3,))
outputs = tf.reduce_sum(keras.layers.Dense(2)(inputs), axis=1)
model = keras.Model(inputs, outputs)
model.compile("sgd", "mse")
model.fit(rows, rows[:, 0], verbose=0)
"""

RULE = Rule(
    code="SEQ712",
    name="changed-call",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(
        any_of(
            "compile", "add_weight", "tensorflow", "weights", "jit_compile", "to_categorical", "load_img", "time_major"
        ),
    ),
    examples=(
        Example(_START + _FIT, _START + _FIT.replace('["mae"]', 'metrics=["mae"]')),
        Example(_START + _LAYER, _START + _LAYER.replace('("scale", (3,)', '(name="scale", shape=(3,)')),
        Example(
            _START + _SUM,
            _START + _SUM.replace("tf.reduce_sum", "keras.ops.sum"),
            keras=">=3",
        ),
        Example(_START + "print(keras.utils.to_categorical(y=[0, 1], num_classes=2))\n"),
        Example.ok(_START + _FIT, keras="tf-keras"),
        Example.ok(_START + _FIT.replace('["mae"]', 'metrics=["mae"]')),
        Example.ok(
            _START + _SUM.replace("tf.reduce_sum(", "keras.layers.Lambda(tf.reduce_sum)(").replace(", axis=1", "")
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for one in facts.run.domain(ChangedCalls).all:
        call = facts.call_node(one.node)
        if call is None or facts.evidence.guarded(call) or facts.mentions.optional(call):
            continue
        if not facts.packages.is_keras_2(call.func) and not facts.for_one_keras(one.call):
            yield _finding(facts, one, call)


def _finding(facts: Facts, one: ChangedCall, call: cst.Call) -> Finding:
    if one.change == "symbolic":
        return _symbolic(facts, one, call)
    if one.change == "argument":
        return _argument(facts, one, call)
    what = "the metrics by place are loss weights" if one.change == "compile" else "the first argument is the shape"
    raised = "`fit` raises ValueError" if one.change == "compile" else "it raises ValueError or TypeError"
    finding = facts.finding(call, f"`{facts.text(call.func)}`: {what} on Keras 3", Note.on_keras_3(raised, "it works"))
    edits = by_name(facts, call, one.change, of_metric=_is_metric(facts, call))
    if edits:
        return finding.fixed_by("Name the arguments", *edits)
    return but(finding, help="name the arguments", no_fix="some of its arguments have no place that is known")


def _is_metric(facts: Facts, call: cst.Call) -> bool:
    owner = facts.tree.enclosing(call, cst.ClassDef)
    found = facts.class_facts(owner) if owner is not None else None
    return found is not None and found.is_a("metric") == "yes"


def _symbolic(facts: Facts, one: ChangedCall, call: cst.Call) -> Finding:
    message = f"`{facts.text(call.func)}` takes no symbolic tensor on Keras 3"
    finding = facts.finding(call, message, Note.on_keras_3("ValueError where the model is built", "it works"))
    name, edits = on_symbolic(facts, one, call)
    if edits:
        return finding.fixed_by(f"Use `{name}`", *edits, lines=KERAS_3_LINES)
    told = f"use `keras.{name}`, or do it in `call` of a layer" if name else "do it in `call` of a layer"
    return but(finding, help=told, no_fix="no function of `keras.ops` takes these arguments")


def _argument(facts: Facts, one: ChangedCall, call: cst.Call) -> Finding:
    message = f"`{facts.text(call.func)}` takes no `{one.name}` on Keras 3"
    finding = facts.finding(call, message, Note.on_keras_3(f"{one.raised} from the call", "it works"))
    edits = without_argument(facts, call, one.name)
    if edits:
        return finding.fixed_by(f"Drop `{one.name}`", *edits)
    return but(finding, help=f"leave `{one.name}` out", no_fix="what takes its place is for you to write")
