"""A callback has the patience for more epochs than `fit` runs.

## Why
EarlyStopping stops after `patience` epochs without an improvement, and ReduceLROnPlateau lowers the learning rate after as many. The first epoch always
improves. So where `patience` is as large as the number of epochs, or larger, the callback can never act.

## Measured
- Keras 3 and Keras 2: with `patience=4` and nothing that improves, EarlyStopping lets all 4 of 4 epochs run, and with `patience=2` only 3.
- Keras 3 and Keras 2: with `patience=4` ReduceLROnPlateau leaves the learning rate as it is in 4 epochs.
- Keras 3 and Keras 2: EarlyStopping begins anew with each `fit`: 3 calls of one epoch each all train, with `patience=1` and nothing that improves.
- Keras 3 and Keras 2: with `restore_best_weights=True` the best weights are restored at the end of the training, also where nothing was stopped.

## Do this
Choose a patience of a fraction of the epochs, or leave the callback out.

## Silent when
The best weights are restored: some choose a long patience for that alone. One of the numbers is not known, or `fit`
runs one or two epochs, as a test does, and not in a loop.
"""

from collections.abc import Iterator

from seqlint.api import (
    Example,
    Facts,
    Finding,
    FitLogs,
    Levels,
    Monitor,
    Monitors,
    Rule,
    Value,
    any_of,
    callee,
    constant_of,
    fit_argument,
    is_setting,
    written_argument,
)

_START = """
import keras
import numpy as np

x = np.linspace(0, 1, 32).reshape(16, 2).astype("float32")
y = x[:, :1]
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=5)
model.fit(x, y, epochs=3, verbose=0, validation_split=0.25, callbacks=[stop])
"""

RULE = Rule(
    code="SEQ516",
    name="patience-too-long",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(any_of("fit", "fit_generator"), any_of("epochs"), any_of("EarlyStopping", "ReduceLROnPlateau", "callbacks")),
    examples=(
        Example(_START),
        Example(_START.replace("EarlyStopping(", "ReduceLROnPlateau(")),
        Example.ok(_START.replace("patience=5", "patience=2")),
        Example.ok(_START.replace("patience=5", "patience=5, restore_best_weights=True")),
    ),
)

_FEW = 2


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    monitors = [each for each in run.domain(Monitors).all if each.member.kind in ("EarlyStopping", "ReduceLROnPlateau")]
    seen = set()
    for monitor in monitors:
        others = [each for each in monitors if each.made.node is monitor.made.node]
        place = run.place(monitor.made)
        here = run.is_here(monitor.made.context) or run.is_here(monitor.fit.context)
        if place is None or not here or not all(_is_too_long(facts, each) for each in others):
            continue
        where = (written_argument(monitor.made, "patience") if place is monitor.made.node else None) or place
        if where in seen:
            continue
        seen.add(where)
        numbers = _number(monitor.member.argument("patience")), _number(fit_argument(monitor.fit, "epochs"))
        message = f"`{monitor.member.word}` waits for {numbers[0]} epochs, but `fit` runs only {numbers[1]}"
        finding = facts.finding_at(run.span(where), message, "it never acts", "wait for fewer epochs, or leave it out")
        given = (monitor.member.argument("patience"), fit_argument(monitor.fit, "epochs"))
        if any(is_setting(value) for value in given):
            finding = finding.provided("the options keep their defaults", RULE.levels)
        if not facts.run.domain(FitLogs).is_model(monitor.fit):
            finding = finding.provided(f"`{callee(run, monitor.fit)}` is that of a Keras model", RULE.levels)
        yield finding


def _is_too_long(facts: Facts, monitor: Monitor) -> bool:
    patience, epochs = _number(monitor.member.argument("patience")), _number(fit_argument(monitor.fit, "epochs"))
    restores = monitor.member.argument("restore_best_weights")
    if monitor.rewritten or (restores is not None and constant_of(restores) is not False):
        return False
    if patience is None or epochs is None or monitor.fit.result.keyword("initial_epoch") is not None:
        return False
    return epochs <= patience and (epochs > _FEW or bool(monitor.fit.context.loops))


def _number(value: Value | None) -> int | None:
    """A number that is surely or by default that of the program."""
    found = value.constant if value is not None else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None
