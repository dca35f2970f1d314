"""A callback watches a validation value, and `fit` gets no validation data.

## Why
`val_loss` and all other `val_` values exist only where `fit` validates. Without them a callback that waits for such a value never acts:
nothing stops, the learning rate stays, and the best model is not found. Keras only warns, in every epoch, between the lines of the progress bar.
EarlyStopping, ReduceLROnPlateau and ModelCheckpoint watch `val_loss` where they are not told otherwise.

## Measured
- Every Keras: EarlyStopping never stops: with `patience=0` and nothing that improves all 6 of 6 epochs are run, with validation data 2.
- Every Keras: ReduceLROnPlateau never changes the learning rate.
- Keras 3.10 and later: ModelCheckpoint with `save_best_only=True` saves every epoch, so the file is the newest model, not the best.
- Keras 3.0 to 3.9: ModelCheckpoint with `save_best_only=True` writes no file.
- Keras 2: ModelCheckpoint with `save_best_only=True` writes no file.

## Do this
Give `fit` validation data (`validation_data=...`, or `validation_split=0.1` for arrays), or watch a value of the training (`monitor="loss"`).

## Silent when
Validation data may be there: they come from outside, or in `**settings`. A callback or the model puts the value into `logs` itself.
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
    Note,
    Rule,
    any_of,
    callee,
    is_expected_to_fail,
)

_START = """
import keras
import numpy as np

x = np.linspace(0, 1, 32).reshape(16, 2).astype("float32")
y = x[:, :1]
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
_FIT = "model.fit(x, y, epochs=3, verbose=0, callbacks=[keras.callbacks.EarlyStopping(patience=1)])\n"

RULE = Rule(
    code="SEQ501",
    name="monitor-without-validation",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(
        any_of("fit", "fit_generator"),
        any_of("EarlyStopping", "ReduceLROnPlateau", "ModelCheckpoint", "callbacks"),
    ),
    examples=(
        Example(_START + _FIT),
        Example.ok(_START + _FIT.replace("(x, y,", "(x, y, validation_split=0.25,")),
        Example.ok(_START + _FIT.replace("patience=1", 'monitor="loss", patience=1')),
        Example.where_unknown(
            "import keras\n\n\ndef train(net, x, y):\n    stop = keras.callbacks.EarlyStopping(patience=3)\n"
            "    net.fit(x, y, epochs=9, callbacks=[stop])\n"
        ),
    ),
    sources=("ReDASers/PhishBench#158", "keras-team/keras#13689"),
)

_NOTES = {
    "EarlyStopping": Note("training never stops early"),
    "ReduceLROnPlateau": Note("the learning rate never changes"),
    "ModelCheckpoint": Note(
        keras3="it saves the newest model, not the best", early="no file is written", keras2="no file is written"
    ),
}
_HELP = 'pass `validation_data`, or watch `"loss"`'


def check(facts: Facts) -> Iterator[Finding]:
    run, logs = facts.run, facts.run.domain(FitLogs)
    watched: dict[object, list[Monitor]] = {}
    for monitor in run.domain(Monitors).all:
        if _is_missed(facts, monitor):
            watched.setdefault(monitor.fit.node, []).append(monitor)
    for monitors in watched.values():
        first = monitors[0]
        others = [call for call in logs.fits if call.node is first.fit.node]
        place = run.place(first.fit) if run.is_here(first.fit.context) else run.place(first.made)
        here = run.is_here(first.fit.context) or run.is_here(first.made.context)
        if place is None or not here or any(logs.validates(call) != "no" for call in others):
            continue
        message = (
            f"`{first.member.word}` watches `{first.name}`, and `{callee(run, first.fit)}` gets no validation data"
        )
        finding = facts.finding_at(run.step_span(place), message, _NOTES[first.member.kind], _HELP)
        if not logs.is_model(first.fit):
            finding = finding.provided(f"`{callee(run, first.fit)}` is that of a Keras model", RULE.levels)
        elif all(each.by_default for each in monitors):
            finding = finding.provided("the options keep their defaults", RULE.levels)
        yield finding


def _is_missed(facts: Facts, monitor: Monitor) -> bool:
    """Whether a callback surely waits for a validation value that nobody computes."""
    logs = facts.run.domain(FitLogs)
    if not monitor.decides or monitor.rewritten or not monitor.name.startswith("val_"):
        return False
    if logs.validates(monitor.fit, monitor.way) != "no" or is_expected_to_fail(monitor.fit):
        return False
    return not logs.has_own_training(monitor.fit) and logs.added(monitor.fit).has(monitor.name) == "no"
