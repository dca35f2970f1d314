"""A generator without an end is read without a number of steps.

## Why
Keras reads a generator until it stops. One with `while True` never does, so nothing but a number of steps ends an epoch. Each role has its own:
`steps_per_epoch` for the training, `validation_steps` for the validation, `steps` for `evaluate` and `predict`.

## Measured
- On every Keras: the epoch, the validation, `evaluate` or `predict` never ends, and nothing warns. `steps_per_epoch` does not end the validation.
- On every Keras: the same for a dataset that is made with `from_generator` of such a function.
- On every Keras: it ends when a callback sets `stop_training` after a batch.

## Do this
Give the number of batches that one pass has, such as `math.ceil(len(rows) / batch_size)`, or write a Sequence, which knows it.

## Silent when
A number of steps is given, or may be; the generator may end; a callback of the program's own may stop the training.
"""

from collections.abc import Iterator

from seqlint.api import (
    Example,
    Facts,
    Finding,
    Levels,
    NeverEnding,
    NeverEndingGenerators,
    Note,
    Rule,
    a_call_of_model,
    feed_node,
    if_of_model,
    is_expected_to_fail,
    may_be_of_model,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(40, dtype="float32").reshape(20, 2) / 40
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def forever():
    while True:
        for start in range(0, len(rows), 4):
            yield rows[start : start + 4], rows[start : start + 4, :1]


"""

RULE = Rule(
    code="SEQ609",
    name="endless-generator",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(a_call_of_model,),
    examples=(
        Example(_START + "model.fit(forever(), epochs=3, verbose=0)\n"),
        Example(_START + "model.fit(forever(), steps_per_epoch=5, validation_data=forever(), verbose=0)\n"),
        Example.where_unknown(_START + "def score(learning):\n    return learning.evaluate(forever())\n"),
        Example.ok(
            _START
            + "model.fit(forever(), steps_per_epoch=5, validation_data=forever(), validation_steps=5, verbose=0)\n"
        ),
        Example.ok(_START + "model.predict(forever(), steps=5, verbose=0)\n"),
    ),
    sources=("bojone/bert4keras#356",),
)

_NOTE = Note("it never ends, and nothing warns")


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[object] = set()
    for found in facts.run.domain(NeverEndingGenerators).all:
        call = found.feed.call
        node = feed_node(facts.run, found.feed)
        if node is None or node in seen or is_expected_to_fail(call) or not may_be_of_model(facts, call):
            continue
        seen.add(node)
        message = _message(facts, found, facts.run.span(node))
        help_text = f"give `{found.steps}`, the number of batches of one pass"
        finding = facts.finding_at(facts.run.span(node), message, _NOTE, help_text)
        yield if_of_model(facts, call, finding, RULE.levels)


def _message(facts: Facts, found: NeverEnding, span: tuple[int, int]) -> str:
    text = " ".join(facts.run.slice(*span).split())
    what = f"`{text}`" if len(text) < 40 else "the generator"
    if found.feed.role == "validated":
        return f"{what} never ends, and the validation has no `{found.steps}`"
    return f"{what} never ends, and `{found.feed.call.result.method}` has no `{found.steps}`"
