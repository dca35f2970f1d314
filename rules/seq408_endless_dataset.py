"""A dataset that repeats for ever is read to its end.

## Why
`repeat()` without a number never ends. `fit` needs `steps_per_epoch` then, the validation needs `validation_steps`, and `evaluate` and
`predict` need `steps`; else the first epoch, or its validation, runs until somebody stops it.

## Measured
- Keras 3: an epoch, a validation, `evaluate` and `predict` never end, without a warning; `steps_per_epoch` alone does not end the validation.
- Keras 2: ValueError "When providing an infinite dataset, you must specify the number of steps to run"; where TensorFlow can't tell that it
  is endless, as after `filter`, it never ends.
- On every Keras it ends after `take`, in a `zip` with a dataset that ends, and when a callback sets `stop_training` after a batch.

## Do this
Leave `repeat()` out: Keras starts a dataset anew for each epoch. Or say how many steps an epoch has.

## Silent when
A number of steps is given, or may be; something ends it; a callback of the program's own is passed.
"""

from collections.abc import Iterator

from seqlint.api import (
    STEPS,
    Example,
    Facts,
    Finding,
    Levels,
    Note,
    Pipelines,
    Reading,
    Result,
    Rule,
    a_call_of_model,
    callee,
    may_be_stopped,
    place,
    steps_given,
    why_endless,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(24, dtype="float32").reshape(24, 1) / 24
pairs = tf.data.Dataset.from_tensor_slices((rows, 2 * rows))
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ408",
    name="endless-dataset",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(a_call_of_model,),
    examples=(
        Example(_START + "model.fit(pairs.batch(6).repeat(), epochs=2, verbose=0)\n"),
        Example(
            _START
            + "train = pairs.batch(6)\nmodel.fit(train, validation_data=pairs.repeat().batch(6), epochs=2, verbose=0)\n"
        ),
        Example.where_unknown(_START + "def run(learner):\n    learner.fit(pairs.batch(6).repeat(), epochs=2)\n"),
        Example.ok(_START + "model.fit(pairs.batch(6).repeat(), steps_per_epoch=4, epochs=2, verbose=0)\n"),
        Example.ok(_START + "model.fit(pairs.batch(6).repeat(2), epochs=2, verbose=0)\n"),
        Example.ok(_START + "model.fit(pairs.repeat().batch(6).take(5), epochs=2, verbose=0)\n"),
    ),
)


_NOTE = Note.on_keras_3("it never ends, without a warning", "ValueError, or it never ends where TensorFlow can't tell")


def check(facts: Facts) -> Iterator[Finding]:
    run, pipelines = facts.run, facts.run.domain(Pipelines)
    seen = set()
    for reading, cause in _endless(facts, pipelines):
        trainer = reading.trainer
        where = place(run, cause, trainer.result) if trainer is not None else None
        if trainer is None or where is None or where in seen:
            continue
        seen.add(where)
        steps = STEPS[reading.role]
        who = "its validation" if reading.role == "validated" else f"`{trainer.result.method}`"
        message = f"`{cause.method}` never ends, and {who} has no `{steps}`"
        finding = facts.finding_at(run.step_span(where), message, _NOTE, f"leave it out, or give `{steps}`")
        if trainer.name.startswith("keras."):
            yield finding
        else:
            yield finding.provided(f"`{callee(run, trainer)}` is that of a Keras model", RULE.levels)


def _endless(facts: Facts, pipelines: Pipelines) -> Iterator[tuple[Reading, Result]]:
    """Readers of datasets that never end, all that they may be given, and the step that is the cause."""
    given: dict[tuple[object, str], list[Reading]] = {}
    for reading in pipelines.readings:
        if reading.trainer is not None and reading.role in STEPS:
            given.setdefault((reading.trainer, reading.role), []).append(reading)
    for readings in given.values():
        first = readings[0]
        causes = [why_endless(pipelines, reading.dataset) for reading in readings]
        if None in causes or steps_given(first) is not False or first.trainer is None:
            continue
        if first.role == "trained" and may_be_stopped(facts.run, first.trainer):
            continue
        yield from zip(readings, (cause for cause in causes if cause is not None), strict=True)
