"""A call means something else on Keras 3, such as `compile` with metrics by place.

## Why
Some methods of Keras 3 take their arguments in another order, or take fewer of them, and TensorFlow's functions no longer take the symbolic
tensors of a functional model. Other names do another thing without an error. The name is there, so nothing tells of it before the call runs.

## Measured
- Keras 3: `compile("sgd", "mse", ["mae"])` takes the list for `loss_weights`, and `fit` raises ValueError.
- Keras 3: `add_weight("w", (3, 3))` raises ValueError or TypeError, since `shape` comes first.
- Keras 3: `tf.reduce_sum` and `tf.shape` of a symbolic tensor raise ValueError "A KerasTensor cannot be used as input to a TensorFlow function".
- Keras 3: `Dense(1, weights=...)` and `SGD(jit_compile=True)` raise ValueError, `to_categorical(y=...)` raises TypeError.
- Keras 3: `AveragePooling2D()` without `pool_size` raises TypeError, and `reduction="auto"` of a loss raises ValueError.
- Keras 3: `add_loss` of a functional model raises NotImplementedError, and `add_loss(symbolic)` of a layer outside of `call` raises ValueError.
- Keras 3: a `tf.Variable` that a layer keeps is none of its weights: `fit` leaves it as it was.
- Keras 3: `metrics_names` is `['loss', 'compile_metrics']`, with `metrics=["mae"]`.
- Keras 3: `hard_sigmoid(1.0)` is 0.6667, and the recurrent activation of ConvLSTM2D is `sigmoid`.
- Keras 3: the defaults of `l1_l2()` are 0.0 and 0.0, and the learning rate of `Lion()` is 0.001.
- Keras 3.0 to 3.9: `train_on_batch` gives the mean of the losses since the metrics were reset: the second of two calls with a loss of 4 and then 100 gives 52.
- Keras 2: all of these work.
- Keras 2: a `tf.Variable` of a layer is one of its weights, and `metrics_names` is `['loss', 'mae']`.
- Keras 2: `hard_sigmoid(1.0)` is 0.7, and the recurrent activation of ConvLSTM2D is `hard_sigmoid`.
- Keras 2: the defaults of `l1_l2()` are 0.01 and 0.01, and the learning rate of `Lion()` is 0.0001.
- Keras 2: `train_on_batch` gives the loss of its batch.

## Do this
Name the arguments: that works on every line. Use `keras.ops` on symbolic tensors, or put the operation into the `call` of a layer.
Make weights with `add_weight`, and add losses in the `call` of a layer. Write out a default that has changed.

## Silent when
The arguments are named already, the call is kept for Keras 2 alone, or the method is one of the program's own. Of other numbers without an
error (`hard_sigmoid`, defaults) nothing is said where the project is on Keras 3 alone.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    KERAS_3_LINES,
    ChangedCall,
    ChangedCalls,
    ChangedMeaning,
    ChangedMeanings,
    Contract,
    Example,
    Facts,
    Finding,
    Level,
    Levels,
    Note,
    Rule,
    Sometimes,
    add_argument,
    any_of,
    by_name,
    cst,
    on_symbolic,
    replace,
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
_POOL = """
import keras
import numpy as np

rows = np.ones((8, 4, 4, 1), "float32")
model = keras.Sequential([keras.layers.AveragePooling2D(), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, np.ones((8, 1)), verbose=0)
"""
_AUTO = """
import keras
import numpy as np

rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss=keras.losses.MeanSquaredError(reduction="auto"))
model.fit(rows, rows[:, :1], verbose=0)
"""
_SHIFT = """

