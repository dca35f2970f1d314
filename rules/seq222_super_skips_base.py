"""`super(Base, self)` with the name of a base class or of another class.

## Why
`super(Sequence, self)` starts the search after `Sequence`, so it skips the class that was meant. Python expects the class that
contains the line, and finds it by itself: `super()`.

## Measured
- Keras 3: a Sequence or PyDataset gets no worker settings: a UserWarning at the first fit, and `MyData(..., workers=4)` raises TypeError.
  A Model or a Layer has no `_dtype_policy`: AttributeError. A Metric: RuntimeError "You forgot to call `super().__init__()`".
- Keras 2: a Sequence works, and so does a Metric. A Model raises RuntimeError at its first attribute, a Layer
  AttributeError.
- Every Keras: a Callback works until code reads `self.model` before the training starts: AttributeError.
- Every Keras: `super(Base, self).on_epoch_end()` raises AttributeError where no class after the base has the method.
- Every Keras: the name of a class that is not a base raises TypeError, and an undefined name raises NameError.

## Do this
Write `super()`. Inside a comprehension or an inner function, name the class that contains the method: `super(MyData, self)`.

## Silent when
The name is a base class of this project, or a part of Keras such as `LSTM`: skipping it may be on purpose, unless batches read what
only its `__init__` sets. The method is private, or special such as `__new__` and `__call__`, or one that the base inherits itself,
as `Model` inherits `train_step` on Keras 3.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    ClassFacts,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    Sometimes,
    any_of,
    cst,
    matching,
    replace,
)

_MODEL = """

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Rain(np.ones((8, 3), "float32"), np.ones((8, 1), "float32")), epochs=2, verbose=0)
"""
_RAIN = (
    """
import keras
import numpy as np


class Rain(keras.utils.Sequence):
    def __init__(self, rows, depths):
        super(keras.utils.Sequence, self).__init__()
        self.rows = rows
        self.depths = depths

    def __len__(self):
        return len(self.rows) // 4

    def __getitem__(self, index):
        rows = slice(index * 4, index * 4 + 4)
        return self.rows[rows], self.depths[rows]
"""
    + _MODEL
)
_MIXED = """
import keras
import numpy as np


class Double(keras.layers.Layer):
    def __init__(self, **kwargs):
        super(keras.layers.Layer, self).__init__(**kwargs)

    def call(self, inputs):
        return inputs * 2


class Triple(keras.layers.Layer):
    def __init__(self, **kwargs):
        super(Double, self).__init__(**kwargs)

    def call(self, inputs):
        return inputs * 3


model = keras.Sequential([Double(), Triple(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), verbose=0)
"""

_WATCH = """
import keras
import numpy as np


class Watch(keras.callbacks.Callback):
    def __init__(self):
        super(keras.callbacks.Callback, self).__init__()
        self.losses = []

    def on_epoch_end(self, epoch, logs=None):
        self.losses.append(logs["loss"])


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), callbacks=[Watch()], verbose=0)
"""

RULE = Rule(
    code="SEQ222",
    name="super-skips-base",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes(keras2=("advice",), early=("warning", "advice"), keras3=("warning", "advice")),
    contract=Contract(repairs=frozenset({"errors", "warnings"})),
    needs=(any_of("super"), matching(r"super(?<!\wsuper)\s*\((?!\s*\))")),
    examples=(
        Example(_RAIN, _RAIN.replace("super(keras.utils.Sequence, self)", "super()")),
        Example(
            _MIXED,
            _MIXED.replace("super(keras.layers.Layer, self)", "super()").replace("super(Double, self)", "super()"),
        ),
        Example(_WATCH, _WATCH.replace("super(keras.callbacks.Callback, self)", "super()")),
        Example.ok(_RAIN.replace("super(keras.utils.Sequence, self)", "super(Rain, self)")),
        Example.ok(
            """
import keras


class Gate(keras.layers.LSTM):
    def __init__(self, units):
        super(keras.layers.LSTM, self).__init__(keras.layers.LSTMCell(units))


