"""A callback sets the learning rate, and a schedule replaces it.

## Why
An optimizer that is made with a LearningRateSchedule works out its learning rate for each step. ReduceLROnPlateau and LearningRateScheduler
set it, which Keras 3 refuses at the first cut, perhaps after hours, and Keras 2 forgets at the next step.

A LearningRateScheduler sets the rate at the start of each epoch. Where its function looks at the number of the epoch alone, it sets what
ReduceLROnPlateau has just cut back to the rate of the schedule.

## Measured
- Keras 3: TypeError "This optimizer was created with a `LearningRateSchedule` object", at the first cut of ReduceLROnPlateau or the first epoch of
  LearningRateScheduler.
- Keras 2: nothing is raised, and the learning rate stays that of the schedule: 0.09998 after the first epoch, where a LearningRateScheduler has set 0.01.
- Keras 3 and Keras 2: ReduceLROnPlateau that cuts after each epoch lets the fourth epoch run with 0.001 in place of 0.1; with a LearningRateScheduler of 0.1 all four
  run with 0.1.

## Do this
Keep one of the two: a plain number as the learning rate, or no callback that sets it; one of the two callbacks. A function `schedule(epoch, rate)`
that gives a part of `rate` works with ReduceLROnPlateau.

## Silent when
Nobody knows with which optimizer the model was compiled, or another one was compiled last. The function of a LearningRateScheduler uses the rate so
far, or a condition decides which of the two callbacks is there.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Example, Facts, Finding, Levels, Note, OverruledCuts, Rule, Sometimes, Trainings, any_of

_START = """
import keras
import numpy as np

rows = np.ones((24, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.SGD(RATE), loss="mse")
model.fit(rows, rows[:, :1], epochs=3, verbose=0, callbacks=[keras.callbacks.ReduceLROnPlateau("loss", patience=1, min_delta=9)])
"""
_SET = _START.replace("RATE", "0.1").replace(
    "callbacks=[", "callbacks=[keras.callbacks.LearningRateScheduler(set_rate), "
)
_DECAY = "keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9)"

RULE = Rule(
    code="SEQ513",
    name="schedule-and-plateau",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning"),
    needs=(
        any_of("fit", "fit_generator"),
        any_of("ReduceLROnPlateau", "LearningRateScheduler"),
        any_of(
            "schedules",
            "LearningRateScheduler",
            *(
                "CosineDecay",
                "CosineDecayRestarts",
                "ExponentialDecay",
                "InverseTimeDecay",
                "PiecewiseConstantDecay",
                "PolynomialDecay",
            ),
        ),
    ),
    examples=(
        Example(_START.replace("RATE", _DECAY)),
        Example(_START.replace("RATE", "learning_rate=" + _DECAY)),
        Example("\ndef set_rate(epoch):\n    return 0.1 if epoch < 2 else 0.01\n\n" + _SET),
        Example.ok(_START.replace("RATE", "0.1")),
        Example.ok("\ndef set_rate(epoch, rate):\n    return rate if epoch < 2 else rate / 2\n\n" + _SET),
        Example.ok(
            _START.replace("RATE", _DECAY).replace(
                'ReduceLROnPlateau("loss", patience=1, min_delta=9)', "TerminateOnNaN()"
            )
        ),
    ),
    sources=("tensorflow/tensorflow#36612",),
)

_NOTE = Note.on_keras_3(
    "TypeError where the callback first sets the rate", "the schedule replaces what the callback sets at the next step"
)


def check(facts: Facts) -> Iterator[Finding]:
    for fixed in facts.run.domain(Trainings).fixed_rates:
        message = f"`{fixed.made.result.method}` sets a learning rate that comes from `{fixed.schedule}`"
        help_ = "give the optimizer a plain number, or leave this callback out"
        yield facts.finding_at(facts.run.span(fixed.made.node), message, _NOTE, help_)
    for cut in facts.run.domain(OverruledCuts).all:
        name = f"`{cut.function}`" if cut.function else "the schedule"
        message = f"what `ReduceLROnPlateau` cuts is set back by {name} in the next epoch"
        help_ = "leave one of the two out, or let the schedule give a part of the rate that it gets"
        finding = facts.finding_at(facts.run.span(cut.made.node), message, "no cut lasts for an epoch", help_)
        yield but(finding, levels=Levels.everywhere("warning"))
