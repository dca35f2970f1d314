"""EarlyStopping or the best checkpoint goes by the loss of the training.

## Why
The loss of the rows that a model is trained on goes on falling when the model begins to overfit. EarlyStopping that watches it stops late or never, and
`restore_best_weights` restores the weights that are fitted most, not those that do best on new rows. A `ModelCheckpoint` with `save_best_only=True`
keeps those, too, though `fit` has computed which did best on the others.

## Measured
- Keras 3 and Keras 2: a model with 200 hidden units and 12 rows of noise: with `monitor="loss"` training goes on for more epochs than with
  `monitor="val_loss"`.
- Keras 3 and Keras 2: for this model a checkpoint of the best `loss` is written in a later epoch than the least `val_loss`.

## Do this
Watch `val_loss`, and give `fit` validation data.

## Silent when
Nobody knows whether there are validation data; a checkpoint has none to go by, or keeps every epoch. The model has steps of its own, as a GAN has.
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
    any_of,
    constant_of,
    monitor_node,
)

_START = """
import keras
import numpy as np

x = np.linspace(0, 1, 32).reshape(16, 2).astype("float32")
y = x[:, :1]
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
stop = keras.callbacks.EarlyStopping(monitor="loss", patience=2)
model.fit(x, y, epochs=3, verbose=0, validation_split=0.25, callbacks=[stop])
"""
_BEST = 'ModelCheckpoint("best.keras", monitor="loss", save_best_only=True)'

RULE = Rule(
    code="SEQ525",
    name="stops-on-training-loss",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(any_of("fit", "fit_generator"), any_of("loss"), any_of("EarlyStopping", "ModelCheckpoint", "callbacks")),
    examples=(
        Example(_START),
        Example(_START.replace(", validation_split=0.25", "")),
        Example(_START.replace('EarlyStopping(monitor="loss", patience=2)', _BEST)),
        Example.ok(_START.replace('"loss", ', '"val_loss", ')),
        Example.ok(_START.replace("EarlyStopping(", "ReduceLROnPlateau(")),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    run, logs = facts.run, facts.run.domain(FitLogs)
    seen = set()
    for monitor in run.domain(Monitors).all:
        place = run.place(monitor.made)
        here = run.is_here(monitor.made.context) or run.is_here(monitor.fit.context)
        if place is None or not here or not _stops_on_loss(logs, monitor):
            continue
        where = (monitor_node(monitor.made) if place is monitor.made.node else None) or place
        if where in seen:
            continue
        seen.add(where)
        held = logs.validates(monitor.fit, monitor.way) == "yes"
        ending = "though `fit` computes `val_loss`" if held else "and `fit` gets no validation data"
        does = "watches" if monitor.member.kind == "EarlyStopping" else "keeps the best by"
        message = f"`{monitor.member.word}` {does} `loss`, {ending}"
        note = "the training loss goes on falling when the model overfits"
        help_text = "watch `val_loss`" if held else "give `fit` validation data, and watch `val_loss`"
        yield facts.finding_at(run.span(where), message, note, help_text)


def _stops_on_loss(logs: FitLogs, monitor: Monitor) -> bool:
    member = monitor.member
    if member.kind not in ("EarlyStopping", "ModelCheckpoint") or monitor.name != "loss" or monitor.rewritten:
        return False
    held = logs.validates(monitor.fit, monitor.way)
    if member.kind == "ModelCheckpoint" and (
        held != "yes" or constant_of(member.argument("save_best_only")) is not True
    ):
        return False
    known = held != "unknown"
    return known and logs.is_model(monitor.fit) and not logs.has_own_training(monitor.fit)
