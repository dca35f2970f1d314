"""Epochs times steps are more batches than a dataset that ends has.

## Why
With `steps_per_epoch` Keras reads on where the last epoch stopped. A dataset that does not repeat ends in the middle of some epoch. Its rest is a
short epoch, or the end of the training: few read the warning among the lines of the progress bar.

## Measured
- Keras 3.10 and later: all epochs run; the one in which the data end is short, and the next begins anew: 10 batches in epochs of 4 make
  epochs of 4, 4, 2, 4, 4, 2 steps. Nothing happens where the steps divide the batches.
- Keras 3.0 to 3.9: 4, 4, 2, 4, 4, 2, too; where the steps divide the batches an epoch of 0 steps follows each pass.
- Keras 2: the training ends with that epoch: of 6 epochs of 4 steps over 10 batches 3 are run, the last with 2 steps. Nothing is raised.

## Do this
Leave `steps_per_epoch` out, so that each epoch is one pass. Where an epoch shall be shorter or longer than that, add `.repeat()`.

## Silent when
The dataset repeats, or nobody knows how many batches it has; one epoch alone; on Keras 3.10 and later, the steps divide the batches.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Call,
    Counts,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Pipelines,
    Rule,
    Value,
    a_call_of_model,
    any_of,
    argument_place,
    callee,
    is_of_model,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((50, 3), "float32")
train = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).batch(5)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ431",
    name="steps-beyond-dataset",
    since="0.1.0",
    levels=Levels(keras2="error", early="warning", keras3="warning"),
    needs=(a_call_of_model, any_of("steps_per_epoch")),
    examples=(
        Example(_START + "model.fit(train, steps_per_epoch=4, epochs=6, verbose=0)\n"),
        Example(_START + "model.fit(train, steps_per_epoch=len(rows) // 5 + 1, epochs=6, verbose=0)\n"),
        Example.ok(_START + "model.fit(train.repeat(), steps_per_epoch=4, epochs=6, verbose=0)\n"),
        Example.ok(_START + "model.fit(train, steps_per_epoch=4, epochs=2, verbose=0)\n"),
        Example.ok(_START + "model.fit(train, steps_per_epoch=5, epochs=6, verbose=0)\n", keras=">=3.10"),
    ),
)


_NAME = "steps_per_epoch"
_STOPS = "the training ends when the data do"


def check(facts: Facts) -> Iterator[Finding]:
    run, pipelines, counts = facts.run, facts.run.domain(Pipelines), facts.run.domain(Counts)
    readings = [reading for reading in pipelines.readings if reading.role == "trained" and reading.trainer is not None]
    seen = set()
    for reading in readings:
        trainer = reading.trainer
        if trainer is None or sum(each.trainer is trainer for each in readings) > 1:
            continue
        numbers = _numbers(counts, trainer, counts.elements(reading.dataset))
        where = argument_place(run, trainer, _NAME) if numbers is not None else None
        if numbers is None or where is None or where in seen:
            continue
        seen.add(where)
        steps, batches, number = numbers
        message = f"{number} epochs of {steps} steps need more than the {batches} batches that the dataset has"
        finding = facts.finding_at(run.span(where), message, _note(steps, batches), "leave it out, or add `.repeat()`")
        finding = but(finding, levels=_levels(steps, batches))
        given = (trainer.result.keyword(name) for name in (_NAME, "epochs"))
        if counts.is_by_default(*given, Value.of(reading.dataset)):
            finding = finding.provided("the options keep their defaults", RULE.levels)
        if not is_of_model(trainer):
            finding = finding.provided(f"`{callee(run, trainer)}` is that of a Keras model", RULE.levels)
        yield finding


def _numbers(counts: Counts, trainer: Call, batches: int | None) -> tuple[int, int, int] | None:
    """Steps of an epoch, batches of the dataset, epochs: where they are known, and the data end before the last epoch does."""
    result = trainer.result
    steps, number = counts.whole(result.keyword(_NAME)), counts.whole(result.keyword("epochs"))
    if trainer.result.method != "fit" or result.keyword("initial_epoch") is not None:
        return None
    if not steps or not batches or steps < 1 or number is None or number < 2 or steps * number <= batches:
        return None
    return steps, batches, number


def _levels(steps: int, batches: int) -> Levels:
    """As measured: epochs as long as the dataset begin anew, but on early Keras 3."""
    if steps == batches:
        return Levels(keras2=None, early="warning", keras3=None)
    if batches % steps == 0:
        return Levels(keras2="error", early="warning", keras3=None)
    return RULE.levels


def _note(steps: int, batches: int) -> Note:
    if batches % steps == 0:
        return Note(keras2=_STOPS, early="an epoch without a step follows each pass")
    if steps > batches:
        return Note.on_keras_3(f"each epoch ends after {batches} steps", _STOPS)
    short = f"an epoch of {batches % steps} steps follows {batches // steps} of {steps}, again and again"
    return Note.on_keras_3(short, _STOPS)
