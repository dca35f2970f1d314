"""A callback watches a value under a name that `fit` does not log.

## Why
The names come from `compile`: `metrics=["accuracy"]` is logged as `accuracy` and `val_accuracy`, `metrics=["acc"]` as `acc` and `val_acc`. Code for
Keras before 2.3 and TensorFlow 1 watches `val_acc` in both cases. With several outputs the name of the output comes first: `val_kind_accuracy`.
Unnamed objects such as `AUC()` are numbered: `auc`, `auc_1`.

## Measured
- Keras 3.10 and later: with `mode="auto"` EarlyStopping, ReduceLROnPlateau and ModelCheckpoint raise ValueError after the first epoch.
- Keras 3.0 to 3.9: with `mode="auto"` EarlyStopping raises ValueError after the first epoch; ReduceLROnPlateau never changes the learning rate,
  and ModelCheckpoint with `save_best_only=True` writes no file.
- Keras 2: EarlyStopping never stops, ReduceLROnPlateau never changes the learning rate, and ModelCheckpoint with `save_best_only=True` writes no file.
- Keras 3: with a mode of its own EarlyStopping never stops. ModelCheckpoint saves every epoch (3.10 and later) or none (3.0 to 3.9).

## Do this
Watch the name that is logged; `print(history.history.keys())` shows all of them. Or give the metric the name: `AUC(name="auc")`.

## Silent when
Nobody knows what is logged: unknown metrics, a model that is compiled elsewhere or has a `train_step` of its own, a callback that may add the value.
A `val_` value of a `fit` without validation data is SEQ501.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    FitLogs,
    Levels,
    Miss,
    Misses,
    Monitor,
    Monitors,
    Note,
    Rule,
    any_of,
    callee,
    constant_of,
    is_expected_to_fail,
    monitor_node,
    renamed,
)

_START = """
import keras
import numpy as np

