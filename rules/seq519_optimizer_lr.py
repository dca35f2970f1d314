"""The learning rate of an optimizer is called `lr`, or `decay` is used.

## Why
The name has been `learning_rate` since Keras 2.3. On Keras 3 an optimizer has no `lr`: reading it fails, and setting it makes a new
attribute that nothing reads. So a warm-up, a schedule or a reduction by hand does nothing at all.

## Measured
- Keras 3: `model.optimizer.lr` raises AttributeError "'Adam' object has no attribute 'lr'".
- Keras 3: `model.optimizer.lr = 0.1` is accepted and the learning rate stays at 0.001.
- Keras 3: `Adam(lr=0.1)` raises ValueError "Argument(s) not recognized"; `Adam(decay=0.1)` is ignored with a UserWarning. So is `Adam(decay=0.0)`,
  which asked for nothing.
- Keras 3 and Keras 2: `keras.optimizers` of Keras 3 and of tf-keras has no `adam`, `sgd` and the like: AttributeError, ImportError.
- Keras 3: `keras.backend` has no `get_value` and no `set_value` (nor `eval`); `tf.keras.backend.set_value` raises AttributeError for a learning rate.
- Keras 3.0 to 3.9: `float(optimizer.learning_rate)` raises TypeError in 3.3; `float(optimizer.learning_rate.numpy())` works everywhere.
- Keras 2: `optimizer.lr` works, read and set. From 2.11 on `Adam(lr=0.1)` is ignored: the learning rate stays at 0.001, and a line of
  the log says so. `Adam(decay=0.1)` raises ValueError, and `Adam(decay=0.0)` does.

## Do this
Write `learning_rate`. Where other code needs the old variable, as in `optimizer.lr.assign_add(0.1)`, assign a number to
`optimizer.learning_rate` instead. For `decay` use `keras.optimizers.schedules.InverseTimeDecay`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Constant,
    Contract,
    Example,
    Facts,
    Finding,
    Level,
    Levels,
    Note,
    Rate,
    Rule,
    Sometimes,
    any_of,
    by_its_name,
    cst,
    handed_to,  # fmt: skip
    name_argument,
    remove_argument,
    replace,
)

_RAMP = """
import keras
import numpy as np


class Ramp(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        self.model.optimizer.lr = 0.05 * (epoch + 1)


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.SGD(), loss="mse")
model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), epochs=2, verbose=0, callbacks=[Ramp()])
"""
_MAKE = """
import keras
import numpy as np

optimizer = keras.optimizers.SGD(lr=0.02, momentum=0.9)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=optimizer, loss="mse")
model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), verbose=0)
"""
_READ = """
import keras
import numpy as np
import tensorflow as tf

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.SGD(0.02), loss="mse")
rate = float(model.optimizer.lr)
model.optimizer.lr *= rate + 0.5
keras.backend.set_value(model.optimizer.lr, 0.5 * keras.backend.get_value(model.optimizer.lr))
model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), verbose=0)
"""

RULE = Rule(
    code="SEQ519",
    name="optimizer-lr",
    since="0.1.0",
    levels=Levels(keras2=None, early="error", keras3="error"),
    sometimes=Sometimes(keras2=("error",), early=("warning",), keras3=("warning",)),
    contract=Contract(
        changes=frozenset({"history", "weights", "settings"}),
        repairs=frozenset({"errors", "warnings"}),
        holds=frozenset({"only rates asked"}),
    ),
    migration=True,
    needs=(any_of("lr", "decay"),),
    examples=(
        Example(_RAMP, _RAMP.replace("optimizer.lr", "optimizer.learning_rate"), keras=">=3"),
        Example(
            _READ,
            _READ.replace("float(model.optimizer.lr)", "float(model.optimizer.learning_rate.numpy())")
            .replace(
                "model.optimizer.lr *= rate + 0.5",
                "model.optimizer.learning_rate = model.optimizer.learning_rate * (rate + 0.5)",
            )
            .replace("keras.backend.get_value(model.optimizer.lr)", "model.optimizer.learning_rate.numpy()")
            .replace("keras.backend.set_value(model.optimizer.lr, ", "model.optimizer.learning_rate = ")
            .replace("numpy())\nmodel.fit", "numpy()\nmodel.fit"),
            keras=">=3",
            contract=Contract(repairs=frozenset({"errors"})),
        ),
        Example(
            _MAKE,
            _MAKE.replace("lr=", "learning_rate="),
            keras=">=3",
            contract=Contract(repairs=frozenset({"errors", "warnings"})),
        ),
        Example(_MAKE, _MAKE.replace("lr=", "learning_rate="), keras="tf-keras"),
        Example(_MAKE.replace("lr=0.02, momentum=0.9", "0.02, decay=0.1"), keras=">=3"),
        Example(
            _MAKE.replace("SGD(lr=", "sgd(lr="),
            _MAKE.replace("lr=", "learning_rate="),
            keras=">=3",
            contract=Contract(repairs=frozenset({"errors", "warnings"})),
        ),
        Example.where_unknown("import keras\n\n\ndef halve(net: keras.Model):\n    net.optimizer.lr = 0.5\n"),
        Example.ok(_MAKE.replace("lr=", "learning_rate=") + "optimizer.learning_rate = 0.1\n"),
        Example.ok(_RAMP, keras="tf-keras"),
        Example.ok(_MAKE.replace("lr=0.02, momentum=0.9", "0.02, decay=0.0"), keras=">=3"),
        Example.ok(
            """
