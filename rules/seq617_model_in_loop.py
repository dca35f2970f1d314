"""A loop asks a model for one row or one step at a time, or loads it again.

## Why
`predict` is made for many rows. Each call builds a dataset, a list of callbacks and an iterator anew, which costs more than the row itself: a loop
over 1,000 rows waits for a thousand of these. So does a training by hand that calls `predict` before each `train_on_batch`, as many GANs do. To load a model costs more still, and the old ones stay in memory for a while.

## Measured
- On every Keras each `predict` makes a `tf.data` pipeline of its own; one `predict` of all rows makes one, and `model(row)` none.
- On every Keras the rows of one `predict` are those of single calls.
- Keras 3 and Keras 2: `predict` of one row took 75 to 215 ms on a busy machine, and `model(row)` 2 ms; to load and predict took 150 ms.
- On every Keras `predict_on_batch` makes no pipeline, and gives the same array: 32 rows took 1 to 23 ms, and 117 to 197 ms with `predict`.

## Do this
Collect the rows in one array and predict them at once. Where they come one after the other, as the frames of a camera or the steps of a training do,
take `predict_on_batch`, or call the model, `model(row, training=False)`. Load the model before the loop.

## Silent when
The next row depends on the last prediction; the loop may stop early, shows pictures or goes through a handful; a training predicts only now and then.
"""

from collections.abc import Iterator

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Levels,
    OneByOne,
    OneByOnes,
    Rule,
    any_of,
    callee,
    either,
    if_of_model,
    may_be_of_model,
)

_START = """
import keras
import numpy as np

rows = np.arange(400, dtype="float32").reshape(200, 2) / 400
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
"""

RULE = Rule(
    code="SEQ617",
    name="model-in-loop",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(either(any_of("predict"), any_of("load_model")), any_of("for")),
    examples=(
        Example(_START + "found = [model.predict(row[None], verbose=0)[0] for row in rows[:100]]\n"),
        Example.where_unknown(
            _START + "def score(machine, rows):\n    return [machine.predict(row[None], verbose=0) for row in rows]\n"
        ),
        Example.ok(_START + "found = model.predict(rows, verbose=0)\n"),
        Example.ok(_START + "for row in rows[:5]:\n    print(model.predict(row[None], verbose=0))\n"),
    ),
    sources=("keras-team/keras#13118", "tensorflow/tensorflow#61791"),
)

_LONG = 40
_ANEW = "each call builds a pipeline anew, which costs more than the"
_TEXTS = {
    "predict": ("one row in each round", f"{_ANEW} row", "predict all rows at once, or call the model itself"),
    "step": ("in each step of the training", f"{_ANEW} step", "take `predict_on_batch`: it gives the same array"),
    "frame": ("frame by frame", f"{_ANEW} frame", "call the model itself, or take `predict_on_batch`"),
}


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for found in run.domain(OneByOnes).all:
        call = found.call
        node = run.place(call)
        if node is None or node in seen or (found.kind == "predict" and not may_be_of_model(facts, call)):
            continue
        seen.add(node)
        span, name = run.span(node), callee(run, call)
        if found.kind == "load":
            message = f"`{name}` loads the same model again in each round"
            yield facts.finding_at(span, message, "it costs more than the prediction", "load it before the loop")
            continue
        what, note, help_text = _TEXTS[found.kind]
        where = _of_loop(facts, found, span) if found.kind == "predict" else ""
        finding = facts.finding_at(span, f"`{name}` predicts {what}{where}", note, help_text)
        yield if_of_model(facts, call, finding, RULE.levels)


def _of_loop(facts: Facts, found: OneByOne, span: tuple[int, int]) -> str:
    """Which loop it is, where a reader doesn't see it around the call."""
    if found.loop is None:
        return ""
    start, end = facts.run.span(found.loop)
    items = facts.run.text(found.loop.iter)
    return "" if start <= span[0] < end or len(items) > _LONG else f" of the loop over `{items}`"