x = np.linspace(0, 1, 32).reshape(16, 2).astype("float32")
y = (x[:, :1] > 0.5).astype("float32")
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=["accuracy"])
"""
_FIT = """stop = keras.callbacks.EarlyStopping(monitor="val_acc", patience=9)
model.fit(x, y, epochs=2, verbose=0, validation_data=(x, y), callbacks=[stop])
"""
_BETTER = _FIT.replace("val_acc", "val_accuracy")
_STOPS = _FIT.replace("patience=9", 'mode="max", min_delta=9.0, patience=1').replace("epochs=2", "epochs=4")
_PLATEAU = _FIT.replace("EarlyStopping", "ReduceLROnPlateau").replace("val_acc", "val_f1")

RULE = Rule(
    code="SEQ502",
    name="monitor-unknown",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "epochs", "steps", "stop", "history", "weights", "settings"}),
        repairs=frozenset({"errors", "warnings"}),
        holds=frozenset({"only moments asked", "better by name"}),
    ),
    migration=True,
    needs=(
        any_of("fit", "fit_generator"),
        any_of("EarlyStopping", "ReduceLROnPlateau", "ModelCheckpoint", "callbacks"),
    ),
    examples=(
        Example(
            _START + _FIT,
            _START + _BETTER,
            contract=Contract(
                changes=frozenset({"settings"}),
                repairs=frozenset({"errors", "warnings"}),
                holds=frozenset({"only moments asked", "better by name"}),
            ),
        ),
        Example(_START + _STOPS, _START + _STOPS.replace("val_acc", "val_accuracy")),
        Example(_START + _PLATEAU),
        Example.ok(_START + _BETTER),
        Example.ok(_START.replace('"accuracy"', '"acc"') + _FIT),
        Example.where_unknown(
            "import keras\n\n\ndef train(net, x, y):\n    net.compile('sgd', 'mse', metrics=['accuracy'])\n"
            "    stop = keras.callbacks.EarlyStopping('val_acc')\n"
            "    net.fit(x, y, epochs=9, validation_split=0.1, callbacks=[stop])\n"
        ),
    ),
    sources=("jessieren/DeepVirFinder#12", "keras-team/keras#10018"),
)

_NEVER = {
    "EarlyStopping": ("training never stops early",) * 2,
    "ReduceLROnPlateau": ("the learning rate never changes",) * 2,
    "ModelCheckpoint": ("no file is written", "it saves the newest model, not the best"),
}
_RAISES = "`fit` raises ValueError after the first epoch"


def check(facts: Facts) -> Iterator[Finding]:
    run, logs, misses = facts.run, facts.run.domain(FitLogs), facts.run.domain(Misses)
    if facts.keras.logs_short_names:
        return
    seen = set()
    monitors = [monitor for monitor in run.domain(Monitors).all if not monitor.rewritten]
    for monitor in monitors:
        if logs.validates(monitor.fit, monitor.way) == "no" and monitor.name.startswith("val_"):
            continue
        miss = misses.of(monitor.name, monitor.fit, monitor.way)
        place = run.place(monitor.made)
        here = any(run.is_here(call.context) for call in (monitor.made, monitor.fit))
        levels = _levels(monitor, miss) if miss is not None else None
        if miss is None or levels is None or place is None or not here or is_expected_to_fail(monitor.fit):
            continue
        if any(each.name == miss.name_instead and each.excludes(monitor) for each in monitors):
            continue  # the program chooses between the names of two versions
        where = (monitor_node(monitor.made) if place is monitor.made.node else None) or place
        if where in seen:
            continue
        seen.add(where)
        others = [each for each in monitors if each.made.node is monitor.made.node and each.name == monitor.name]
        finding = facts.finding_at(run.span(where), _message(monitor, miss), _note(monitor), _help(miss))
        finding = but(finding, levels=levels)
        for reason in _doubts(facts, monitor):
            finding = finding.provided(reason, RULE.levels)
        yield _fixed(facts, finding, monitor, miss, others) if not finding.condition else finding


def _doubts(facts: Facts, monitor: Monitor) -> Iterator[str]:
    logs = facts.run.domain(FitLogs)
    if not logs.is_plain(monitor.fit):
        yield f"`{callee(facts.run, monitor.fit)}` is that of a Keras model that logs no names of its own"
    if monitor.by_default:
        yield "the options keep their defaults"


def _fixed(facts: Facts, finding: Finding, monitor: Monitor, miss: Miss, others: list[Monitor]) -> Finding:
    misses = facts.run.domain(Misses)
    new = {each.name_instead if each is not None else "" for each in (misses.of(o.name, o.fit, o.way) for o in others)}
    edit = renamed(facts, monitor_node(monitor.made), miss.name, miss.name_instead)
    if not miss.name_instead:
        return finding.unfixed("no value that is logged comes near this name")
    if new != {miss.name_instead}:
        return finding.unfixed(f"another `fit` logs `{miss.name}`")
    if edit is None:
        return finding.unfixed("the name is put together elsewhere")
    return but(finding.fixed_by(f"Watch `{miss.name_instead}`", edit, lines=miss.lines_of_instead), help="")


def _levels(monitor: Monitor, miss: Miss) -> Levels | None:
    """The lines where the name is not logged; ModelCheckpoint without `save_best_only` reads it on Keras 3.10 and later alone."""
    lines = [line for line in miss.lines if monitor.decides or (line == "3.10+" and _is_auto(monitor))]
    return Levels.on("error", lines) if lines else None


def _is_auto(monitor: Monitor) -> bool:
    mode = monitor.member.argument("mode")
    return mode is None or constant_of(mode) == "auto"


def _message(monitor: Monitor, miss: Miss) -> str:
    word = monitor.member.word
    if miss.name_instead:
        return f"`{word}` watches `{miss.name}`, but the value is called `{miss.name_instead}`"
    return f"`{word}` watches `{miss.name}`, which is not logged"


def _note(monitor: Monitor) -> Note:
    old, new = _NEVER[monitor.member.kind]
    if not _is_auto(monitor):
        return Note(keras2=old, early=old, keras3=new)
    early = _RAISES if monitor.member.kind == "EarlyStopping" else old
    return Note(keras2=old, early=early, keras3=_RAISES)


def _help(miss: Miss) -> str:
    names = miss.shown
    return f"watch what is logged: {names}" if miss.logged else "watch a name that is logged"
