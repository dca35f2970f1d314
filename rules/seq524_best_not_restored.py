"""The best epoch is known, and the weights of the last one are used.

## Why
EarlyStopping waits for `patience` epochs without anything better, and then stops: the model has the weights of the last of them. ModelCheckpoint
writes the best weights into a file, and the model goes on with others. What is evaluated, saved or predicted with after the training is not the best.

## Measured
- On every Keras, a training whose loss grows from its first epoch on stops after 3 epochs: the model is evaluated with a loss of 639.50, and with 104.37
  under `restore_best_weights=True`.
- On every Keras the best weights come back where the last of `epochs` ends the training, too.
- On every Keras `ModelCheckpoint(save_best_only=True)` leaves the model as it is: evaluated with 639.50, and with 104.37 after `load_weights`.

## Do this
Pass `restore_best_weights=True`, or load the best checkpoint after the training. No fix is offered where the program says
`restore_best_weights=False`, nor for a ModelCheckpoint alone: what it has saved may be meant for another program.

This rule is off unless `select` or `extend-select` names it: the last epochs are often nearly as good.

## Silent when
Weights or a model are loaded after the training, or it goes on; nothing uses the model after it; a callback that isn't Keras's may restore them.
"""

from collections.abc import Iterator

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    LastWeights,
    Levels,
    Rule,
    Unrestored,
    add_argument,
    any_of,
)

_START = """
import keras
import numpy as np

rows = np.arange(12, dtype="float32").reshape(12, 1)
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, kernel_initializer="ones")])
model.compile(optimizer=keras.optimizers.SGD(0.03), loss="mse")
early = keras.callbacks.EarlyStopping("loss", patience=2RESTORE)
model.fit(rows, 2 * rows, batch_size=12, epochs=6, verbose=0, callbacks=[early])
"""
_LAST = _START.replace("RESTORE", "")
_BEST = _START.replace("RESTORE", ", restore_best_weights=True")
_SCORE = "print(model.evaluate(rows, 2 * rows, verbose=0))\n"
_KEPT = _LAST.replace(
    'EarlyStopping("loss", patience=2)',
    'ModelCheckpoint("best.weights.h5", "loss", save_best_only=True, save_weights_only=True)',
)

RULE = Rule(
    code="SEQ524",
    name="best-not-restored",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    contract=Contract(changes=frozenset({"weights", "history", "output"})),
    default=False,
    needs=(
        any_of("EarlyStopping", "ModelCheckpoint"),
        any_of("fit", "fit_generator"),
        any_of("evaluate", "predict", "save", "save_weights", "export"),
    ),
    examples=(
        Example(_LAST + _SCORE, _BEST + _SCORE),
        Example(_LAST.replace("=2)", "=2, restore_best_weights=False)") + "model.predict(rows, verbose=0)\n"),
        Example(_KEPT + _SCORE),
        Example.ok(_BEST + _SCORE),
        Example.ok(_KEPT + 'model.load_weights("best.weights.h5")\n' + _SCORE),
    ),
)

_WHY_NOT = {
    "EarlyStopping": "the program says `restore_best_weights=False`",
    "ModelCheckpoint": "the file may be meant for another program",
}


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for last in facts.run.domain(Unrestored).all:
        if last.made.node not in seen:
            seen.add(last.made.node)
            yield _finding(facts, last)


def _finding(facts: Facts, last: LastWeights) -> Finding:
    kind, use = last.member.kind, last.use.result.method
    knows = "has seen" if kind == "EarlyStopping" else "has saved"
    message = f"`{use}` uses the last weights, not the best that `{last.member.word}` {knows}"
    finding = facts.finding_at(facts.run.span(last.made.node), message, "an epoch before the last one may be better")
    call = facts.call_node(last.made.node)
    if kind != "EarlyStopping" or not last.is_left_out or call is None:
        return finding.unfixed(_WHY_NOT[kind])
    return finding.fixed_by("Restore the best weights", add_argument(facts, call, "restore_best_weights=True"))
