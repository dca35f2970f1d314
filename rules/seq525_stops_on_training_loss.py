"""EarlyStopping watches the loss of the training.

## Why
The loss of the rows that a model is trained on goes on falling when the model begins to overfit. EarlyStopping that watches it stops late or never, and
`restore_best_weights` restores the weights that are fitted most, not those that do best on new rows.

## Measured
- Keras 3 and Keras 2: a model with 200 hidden units and 12 rows of noise: with `monitor="loss"` training goes on for more epochs than with
  `monitor="val_loss"`.

## Do this
Watch `val_loss`, and give `fit` validation data.

## Silent when
Nobody knows whether there are validation data. The model has steps of its own, as a GAN has.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, FitLogs, Levels, Monitor, Monitors, Rule, any_of, monitor_node

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

RULE = Rule(
    code="SEQ525",
    name="stops-on-training-loss",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(any_of("fit", "fit_generator"), any_of("loss"), any_of("EarlyStopping", "callbacks")),
    examples=(
        Example(_START),
        Example(_START.replace(", validation_split=0.25", "")),
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
        message = f"`{monitor.member.word}` watches `loss`, {ending}"
        note = "the training loss goes on falling when the model overfits"
        help_text = "watch `val_loss`" if held else "give `fit` validation data, and watch `val_loss`"
        yield facts.finding_at(run.span(where), message, note, help_text)


def _stops_on_loss(logs: FitLogs, monitor: Monitor) -> bool:
    if monitor.member.kind != "EarlyStopping" or monitor.name != "loss" or monitor.rewritten:
        return False
    known = logs.validates(monitor.fit, monitor.way) != "unknown"
    return known and logs.is_model(monitor.fit) and not logs.has_own_training(monitor.fit)
