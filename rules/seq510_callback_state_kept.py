"""A callback decides when training ends by what it keeps from an earlier training.

## Why
`__init__` runs once, however often the callback is passed. A best value or a counter that is only set there is still that of the last training when the
next begins: with folds or stages, later trainings end after an epoch.

## Measured
- On every Keras, a callback that stops after 2 epochs without a better loss, with its best value and its counter set in `__init__` alone, lets three
  equal trainings run 8, 1 and 1 epochs. With both set in `on_train_begin` they run 8, 8 and 8.

## Do this
Set them in `on_train_begin(self, logs=None)`, too. The fix does it where constants begin them, and each training that gets the callback is
of another model: one that goes on with the same model may count over all of its trainings on purpose.

## Silent when
A hook that runs at a beginning sets it, or code outside of the class does; each object that the file makes serves one training.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    KeptState,
    Levels,
    Note,
    Rule,
    Trainings,
    any_of,
    begin_anew,
    matching,
)

_START = """
import keras
import numpy as np


class Stop(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.seen = 0
AGAIN
    def on_epoch_end(self, epoch, logs=None):
        self.seen += 1
        if self.seen >= 2:
            self.model.stop_training = True


stop = Stop()
rows = np.ones((8, 3), "float32")
for fold in range(2):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    print(len(model.fit(rows, rows[:, :1], epochs=4, verbose=0, callbacks=[stop]).epoch))
"""
_BEGINS = "\n    def on_train_begin(self, logs=None):\n        self.seen = 0\n"

_COUNTS = "        self.folds = 0\n\n    def on_train_begin(self, logs=None):\n        self.folds += 1\n"

RULE = Rule(
    code="SEQ510",
    name="callback-state-kept",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"stop", "epochs", "steps", "samples", "history", "weights", "hooks", "state", "output"})
    ),
    needs=(matching(r"[cC]allback|def\s+on_"), any_of("stop_training")),
    examples=(
        Example(_START.replace("AGAIN", ""), _START.replace("AGAIN", _BEGINS)),
        Example(
            _START.replace("AGAIN", _COUNTS),
            _START.replace(
                "AGAIN", _COUNTS.replace("        self.folds +=", "        self.seen = 0\n        self.folds +=")
            ),
        ),
        Example.ok(_START.replace("AGAIN", _BEGINS)),
        Example.ok(_START.replace("AGAIN", _BEGINS.replace("on_train_begin(self", "on_epoch_begin(self, epoch"))),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for kept in facts.kept_states.all:
        if facts.run.domain(Trainings).serves_again(facts.span(kept.owner.node)) is False:
            continue
        names = " and ".join(f"`{name}`" for name in kept.names[:2])
        message = f"`{kept.owner.name}` stops by {names}, which no training begins anew"
        finding = facts.finding(kept.starts[0], message, Note("a second training with it can end after an epoch"))
        edit = _edit(facts, kept)
        if isinstance(edit, Edit):
            yield finding.fixed_by(f"Set {names} in `on_train_begin`", edit)
        else:
            yield but(finding, help=f"set {names} in `on_train_begin`, too").unfixed(edit)


def _edit(facts: Facts, kept: KeptState) -> Edit | str:
    if not facts.run.domain(Trainings).serves_other_models(facts.span(kept.owner.node)):
        return "a later training may go on with the same model"
    return begin_anew(facts, kept)