class Shift(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.shift = tf.Variable(tf.zeros((3,)))

    def call(self, inputs):
        return inputs + self.shift


model = keras.Sequential([Shift(), keras.layers.Dense(1)])
model.compile("sgd", "mse", metrics=["mae"])
model.fit(rows, rows[:, :1], verbose=0)
print(model.metrics_names)
"""
_VAE = """
inputs = keras.Input((3,))
outputs = keras.layers.Dense(3)(inputs)
model = keras.Model(inputs, outputs)
model.add_loss(keras.ops.mean(outputs))
"""

RULE = Rule(
    code="SEQ712",
    name="changed-call",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    sometimes=Sometimes(early=("warning",), keras3=("warning",)),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(
        any_of(
            "compile",
            "add_weight",
            "tensorflow",
            "weights",
            "jit_compile",
            "to_categorical",
            "load_img",
            "time_major",
            "add_loss",
            "AveragePooling1D",
            "AveragePooling2D",
            "AveragePooling3D",
            "AvgPool1D",
            "AvgPool2D",
            "AvgPool3D",
            "reduction",
            "metrics_names",
            "Variable",
            "hard_sigmoid",
            "ConvLSTM1D",
            "ConvLSTM2D",
            "ConvLSTM3D",
            "l1_l2",
            "Lion",
            "train_on_batch",
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
        Example(_POOL, _POOL.replace("2D()", "2D(pool_size=2)")),
        Example(_AUTO, _AUTO.replace('"auto"', '"sum_over_batch_size"')),
        Example(_START + _SHIFT),
        Example(_START + _VAE, keras=">=3"),
        Example(_START + "print(keras.layers.ConvLSTM2D(2, 3).get_config())\n", keras="both"),
        Example.ok(_START + "print(keras.layers.ConvLSTM2D(2, 3).get_config())\n", keras=">=3"),
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
    for other in facts.run.domain(ChangedMeanings).all:
        if other.kind not in ("slope", "default") or facts.keras.was_2 or not facts.keras.known:
            yield from _meaning(facts, other)


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


_OTHERWISE: dict[str, tuple[Level, str, str, str]] = {
    "add_loss": ("error", "takes no loss outside of `call` on Keras 3", "it raises NotImplementedError or ValueError", "add it in `call` of a layer"),
    "pool_size": ("error", "needs a `pool_size` on Keras 3", "it raises TypeError", ""),
    "reduction": ("error", 'takes no `reduction="auto"` on Keras 3', "it raises ValueError", ""),
    "metrics_names": (
        "warning", "does not name the metrics on Keras 3", "it is `['loss', 'compile_metrics']`", "take the keys of `evaluate(..., return_dict=True)`",
    ),
    "variable": ("error", "does not become a weight of the layer on Keras 3", "`fit` leaves it as it was", "make it with `self.add_weight`"),
    "batch_loss": (
        "warning", "gives a mean over batches on Keras 3.0 to 3.9", "it is the mean since the metrics were reset", "call `reset_metrics()` of the model before it",
    ),
    "slope": ("warning", "is another function on Keras 3", "trained weights give other numbers", "train anew, or write the old function: `clip(0.2 * x + 0.5, 0, 1)`"),
    "default": ("warning", "has other defaults on Keras 3", "the training takes another course", "write `{}`"),
}  # fmt: skip
"""For each kind: the level on Keras 3, what the message and the note say, and what to do by hand."""


def _meaning(facts: Facts, one: ChangedMeaning) -> Iterator[Finding]:
    level, said, note, told = _OTHERWISE[one.kind]
    span = facts.run.span(one.node)
    node = next(
        (
            each
            for each in (*facts.tree.all(cst.Call), *facts.tree.attributes("metrics_names"))
            if facts.span(each) == span
        ),
        None,
    )
    if node is not None and (facts.evidence.guarded(node) or facts.mentions.optional(node)):
        return
    if one.call is not None and facts.for_one_keras(one.call):
        return
    finding = facts.finding_at(span, f"`{_subject(facts, one)}` {said}", Note.on_keras_3(note, "it works"))
    keras3: Level | None = None if one.kind == "batch_loss" else level
    finding = but(finding, levels=Levels(None, level, keras3), help=told.format(one.name))
    if one.kind in ("slope", "default") and not facts.keras.was_2:
        finding = finding.provided("the program ran on Keras 2", RULE.levels)
    yield _with_fix(facts, one, node, finding)


def _subject(facts: Facts, one: ChangedMeaning) -> str:
    """What the message is about, as it is written."""
    if one.call is not None:
        return (
            "hard_sigmoid"
            if one.name in ("activation", "recurrent_activation")
            else facts.run.text(one.node).partition("(")[0]
        )
    return f"self.{one.name}" if one.kind == "variable" else facts.run.text(one.node)


def _with_fix(facts: Facts, one: ChangedMeaning, node: cst.CSTNode | None, finding: Finding) -> Finding:
    """The fix of what works on every line."""
    if not isinstance(node, cst.Call):
        return but(finding, no_fix="what takes its place is for you to write")
    if one.kind == "pool_size":
        return finding.fixed_by("Write the `pool_size` that it had", add_argument(facts, node, "pool_size=2"))
    given = next((each for each in node.args if each.keyword is not None and each.keyword.value == "reduction"), None)
    if one.kind == "reduction" and given is not None and isinstance(given.value, cst.SimpleString):
        return finding.fixed_by('Write `"sum_over_batch_size"`', replace(facts, given.value, '"sum_over_batch_size"'))
    told = finding.help or 'write `reduction="sum_over_batch_size"`'
    return but(finding, help=told, no_fix="what takes its place is for you to write")
