"""Python or NumPy draws a random number inside a function that a dataset traces.

## Why
`map` calls a Python function once, to make a graph of it. What `random` or `np.random` gives in this one call becomes a constant of
the graph. The augmentation runs without an error, and changes all rows in the same way.

## Measured
- On every Keras: 1 number for all 50 rows of 3 epochs, for `random`, `np.random` and generators of both.
- Every Keras: `filter` keeps all rows or none; `flat_map` and `interleave` draw once, too.
- Every Keras: a seed for `tf.random.stateless_uniform` that Python draws: the same number for every row.
- Every Keras: `tf.random.uniform`, and a draw inside `tf.numpy_function`: 50 numbers for 50 rows.

## Do this
Draw with `tf.random.uniform`, or with the `random_` functions of `tf.image`. A condition becomes `tf.random.uniform([]) < 0.5`. A function that
needs NumPy runs for every row through `tf.numpy_function`.

## Silent when
The draw runs inside `tf.py_function` or `tf.numpy_function`, in a generator, or before `map` is called. One number may be meant there.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Call,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Pipelines,
    Result,
    Rule,
    any_of,
    callee,
    drawn_by,
    drawn_by_tensorflow,
)

_FIT = """
model = keras.Sequential([keras.Input((4, 4, 1)), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=2, verbose=0)
"""
_ROWS = """
import random

import keras
import numpy as np
import tensorflow as tf

shells = np.ones((8, 4, 4, 1), "float32")
widths = np.ones((8, 1), "float32")
"""

RULE = Rule(
    code="SEQ406",
    name="python-random-in-map",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"samples", "history", "weights"}), holds=frozenset({"labels stay"})),
    needs=(any_of("map", "filter", "flat_map", "interleave", "scan", "take_while", "group_by_window"),),
    examples=(
        Example(
            _ROWS
            + """

def vary(shell, width):
    return tf.image.adjust_brightness(shell, random.uniform(-0.2, 0.2)), width


feed = tf.data.Dataset.from_tensor_slices((shells, widths)).map(vary).batch(4)
"""
            + _FIT,
            _ROWS
            + """

def vary(shell, width):
    return tf.image.adjust_brightness(shell, tf.random.uniform([], -0.2, 0.2)), width


feed = tf.data.Dataset.from_tensor_slices((shells, widths)).map(vary).batch(4)
"""
            + _FIT,
        ),
        Example(
            _ROWS
            + """

def turn(shell, width):
    quarters = np.random.randint(0, 4)
    return tf.image.rot90(shell, k=quarters), width


feed = tf.data.Dataset.from_tensor_slices((shells, widths))
feed = feed.map(turn, num_parallel_calls=tf.data.AUTOTUNE)
feed = feed.batch(4)
"""
            + _FIT
        ),
        Example(
            _ROWS
            + """

def perhaps_flip(shell):
    if random.random() < 0.5:
        shell = tf.image.flip_left_right(shell)
    return shell


feed = tf.data.Dataset.from_tensor_slices((shells, widths)).map(lambda shell, width: (perhaps_flip(shell), width))
feed = feed.batch(4)
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """

def vary(shell, width):
    return shell * tf.random.uniform([], 0.8, 1.2), width


feed = tf.data.Dataset.from_tensor_slices((shells, widths)).map(vary).batch(4)
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """

def scale(shell):
    return shell * np.float32(random.uniform(0.8, 1.2))


def vary(shell, width):
    shell = tf.numpy_function(scale, [shell], tf.float32)
    return tf.ensure_shape(shell, (4, 4, 1)), width


feed = tf.data.Dataset.from_tensor_slices((shells, widths)).map(vary).batch(4)
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """
order = np.random.permutation(len(shells))
share = random.uniform(0.5, 0.9)
feed = tf.data.Dataset.from_tensor_slices((shells[order], widths[order]))
feed = feed.map(lambda shell, width: (shell * share, width)).batch(4)
"""
            + _FIT
        ),
    ),
    sources=("tensorflow/tensorflow#40620", "tensorflow/tensorflow#60848"),
)


_HELP = "draw with `tf.random.uniform`, or call the function through `tf.numpy_function`"
_REASON = "what the number is used for may need another type than a tensor of float32"


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    if any(run.called("tensorflow.data.experimental.enable_debug_mode")):
        return
    pipelines, seen = run.domain(Pipelines), set[object]()
    for call in run.calls:
        phase, node = call.context.phase, run.place(call)
        if (
            drawn_by(call.name) != "python"
            or phase.owner is None
            or phase.kind != "traced"
            or node is None
            or node in seen
        ):
            continue
        if pipelines.is_step(phase.owner):
            seen.add(node)
            yield _finding(facts, call, phase.owner)


def _finding(facts: Facts, call: Call, step: Result) -> Finding:
    run = facts.run
    node = run.place(call) or call.node
    drawn = callee(run, call) if run.is_here(call.context) else call.name
    what = f"`{drawn}` draws once, and every row of `{step.method}` gets the same number"
    note = f"`{step.method}` traces its function once, so that the number is a constant for all rows and epochs"
    finding = facts.finding_at(run.span(node), what, note)
    edits = drawn_by_tensorflow(facts, call)
    if edits:
        return finding.fixed_by("Draw with `tf.random.uniform`", *edits)
    return but(finding, help=_HELP, no_fix=_REASON)
