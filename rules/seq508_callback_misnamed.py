"""A method of a callback is named almost like a hook, and never called.

## Why
Keras calls the hooks that it knows by name. `on_epoch_start` or `on_epoch_ends` is a method like any other: what it does never happens.

## Measured
- On every Keras `on_epoch_start`, `on_epoch_ends`, `on_training_end`, `on_validation_end` and `on_train_epoch_end` are called 0 times in a
  training of 2 epochs with validation, and nothing says so.

## Do this
Name it like the hook: `on_epoch_begin`, `on_epoch_end`, `on_train_end`, `on_test_end`. The fix renames it where it takes what the hook takes, under the same
names, and no class of its family has the hook; not where a name may mean two hooks, as `on_epoch` or `on_train_epoch_end`.

## Silent when
Anything in the file speaks of the method, a base in another file may call it, or it does nothing.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    CALLBACK_HOOKS,
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Rule,
    alike,
    as_hook,
    cst,
    matching,
)

_START = """
import keras
import numpy as np


class Watch(keras.callbacks.Callback):
    def HOOK(self, epoch, logs=None):
        print("epoch", epoch)


rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, :1], epochs=2, verbose=0, callbacks=[Watch()])
"""
_STOPS = _START.replace('print("epoch", epoch)', "self.model.stop_training = True")

RULE = Rule(
    code="SEQ508",
    name="callback-misnamed",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"hooks", "output", "stop", "epochs", "steps", "samples", "history", "weights"})
    ),
    needs=(matching(r"def\s+on[A-Z_]"),),
    examples=(
        Example(_START.replace("HOOK", "on_epoch_start"), _START.replace("HOOK", "on_epoch_begin")),
        Example(_STOPS.replace("HOOK", "on_epoch_ends"), _STOPS.replace("HOOK", "on_epoch_end")),
        Example(_START.replace("HOOK", "on_train_epoch_end")),
        Example.ok(_START.replace("HOOK", "on_epoch_end")),
        Example.ok(
            _START.replace("HOOK", "on_epoch_end")
            .replace(
                '        print("epoch"', '        self.on_epochs()\n\n    def on_epochs(self):\n        print("epoch"'
            )
            .replace(", epoch)\n\n\nrows", ")\n\n\nrows")
        ),
    ),
)

_OTHERS = {
    "on_epoch_begin": ("onepochstart", "onepochstarts", "onepochstarted", "ontrainepochstart", "ontrainepochbegin", "onbeginepoch"),
    "on_epoch_end": ("onepochfinish", "onepochfinished", "onepochstop", "ontrainepochend", "onendepoch", "onepochover", "onepoch"),
    "on_train_begin": ("ontrainstart", "ontrainingstart", "ontrainingbegin", "onfitstart", "onfitbegin", "onbegintrain"),
    "on_train_end": ("ontrainingend", "ontrainfinish", "onfitend", "onendtrain", "ontrainstop", "ontrainingstop"),
    "on_train_batch_begin": ("ontrainbatchstart", "onbatchstart", "ontrainingbatchstart", "ontrainingbatchbegin"),
    "on_train_batch_end": ("ontrainingbatchend", "onbatchfinish", "onbatchfinished"),
    "on_test_begin": ("onteststart", "onvalidationstart", "onvalidationbegin", "onvalbegin", "onvalstart", "onevaluatebegin"),
    "on_test_end": ("onvalidationend", "onvalend", "onevaluateend", "onvalidationepochend"),
    "on_test_batch_end": ("onvalidationbatchend", "onvalbatchend"),
    "on_test_batch_begin": ("onvalidationbatchstart", "onvalidationbatchbegin", "ontestbatchstart"),
}  # fmt: skip
_WHY_NOT = "it may be meant for another hook"
_MEANT = {name: hook for hook, names in _OTHERS.items() for name in names}


def check(facts: Facts) -> Iterator[Finding]:
    for owner in facts.callbacks:
        for name, method in owner.methods.items():
            hook = _meant(name)
            if not hook or method.decorators or not _does_something(method) or facts.called.is_spoken_of(name):
                continue
            if facts.called.may_be_used_by_base(owner, name) or facts.may_be_base(owner):
                continue
            message = f"`{owner.name}.{name}` is never called: Keras calls `{hook}`"
            finding = facts.finding(method, message, Note("nothing warns you"))
            edit = _WHY_NOT if _is_of_others(name) else as_hook(facts, owner, method, hook)
            if isinstance(edit, Edit):
                yield finding.fixed_by(f"Rename it to `{hook}`", edit)
            else:
                taken = " and ".join(f"`{each}`" for each in CALLBACK_HOOKS[hook])
                yield but(finding, help=f"name it `{hook}`, with {taken}").unfixed(edit)


def _meant(name: str) -> str:
    """The hook that a name was meant to be; empty for a hook itself, and for any other name."""
    plain = name.replace("_", "").lower()
    if name in CALLBACK_HOOKS or not plain.startswith("on") or name.startswith("_"):
        return ""
    if plain in _MEANT:
        return _MEANT[plain]
    near = [hook for hook in CALLBACK_HOOKS if alike(name, hook)]
    exact = [hook for hook in near if hook.replace("_", "") == plain]
    return (exact or near)[0] if len(exact) == 1 or len(near) == 1 else ""


def _is_of_others(name: str) -> bool:
    """Whether a name may mean two hooks, or is that of a hook in another library."""
    plain = name.replace("_", "").lower()
    return plain == "onepoch" or plain.startswith(("ontrainepoch", "onval", "onevaluate"))


def _does_something(method: cst.FunctionDef) -> bool:
    """Whether a method is more than a docstring, `pass`, `raise NotImplementedError`."""
    lines = [line.body if isinstance(line, cst.SimpleStatementLine) else (line,) for line in method.body.body]
    idle = (cst.Pass, cst.Raise)
    return any(
        not isinstance(each, idle)
        and not (isinstance(each, cst.Expr) and isinstance(each.value, (cst.SimpleString, cst.Ellipsis)))
        for line in lines
        for each in line
    )
