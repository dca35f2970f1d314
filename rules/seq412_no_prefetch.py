"""Nothing is prefetched, and TensorFlow was told not to do it by itself.

## Why
TensorFlow adds a `prefetch` to the end of each chain, so that the next batch is made while the model works on this one. Where autotuning or
`inject_prefetch` is switched off, it doesn't, and the model waits for each batch.

## Measured
- On every Keras: TensorFlow prefetches at the end of the chain by itself.
- Every Keras, with `options.autotune.enabled = False` or `options.experimental_optimization.inject_prefetch = False`
  (or `apply_default_optimizations`): no batch is made before the model
  asks for it. With `.prefetch(tf.data.AUTOTUNE)` last the next one is.
- Every Keras: a `map` with a `batch` right after it runs ahead, whatever the options: TensorFlow makes one step of both.

## Do this
End the chain with `.prefetch(tf.data.AUTOTUNE)`, or leave the options as they are.

## Silent when
The options are those of TensorFlow, the last steps run ahead by themselves, or the chain may be prefetched elsewhere.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Example, Facts, Finding, Levels, Rule, Unprefetched, any_of, prefetched

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((8, 3), "float32")
options = tf.data.Options()
options.autotune.enabled = False
feed = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1]))
"""
_FIT = """
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ412",
    name="no-prefetch",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(any_of("with_options"), any_of("fit")),
    examples=(
        Example(
            _ROWS + "feed = feed.with_options(options).batch(4)\n" + _FIT,
            _ROWS + "feed = feed.with_options(options).batch(4).prefetch(tf.data.AUTOTUNE)\n" + _FIT,
        ),
        Example(
            _ROWS.replace("autotune.enabled", "experimental_optimization.inject_prefetch")
            + "feed = feed.batch(4)\nfeed = feed.with_options(options)\n"
            + _FIT,
            _ROWS.replace("autotune.enabled", "experimental_optimization.inject_prefetch")
            + "feed = feed.batch(4)\nfeed = feed.with_options(options).prefetch(tf.data.AUTOTUNE)\n"
            + _FIT,
        ),
        Example.ok(_ROWS + "feed = feed.with_options(options).batch(4).prefetch(1)\n" + _FIT),
        Example.ok(_ROWS.replace("False", "True") + "feed = feed.with_options(options).batch(4)\n" + _FIT),
        Example.ok(_ROWS + "feed = feed.batch(4)\n" + _FIT),
    ),
)


_MESSAGE = "nothing is prefetched, and the options keep TensorFlow from doing it"
_NOTE = "the model waits for each batch"
_HELP = "end the chain with `.prefetch(tf.data.AUTOTUNE)`"
_REASON = "it isn't plain how this file calls TensorFlow"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for step in run.domain(Unprefetched).without:
        node = step.node
        if node is None or node in seen or not run.is_here(run.call_of[step].context):
            continue
        seen.add(node)
        finding = facts.finding_at(run.step_span(node), _MESSAGE, _NOTE)
        edits = prefetched(facts, node)
        yield finding.fixed_by("Prefetch at the end", *edits) if edits else but(finding, help=_HELP, no_fix=_REASON)