class Half(Gate):
    def __init__(self, units):
        super(Gate, self).__init__(units // 2)
"""
        ),
    ),
    sources=("keras-team/keras#836",),
)

_ROOTS = {
    "keras.utils.Sequence": Levels(keras2=None, early="warning", keras3="warning"),
    "keras.utils.PyDataset": Levels(keras2=None, early="warning", keras3="warning"),
    "keras.callbacks.Callback": Levels.everywhere("advice"),
    "keras.metrics.Metric": Levels(keras2=None, early="error", keras3="error"),
    "keras.Model": Levels.everywhere("error"),
    "keras.layers.Layer": Levels.everywhere("error"),
}
# What `Model` defines itself on every line; most of its methods are those of a trainer or of `Layer` on one of them.
_OF_MODEL = frozenset({"call", "export", "get_layer", "load_weights", "save", "save_weights", "summary", "to_json"})


def check(facts: Facts) -> Iterator[Finding]:
    for call in facts.calls("builtins.super"):
        owner = _owner(facts, call)
        if owner is None or len(call.args) != 2 or any(argument.keyword or argument.star for argument in call.args):
            continue
        named = call.args[0].value
        finding = _on_base(facts, owner, call, named) or _on_stranger(facts, owner, call, named)
        if finding is None:
            yield from _on_own_base(facts, owner, call, named)
            continue
        if _is_plain(facts, call):
            yield finding.fixed_by("Write `super()`", replace(facts, call, "super()"))
        else:
            help_ = f"write `super({owner.name}, {facts.text(call.args[1].value)})`"
            yield but(finding, help=help_, no_fix="`super()` without arguments works only directly in a method")


def _owner(facts: Facts, call: cst.Call) -> ClassFacts | None:
    """The class in which a method with the call stands, where it is made from something of Keras."""
    owner = facts.tree.enclosing(call, cst.ClassDef)
    if owner is None or len(call.args) < 2 or facts.values.self_class(call.args[1].value) is not owner:
        return None
    found = facts.class_facts(owner)
    return found if any(name.startswith("keras.") for name in found.external_bases) else None


def _on_base(facts: Facts, owner: ClassFacts, call: cst.Call, named: cst.BaseExpression) -> Finding | None:
    """`super(Sequence, self)`: what is skipped is Keras's own root class."""
    name = facts.qualified(named)
    if name not in _ROOTS or name not in {facts.qualified(base) for base in owner.bases}:
        return None
    method = _method(facts, call)
    if not _is_skipped(name, method):
        return None
    message = f"`{facts.text(call)}` skips `{facts.text(named)}.{method}`"
    found = facts.finding(call, message, _loss(name, method))
    return but(found, levels=_ROOTS[name] if method == "__init__" else None)


def _is_skipped(root: str, method: str) -> bool:
    """Whether a root class has the method itself, so that it is surely missed."""
    if method == "__init__":
        return True
    return not method.startswith("_") and (root != "keras.Model" or method in _OF_MODEL)


def _loss(name: str, method: str) -> Note:
    if method != "__init__":
        return Note(f"it raises AttributeError where no later base class has `{method}`")
    if name in ("keras.utils.Sequence", "keras.utils.PyDataset"):
        return Note.on_keras_3("the first `fit` warns, and the class can't be given workers")
    if name == "keras.callbacks.Callback":
        return Note("`self.model` raises AttributeError until the training starts")
    unset = "what it sets up is missing, which is an error at the first use"
    return Note.on_keras_3(unset) if name == "keras.metrics.Metric" else Note(unset)


def _on_stranger(facts: Facts, owner: ClassFacts, call: cst.Call, named: cst.BaseExpression) -> Finding | None:
    """`super(Other, self)`, copied from another class of the file, or from another file."""
    definition = facts.names.definition(named)
    if isinstance(named, cst.Name) and facts.names.is_unbound(named):
        return facts.finding(
            call, f"`{facts.text(call)}` names a class that this file does not have", "it raises NameError"
        )
    if not isinstance(definition, cst.ClassDef) or not owner.lineage_is_known:
        return None
    below = (other for other in facts.classes if owner in other.lineage)
    related = {*owner.lineage, *(base for other in below for base in other.lineage)}
    if any(known.node is definition for known in related):
        return None
    message = f"`{facts.text(call)}` names a class that is not a base class of `{owner.name}`"
    return facts.finding(call, message, "it raises TypeError")


def _on_own_base(facts: Facts, owner: ClassFacts, call: cst.Call, named: cst.BaseExpression) -> Iterator[Finding]:
    """`super(Base, self).__init__()` with a base of the file: on purpose, unless a batch needs what that one sets."""
    skipped = next((base for base in owner.lineage[1:] if base.node is facts.names.definition(named)), None)
    if (
        skipped is None
        or _method(facts, call) != "__init__"
        or facts.tree.function(call) is not owner.methods.get("__init__")
    ):
        return
    late = facts.setups.lost_with(owner, skipped)
    if late:
        names = " and ".join(f"`self.{name}`" for name in late[:2]) + (" and more" if late[2:] else "")
        message = f"`{facts.text(call)}` skips `{skipped.name}.__init__`, which alone sets {names}"
        finding = facts.finding(call, message, "it raises AttributeError at the first batch", "write `super()`")
        yield finding.unfixed(f"`{skipped.name}.__init__` may need other arguments")


def _method(facts: Facts, call: cst.Call) -> str:
    parent = facts.tree.parents[call]
    return parent.attr.value if isinstance(parent, cst.Attribute) else ""


def _is_plain(facts: Facts, call: cst.Call) -> bool:
    """Whether `super()` works there: right in a method, outside comprehensions and inner functions."""
    function = facts.tree.enclosing(
        call, cst.FunctionDef, cst.Lambda, cst.GeneratorExp, cst.ListComp, cst.SetComp, cst.DictComp
    )
    return isinstance(function, cst.FunctionDef) and facts.values.self_class(
        call.args[1].value
    ) is facts.tree.parents.get(facts.tree.parents.get(function, function))
