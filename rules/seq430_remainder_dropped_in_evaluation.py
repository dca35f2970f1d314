"""`drop_remainder=True` leaves rows out of a validation or prediction.

## Why
In training the last, smaller batch can be dropped: with a shuffle, other rows are in it next time. Data that are scored or predicted have one
pass, so the rows of the last batch are never looked at, and the predictions are fewer than the rows.

## Measured
- Keras 3 and Keras 2: of 45 rows in batches of 16, 32 are predicted, and `evaluate` and the validation of `fit` score 32; in batches of 15
  all are.
- Keras 3: with batches of 64 `predict` raises UnboundLocalError.
- Keras 2: with batches of 64 `predict` raises ValueError "Expected input data to be non-empty".

## Do this
Leave `drop_remainder` out where data are scored or predicted. A function that makes all sets takes it as a parameter.

## Silent when
The rows are whole batches; they are repeated before; the shape must be fixed, as on a TPU and for a stateful layer; the batch makes one sample
of several rows.
"""

from collections.abc import Iterator

from seqlint.api import (
    BATCHES,
    Contract,
    Counts,
    Example,
    Facts,
    Finding,
    FixedShapes,
    Levels,
    Loops,
    Pipelines,
    Reading,
    Result,
    Rule,
    any_of,
    constant_of,
    drop_argument,
    place_of,
)

_MODEL = """
import keras
import numpy as np
import tensorflow as tf

cells = np.arange(45, dtype="float32").reshape(45, 1) / 45
rows = tf.data.Dataset.from_tensor_slices((cells, cells))
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ430",
    name="remainder-dropped-in-evaluation",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"history"}), holds=frozenset({"tests stay"})),
    needs=(any_of(*BATCHES, "fit", "fit_generator", "evaluate", "predict"),),
    examples=(
        Example(
            _MODEL
            + """held = rows.batch(16, drop_remainder=True)
model.fit(rows.batch(9), validation_data=held, verbose=0)
""",
            _MODEL
            + """held = rows.batch(16)
model.fit(rows.batch(9), validation_data=held, verbose=0)
""",
        ),
        Example(
            _MODEL
            + """model.fit(rows.batch(16, True), verbose=0)
loss = model.evaluate(rows.batch(16, True), verbose=0)
""",
            _MODEL
            + """model.fit(rows.batch(16, True), verbose=0)
loss = model.evaluate(rows.batch(16, False), verbose=0)
""",
        ),
        Example.ok(_MODEL + "model.fit(rows.batch(16, drop_remainder=True), verbose=0)\n"),
        Example.ok(_MODEL + "guess = model.predict(rows.batch(15, drop_remainder=True), verbose=0)\n"),
        Example.ok(_MODEL + "loss = model.evaluate(rows.batch(16, drop_remainder=False), verbose=0)\n"),
    ),
)


_WORDS = {
    "validated": "the validation",
    "evaluated": "the evaluation",
    "predicted": "the predictions",
    "scored": "the evaluation",
}
_TAKEN_UP = (*BATCHES, "unbatch", "rebatch", "window", "flat_map", "interleave")
_BEFORE = (
    "repeat",
    *BATCHES,
    "image_dataset_from_directory",
    "text_dataset_from_directory",
    "audio_dataset_from_directory",
)
_NOTE = "of 45 rows in batches of 16, 32 are used"


def check(facts: Facts) -> Iterator[Finding]:
    seen = set()
    for step in facts.run.domain(Pipelines).named(*BATCHES):
        reading = _held(facts, step) if _drops(facts, step) else None
        causes = (reading.trainer.result,) if reading is not None and reading.trainer is not None else (step,)
        place = place_of(facts.run, step, *causes) if reading is not None else None
        if reading is None or place is None or place in seen or facts.run.domain(FixedShapes).are_needed:
            continue
        seen.add(place)
        message = f"`drop_remainder=True` leaves rows out of {_WORDS[facts.run.domain(Loops).role(reading)]}"
        yield _fixed(facts, facts.finding_at(facts.run.step_span(place), message, _NOTE), step)


def _drops(facts: Facts, step: Result) -> bool:
    """Whether the rest of the rows is dropped, and there may be one."""
    pipelines, counts = facts.run.domain(Pipelines), facts.run.domain(Counts)
    size, above = pipelines.argument(step, "batch_size"), pipelines.line(step)[1:]
    if constant_of(pipelines.argument(step, "drop_remainder")) is not True or any(
        each.method in _BEFORE for each in above
    ):
        return False
    number, rows = constant_of(size), counts.elements(above[0]) if above else None
    return number != 1 and not (isinstance(number, int) and rows is not None and rows % number == 0)


def _held(facts: Facts, step: Result) -> Reading | None:
    """Who scores or predicts the batches; nobody where the same ones are trained on."""
    pipelines, loops = facts.run.domain(Pipelines), facts.run.domain(Loops)
    if loops.trained(step):
        return None
    held = (reading for reading in pipelines.reached(step) if loops.role(reading) in _WORDS)
    return next((reading for reading in held if not _is_taken_up(facts, step, reading)), None)


def _is_taken_up(facts: Facts, step: Result, reading: Reading) -> bool:
    """Whether a batch is one sample of what is read."""
    ways = facts.run.domain(Pipelines).ways(step, reading.dataset)
    return any(each.method in _TAKEN_UP for way in ways for each in way)


def _fixed(facts: Facts, found: Finding, step: Result) -> Finding:
    run, loops = facts.run, facts.run.domain(Loops)
    node = run.call_of[step].node
    alike = [other for other in run.domain(Pipelines).named(step.method) if run.call_of[other].node is node]
    if any(loops.trains(other) != "no" for other in alike):
        return found.unfixed("training data are batched there, too")
    edits = drop_argument(facts, step, "drop_remainder", "False")
    if not edits:
        return found.unfixed("the call is not in this file, or hides its arguments")
    return found.fixed_by("Keep the last batch", *edits)
