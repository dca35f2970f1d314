"""A callback sets the learning rate of an optimizer that takes it from a schedule.

## Why
An optimizer that is made with a LearningRateSchedule works out its learning rate for each step. ReduceLROnPlateau and LearningRateScheduler
set it, which Keras 3 refuses at the first cut, perhaps after hours, and Keras 2 forgets at the next step.

## Measured
- Keras 3: TypeError "This optimizer was created with a `LearningRateSchedule` object", at the first cut of ReduceLROnPlateau or the first epoch of
  LearningRateScheduler.
- Keras 2: nothing is raised, and the learning rate stays that of the schedule: 0.09998 after the first epoch, where a LearningRateScheduler has set 0.01.

## Do this
Keep one of the two: a plain number as the learning rate, or no callback that sets it.

## Silent when
Nobody knows with which optimizer the model was compiled, or another one was compiled last.
"""

from collections.abc import Iterator

from seqlint.api import Example, Facts, Finding, Levels, Note, Rule, Trainings, any_of

_START = """
import keras
import numpy as np

rows = np.ones((24, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.SGD(RATE), loss="mse")
model.fit(rows, rows[:, :1], epochs=3, verbose=0, callbacks=[keras.callbacks.ReduceLROnPlateau("loss", patience=1, min_delta=9)])
"""
_DECAY = "keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9)"

RULE = Rule(
    code="SEQ513",
    name="schedule-and-plateau",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(
        any_of("fit", "fit_generator"),
        any_of("ReduceLROnPlateau", "LearningRateScheduler"),
        any_of(
            "schedules",
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
        Example.ok(_START.replace("RATE", "0.1")),
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
