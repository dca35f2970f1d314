"""A hook that runs at a beginning reads a value of `logs`, which is empty there.

## Why
`logs` holds what was measured, so there is nothing in it before an epoch, a batch or a training. `logs["loss"]` raises KeyError, and
`logs.get("loss")` is always None: a test of it never acts.

## Measured
- On every Keras `logs` is {} in `on_train_begin`, `on_epoch_begin`, `on_train_batch_begin`, `on_test_begin`, `on_test_batch_begin`,
  `on_predict_begin` and `on_predict_batch_begin`.

## Do this
Read it in the hook of the end (`on_epoch_end`), or keep it there in an attribute for the next beginning.

## Silent when
`logs` is only shown or handed on, or a helper gets it from hooks of the end, too.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import BeginRead, Example, Facts, Finding, HookReads, Levels, Note, Rule, Sometimes, matching

_START = """
import keras
import numpy as np


class Watch(keras.callbacks.Callback):
    def on_epoch_HOOK(self, epoch, logs=None):
        BODY


rows = np.ones((8, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, :1], epochs=2, verbose=0, callbacks=[Watch()])
"""
_BEGIN = _START.replace("HOOK", "begin")

RULE = Rule(
    code="SEQ522",
    name="logs-of-begin-hook",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning"),
    needs=(matching(r"on_\w*begin\b"),),
    examples=(
        Example(_BEGIN.replace("BODY", 'print(epoch, logs["loss"])')),
        Example(_BEGIN.replace("BODY", 'self.last = (logs or {}).get("loss")')),
        Example.ok(_BEGIN.replace("BODY", "print(epoch, sorted(logs.keys()))")),
        Example.ok(_START.replace("HOOK", "end").replace("BODY", 'print(epoch, logs["loss"])')),
    ),
    sources=("keras-team/keras#10498",),
)

_NOTES = {"item": Note("it raises KeyError"), "get": Note("it is always None"), "in": Note("it is never true")}


def check(facts: Facts) -> Iterator[Finding]:
    for read in facts.run.domain(HookReads).of_begin:
        message = f"`logs` is empty in `{read.hook}`: {_what(read)}"
        help_ = f"read it in `{read.hook.replace('begin', 'end')}`, and keep it in an attribute"
        finding = facts.finding_at(facts.run.span(read.node), message, _NOTES[read.how], help_)
        yield finding if read.how == "item" else but(finding, levels=Levels.everywhere("warning"))


def _what(read: BeginRead) -> str:
    return {"item": "this raises KeyError", "get": "this gets None", "in": "no key is in it"}[read.how]
