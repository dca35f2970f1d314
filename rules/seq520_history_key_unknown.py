"""A history is read under a key that its `fit` does not log.

## Why
The keys are the names that `compile` gives: `metrics=["accuracy"]` is logged as `accuracy`, `metrics=["acc"]` as `acc`. Keys that begin with `val_`
come from validation data. The error comes after the training, often in the code that plots, so hours of training can be lost.

## Measured
- Every Keras: `history.history["acc"]` raises KeyError where `metrics=["accuracy"]` is compiled, `history.history["val_loss"]` without validation data.
- Keras 3: a learning rate that ReduceLROnPlateau or LearningRateScheduler set is logged as `learning_rate`.
- Keras 2: a learning rate that ReduceLROnPlateau or LearningRateScheduler set is logged as `lr`.

## Do this
Read the name that is logged; `print(history.history.keys())` shows all of them.

## Silent when
Nobody knows what is logged: unknown metrics, a model that is compiled elsewhere or has a `train_step` of its own. The code tests whether the key is
there, or catches the KeyError.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    FitLogs,
    Histories,
    HistoryRead,
    Levels,
    Miss,
    Misses,
    Rule,
    any_of,
    callee,
    renamed,
)

_START = """
import keras
import numpy as np

x = np.linspace(0, 1, 32).reshape(16, 2).astype("float32")
y = (x[:, :1] > 0.5).astype("float32")
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=["accuracy"])
history = model.fit(x, y, epochs=2, verbose=0, validation_split=0.25)
"""
_READ = 'print(len(history.history["acc"]))\n'

RULE = Rule(
    code="SEQ520",
    name="history-key-unknown",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    migration=True,
    needs=(any_of("fit", "fit_generator"), any_of("history")),
    examples=(
        Example(_START + _READ, _START + _READ.replace('"acc"', '"accuracy"')),
        Example(_START.replace(", validation_split=0.25", "") + _READ.replace("acc", "val_loss")),
        Example.ok(_START + _READ.replace("acc", "val_accuracy")),
        Example.ok(_START.replace('"accuracy"', '"acc"') + _READ),
    ),
    sources=("keras-team/keras#2326", "lmoroney/dlaicourse#96"),
)


def check(facts: Facts) -> Iterator[Finding]:
    if facts.keras.logs_short_names:
        return
    run = facts.run
    misses = run.domain(Misses)
    for read in run.domain(Histories).reads:
        missed = [miss for fit in read.fits if (miss := misses.of(read.key, fit)) is not None]
        if not missed:
            continue
        miss = missed[0]
        finding = facts.finding_at(
            run.span(read.node), _message(miss), "this raises KeyError", _help(facts, read, miss)
        )
        finding = but(finding, levels=Levels.on("error", miss.lines))
        unsure = next((fit for fit in read.fits if not run.domain(FitLogs).is_plain(fit)), None)
        if unsure is not None:
            condition = f"`{callee(run, unsure)}` is that of a Keras model that logs no names of its own"
            yield finding.provided(condition, RULE.levels)
        else:
            yield _fixed(facts, finding, read, missed)


def _fixed(facts: Facts, finding: Finding, read: HistoryRead, missed: list[Miss]) -> Finding:
    new = {miss.name_instead for miss in missed}
    edit = renamed(facts, read.node, read.key, missed[0].name_instead)
    if not missed[0].name_instead:
        return finding.unfixed("no value that is logged comes near this name")
    if len(missed) < len(read.fits) or len(new) > 1:
        return finding.unfixed(f"another `fit` logs `{read.key}`")
    if edit is None:
        return finding.unfixed("the key is put together elsewhere")
    title = f"Read `{missed[0].name_instead}`"
    return but(finding.fixed_by(title, edit, lines=missed[0].lines_of_instead), help="")


def _message(miss: Miss) -> str:
    if miss.name_instead:
        return f"the history has no `{miss.name}`: the value is called `{miss.name_instead}`"
    return f"the history has no `{miss.name}`"


def _help(facts: Facts, read: HistoryRead, miss: Miss) -> str:
    logs = facts.run.domain(FitLogs)
    if miss.name.startswith("val_") and logs.validates(read.fits[0]) == "no":
        return "give `fit` validation data"
    names = miss.shown
    return f"read what is logged: {names}" if names else "read a name that is logged"
