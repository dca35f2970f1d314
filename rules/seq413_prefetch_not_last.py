"""`prefetch` is not the last step, and TensorFlow was told not to add one.

## Why
`prefetch` runs what is before it ahead of time. What comes after it waits until the model asks. TensorFlow adds a `prefetch` at the end by itself,
unless autotuning or `inject_prefetch` is switched off.

## Measured
- On every Keras, with `options.autotune.enabled = False`: a `map` after it works on a row only when the model asks for it; one before it is 2 rows ahead with
  `prefetch(2)`.
- Every Keras, with `options.autotune.enabled = False`: `.prefetch(2).batch(4)` is 2 rows ahead, `.batch(4).prefetch(2)` 2 batches.
- Every Keras, otherwise: TensorFlow adds a `prefetch` of its own at the end.

## Do this
Move `prefetch` to the end of the chain.

## Silent when
The options are those of TensorFlow, another `prefetch` is last, or nothing that takes time comes after it.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Edit, Example, Facts, Finding, Levels, Pipelines, Result, Rule, Unprefetched, any_of, step_after

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((8, 3), "float32")
options = tf.data.Options()
options.autotune.enabled = False
feed = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).with_options(options)
"""
_FIT = """
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ413",
    name="prefetch-not-last",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(any_of("prefetch"), any_of("fit")),
    examples=(
        Example(
            _ROWS + "feed = feed.prefetch(2).batch(4)\n" + _FIT,
            _ROWS + "feed = feed.batch(4).prefetch(2)\n" + _FIT,
        ),
        Example(
            _ROWS
            + """
feed = feed.batch(4).prefetch(tf.data.AUTOTUNE)
feed = feed.map(lambda row, label: (row * 2.0, label))
"""
            + _FIT,
            _ROWS
            + """
feed = feed.batch(4)
feed = feed.map(lambda row, label: (row * 2.0, label)).prefetch(tf.data.AUTOTUNE)
"""
            + _FIT,
        ),
        Example.ok(_ROWS + "feed = feed.batch(4).prefetch(2)\n" + _FIT),
        Example.ok(_ROWS.replace("False", "True") + "feed = feed.prefetch(2).batch(4)\n" + _FIT),
        Example.ok(_ROWS + "feed = feed.prefetch(2).batch(4).prefetch(1)\n" + _FIT),
    ),
)


_MESSAGE = "`prefetch` is not the last step, and TensorFlow adds none"
_NOTE = "the steps after it run only when the model asks"
_HELP = "move it to the end of the chain"
_REASON = "the end of the chain is at another place"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for step in run.domain(Unprefetched).not_last:
        node = step.node
        if node is None or node in seen or not run.is_here(run.call_of[step].context):
            continue
        seen.add(node)
        finding = facts.finding_at(run.step_span(node), _MESSAGE, _NOTE)
        edits = _moved(facts, step)
        yield finding.fixed_by("Prefetch at the end", *edits) if edits else but(finding, help=_HELP, no_fix=_REASON)


def _moved(facts: Facts, step: Result) -> tuple[Edit, ...]:
    pipelines = facts.run.domain(Pipelines)
    same = [each for each in pipelines.named("prefetch") if each.node is step.node]
    readings = [reading for each in same for reading in pipelines.reached(each)]
    ends = {reading.dataset.node: reading.dataset for reading in readings}
    if len(ends) != 1 or any(reading.role not in ("trained", "validated") for reading in readings):
        return ()
    (last,) = ends.values()
    return step_after(facts.run, [step], last) if facts.run.is_here(facts.run.call_of[last].context) else ()