import keras


class Schedule:
    def __init__(self):
        self.lr = 0.1
        self.optimizer = None

    def step(self):
        return self.lr / 2


schedule = Schedule()
print(schedule.lr)
if hasattr(keras.optimizers.SGD(), "lr"):
    print(keras.optimizers.SGD().lr)
"""
        ),
    ),
    sources=("keras-team/keras#19215",),
)

_FAILS = Contract(repairs=frozenset({"errors", "warnings"}))


def check(facts: Facts) -> Iterator[Finding]:
    for rate in facts.optimizers.rates:
        if facts.mentions.optional(rate.node) or facts.evidence.guarded(rate.node):
            continue
        if not facts.packages.is_keras_2(_owner(rate)):
            yield _on_rate(facts, rate)
    for call in facts.optimizers.made:
        for argument in _old(call):
            if not facts.evidence.guarded(call):
                yield _on_argument(facts, call, argument)
    for call, name in facts.optimizers.by_second_name():
        if _old(call) and not (facts.evidence.guarded(call) or facts.mentions.optional(call.func)):
            yield _by_second_name(facts, call, name)
    for name, place in handed_to(facts.run, "keras.optimizers.", "lr"):
        message = f"`{name}` gets `lr` by `**`: its name is `learning_rate`"
        note = Note.on_keras_3("ValueError", "from 2.11 on the learning rate stays at its default")
        finding = facts.finding_at(facts.run.span(place), message, note, "call it `learning_rate` where it is set")
        levels = _levels(facts.keras.lines == {"2"}, not facts.keras.may_be_older("2.11"), "error")
        yield but(finding, levels=levels, no_fix="other code may read the settings")


def _old(call: cst.Call) -> tuple[cst.Arg, ...]:
    """The arguments with the names of old."""
    return tuple(one for one in call.args if one.keyword is not None and one.keyword.value in ("lr", "decay"))


def _on_rate(facts: Facts, rate: Rate) -> Finding:
    text = facts.text(rate.node)
    if rate.use == "set":
        same = Note.on_keras_3("the learning rate stays as it was", "it works")
        finding = facts.finding(rate.node, f"`{text}` is set, but Keras 3 reads `learning_rate` only", same)
    else:
        finding = facts.finding(
            rate.node,
            f"`{text}` does not exist on Keras 3",
            Note.on_keras_3("reading it raises AttributeError", "it works"),
        )
    if rate.of_keras != "yes":
        what = "a Keras model" if isinstance(rate.node.value, cst.Attribute) else "an optimizer of Keras"
        return finding.provided(f"`{facts.text(_owner(rate))}` is {what}", RULE.levels)
    edits = by_its_name(facts, rate)
    contract = None if rate.use == "set" else _FAILS
    if edits:
        return finding.fixed_by("Use `learning_rate`", *edits, contract=contract)
    return but(finding, help="use `learning_rate`", no_fix="the code uses `lr` as the variable that it was on Keras 2")


def _levels(on_2: bool, new: bool, level: Level | None) -> Levels:
    """Those of an argument: Keras 2 minds it from 2.11 on, and of an optimizer of `tf_keras` nothing else counts."""
    on_keras_2: Level | None = "error" if new else None
    return Levels(on_keras_2, None, None, mixed=on_keras_2) if on_2 else Levels(on_keras_2, level, level)


def _owner(rate: Rate) -> cst.BaseExpression:
    """The model of `model.optimizer.lr`, the optimizer of `optimizer.lr`."""
    return rate.node.value.value if isinstance(rate.node.value, cst.Attribute) else rate.node.value


def _by_second_name(facts: Facts, call: cst.Call, name: str) -> Finding:
    """`keras.optimizers.adam(lr=0.1)`: neither name is there, and the first one fails."""
    old = _old(call)
    words = [one.keyword.value for one in old if one.keyword is not None]
    by_module = isinstance(call.func, cst.Attribute)
    message = f"`{facts.text(call.func)}` does not exist any more: its name is `{name}`"
    later = "`learning_rate` for `lr`" if "lr" in words else "no `decay`"
    note = Note(
        f"{'the call raises AttributeError' if by_module else 'the import raises ImportError'}; `{name}` takes {later}"
    )
    levels = _levels(facts.keras.lines == {"2"}, not facts.keras.may_be_older("2.11"), "error")
    finding = Finding(*facts.pointer(old[0]), message, levels=levels, note=note)
    if not isinstance(call.func, cst.Attribute) or words != ["lr"]:
        reason = (
            "what takes the place of `decay` is for you to decide"
            if by_module
            else "its import would have to change too"
        )
        return but(finding, help=f"write `{name}`, and `learning_rate` for `lr`", no_fix=reason)
    edits = (replace(facts, call.func.attr, name), name_argument(facts, old[0], "learning_rate"))
    return finding.fixed_by(f"Write `{name}` and `learning_rate`", *edits, contract=_FAILS)


def _on_argument(facts: Facts, call: cst.Call, argument: cst.Arg) -> Finding:
    on_2 = facts.packages.is_keras_2(call) or facts.keras.lines == {"2"}
    new = facts.packages.is_keras_2(call) or not facts.keras.may_be_older("2.11")
    if argument.keyword is not None and argument.keyword.value == "lr":
        return _on_lr(facts, call, argument, on_2=on_2, new=new)
    return _on_decay(facts, call, argument, on_2=on_2, new=new)


def _on_lr(facts: Facts, call: cst.Call, argument: cst.Arg, *, on_2: bool, new: bool) -> Finding:
    ignored = "the learning rate stays at its default"
    what = "is ignored" if new and on_2 else "is refused on Keras 3"
    note = Note(ignored) if new and on_2 else Note.on_keras_3("ValueError", f"from 2.11 on {ignored}")
    message = f"`lr` of `{facts.text(call.func)}` {what}: its name is `learning_rate`"
    finding = but(facts.finding(argument, message, note), levels=_levels(on_2, new, "error"))
    contract = None if "2" in facts.keras.lines and facts.keras.may_be("2.11") else _FAILS
    return finding.fixed_by("Write `learning_rate`", name_argument(facts, argument, "learning_rate"), contract=contract)


def _on_decay(facts: Facts, call: cst.Call, argument: cst.Arg, *, on_2: bool, new: bool) -> Finding:
    nothing = facts.values.constant(argument.value) in (Constant(0), Constant(0.0), Constant(None))
    refused = nothing or (new and on_2)
    fate = "is refused" if refused else "is ignored on Keras 3"
    ignored = Note.on_keras_3("the learning rate stays as it starts", "ValueError from 2.11 on")
    note = Note("ValueError") if refused else ignored
    finding = facts.finding(argument, f"`decay` of `{facts.text(call.func)}` {fate}", note)
    finding = but(finding, levels=_levels(on_2, new, None if nothing else "warning"))
    if not nothing:
        reason = "how fast the learning rate falls is for you to decide"
        return but(finding, help="use `keras.optimizers.schedules.InverseTimeDecay`", no_fix=reason)
    edits = remove_argument(facts, call, argument)
    if edits:
        return finding.fixed_by("Drop `decay`", *edits, contract=_FAILS)
    return but(finding, help="drop `decay`", no_fix="a comment speaks of the argument")
