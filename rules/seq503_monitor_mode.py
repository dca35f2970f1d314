"""A callback can't tell whether more of the value that it watches is better.

## Why
EarlyStopping, ReduceLROnPlateau and ModelCheckpoint compare values. With `mode="auto"`, which is the default, Keras 2 goes by the name alone, and takes
less of nearly everything for better: of a precision, a recall, an F1, an IoU. So training stops when the model improves, and the file holds
the worst model. Keras 3.10 and later asks the metric, and most functions of your own say nothing.

## Measured
- Keras 3.10 and later: a function of your own (`val_f1`), a `Mean`, a value of a model with several outputs (`val_a_accuracy`, `val_a_loss`): ValueError
  after the first epoch. The metrics of Keras are taken in the right way, also under another name.
- Keras 3.0 to 3.9: EarlyStopping raises ValueError for a function of your own. ReduceLROnPlateau and ModelCheckpoint go by the name, and take less of
  AUC, Precision, Recall, BinaryIoU, F1Score and R2Score for better.
- Keras 2: EarlyStopping takes more for better where the name ends in `acc`, `accuracy` or `auc`, ReduceLROnPlateau and ModelCheckpoint where it has `acc` in
  it, and less of anything else. With a value that rises in each of 5 epochs and `patience=1` training stops after epoch 2.

## Do this
Say the mode for every value but the loss and the accuracy: `mode="max"` or `mode="min"`.

## Silent when
The mode is given. The value goes the way that Keras takes it. Nobody knows which metric has the name, or the name says nothing about its direction.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Directions,
    Example,
    Facts,
    Finding,
    FitLogs,
    KerasLine,
    Levels,
    Monitor,
    Monitors,
    Note,
    Rule,
    any_of,
    callee,
    constant_of,
    is_expected_to_fail,
    mode_edit,
    monitor_node,
)

_START = """
import keras
import numpy as np
import tensorflow as tf


def f1(true, guess):
    return tf.reduce_mean(guess)


x = np.ones((16, 2), "float32")
y = x[:, :1]
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=[f1, keras.metrics.Recall(name="recall")])
"""
_FIT = """stop = keras.callbacks.EarlyStopping(monitor="val_f1", patience=1)
model.fit(x, y, epochs=5, verbose=0, validation_data=(x, y), callbacks=[stop])
"""
_MAX = _FIT.replace('"val_f1", ', '"val_f1", mode="max", ')

RULE = Rule(
    code="SEQ503",
    name="monitor-mode",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "epochs", "steps", "stop", "history", "weights", "settings"}),
        repairs=frozenset({"errors"}),
        holds=frozenset({"only moments asked", "better by name"}),
    ),
    needs=(
        any_of("fit", "fit_generator"),
        any_of("EarlyStopping", "ReduceLROnPlateau", "ModelCheckpoint", "callbacks"),
    ),
    examples=(
        Example(_START + _FIT, _START + _MAX),
        Example(_START.replace("f1", "gap") + _FIT.replace("f1", "gap"), keras=">=3.10"),
        Example.ok(_START + _MAX),
        Example.ok(_START + _FIT.replace("val_f1", "val_loss")),
        Example.ok(_START + _FIT.replace("val_f1", "val_recall"), keras=">=3.10"),
    ),
    sources=("keras-team/keras#18798", "tensorflow/tensorflow#59036"),
)

_LINES: tuple[KerasLine, ...] = ("2", "3.0-3.9", "3.10+")
_RAISES = "`fit` raises ValueError after the first epoch"
_WRONG = {
    "EarlyStopping": "training stops while the value still gets better",
    "ReduceLROnPlateau": "the learning rate falls while the value still gets better",
    "ModelCheckpoint": "the file holds the worst model",
}


def check(facts: Facts) -> Iterator[Finding]:
    run, logs = facts.run, facts.run.domain(FitLogs)
    seen = set()
    for monitor in run.domain(Monitors).all:
        place = run.place(monitor.made)
        here = any(run.is_here(call.context) for call in (monitor.made, monitor.fit))
        if place is None or not here or not _is_auto(monitor) or is_expected_to_fail(monitor.fit):
            continue
        outcomes = {line: text for line in _LINES if (text := _outcome(facts, monitor, line))}
        where = (monitor_node(monitor.made) if place is monitor.made.node else None) or place
        if not outcomes or where in seen:
            continue
        seen.add(where)
        meant = facts.run.domain(Directions).meant(monitor)
        finding = facts.finding_at(run.span(where), _message(monitor, meant), _note(outcomes), "give the `mode`")
        finding = but(finding, levels=Levels.on("error", outcomes))
        if not logs.is_model(monitor.fit):
            finding = finding.provided(f"`{callee(run, monitor.fit)}` is that of a Keras model", RULE.levels)
        if monitor.by_default:
            finding = finding.provided("the options keep their defaults", RULE.levels)
        yield finding if finding.condition else _fixed(facts, finding, monitor, meant)


def _is_auto(monitor: Monitor) -> bool:
    mode = monitor.member.argument("mode")
    return not monitor.rewritten and monitor.is_written and (mode is None or constant_of(mode) == "auto")


def _outcome(facts: Facts, monitor: Monitor, line: KerasLine) -> str:
    """What goes wrong on a line of Keras; empty where nothing does, or nobody knows."""
    logs, directions = facts.run.domain(FitLogs), facts.run.domain(Directions)
    validates = logs.validates(monitor.fit, monitor.way)
    if monitor.name.startswith("val_") and validates == "no":
        return ""
    if logs.of(monitor.fit, line, monitor.way).has(monitor.name) == "no":
        return ""
    auto, meant = directions.auto(monitor, line), directions.meant(monitor)
    if auto == "raises":
        return _RAISES if monitor.decides or line == "3.10+" else ""
    wrong = monitor.decides and {auto, meant} == {"max", "min"}
    return _WRONG[monitor.member.kind] if wrong else ""


def _fixed(facts: Facts, finding: Finding, monitor: Monitor, meant: str) -> Finding:
    if meant == "unknown":
        return finding.unfixed(f"nobody knows whether more of `{monitor.name}` is better")
    edit = mode_edit(facts, monitor.made, meant)
    if edit is None:
        return finding.unfixed("the arguments are given elsewhere")
    return but(finding.fixed_by(f'Say `mode="{meant}"`', edit), help="")


def _message(monitor: Monitor, meant: str) -> str:
    if meant == "max":
        return f"`{monitor.member.word}` is not told that more of `{monitor.name}` is better"
    if meant == "min":
        return f"`{monitor.member.word}` is not told that less of `{monitor.name}` is better"
    return f"`{monitor.member.word}` is not told whether more of `{monitor.name}` is better"


def _note(outcomes: dict[KerasLine, str]) -> Note:
    found = set(outcomes.values())
    if len(outcomes) == len(_LINES) and len(found) == 1:
        return Note(found.pop())
    return Note(keras2=outcomes.get("2", ""), early=outcomes.get("3.0-3.9", ""), keras3=outcomes.get("3.10+", ""))
