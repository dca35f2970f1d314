"""`map` calls Python, or draws random numbers, for one row at a time.

## Why
Without `num_parallel_calls` a mapped function that TensorFlow can't look through runs for one row after the other, while the model waits. Files that
are read in Python, and other code that waits for something, can run for several rows at once.

## Measured
- On every Keras: a `map` with `tf.numpy_function` runs 1 call at a time, `num_parallel_calls=2` runs 2, and `num_parallel_calls=tf.data.AUTOTUNE` runs several.
  With it the rows keep their order.
- Every Keras: TensorFlow runs a `map` that only reads and decodes in parallel by itself, unless autotuning is off. It does not where the function calls
  Python or draws random numbers.

## Do this
Write `map(load, num_parallel_calls=tf.data.AUTOTUNE)`. It may help little where the function is pure computation in Python, or where the model is the
slow part: measure it.

## Silent when
The Python function draws random numbers or changes something, the rows are only looked at, or seqlint can't tell that Python is called.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Call,
    Example,
    Facts,
    Finding,
    Levels,
    Pipelines,
    Result,
    Rule,
    any_of,
    changes_something,
    drawn_by,
    in_parallel,
)

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

pages = np.arange(8 * 16).reshape(8, 4, 4)
letters = np.ones((8, 1), "float32")


def scaled(page):
    return (page / 128).astype("float32")


def prepare(page, letter):
    page = tf.numpy_function(scaled, [page], tf.float32)
    return tf.ensure_shape(page, (4, 4)), letter

"""
_FIT = """
model = keras.Sequential([keras.Input((4, 4)), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=2, verbose=0)
"""
_ONE = """
feed = tf.data.Dataset.from_tensor_slices((pages, letters)).map(prepare).batch(4)
"""
_SEVERAL = """
feed = tf.data.Dataset.from_tensor_slices((pages, letters)).map(prepare, num_parallel_calls=tf.data.AUTOTUNE).batch(4)
"""

RULE = Rule(
    code="SEQ411",
    name="serial-map",
    since="0.1.0",
    levels=Levels.everywhere("advice"),
    needs=(any_of("map"),),
    examples=(
        Example(_ROWS + _ONE + _FIT, _ROWS + _SEVERAL + _FIT),
        Example(
            _ROWS
            + """
feed = tf.data.Dataset.from_tensor_slices((pages, letters))
feed = feed.map(prepare)
feed = feed.batch(4)
"""
            + _FIT,
            _ROWS
            + """
feed = tf.data.Dataset.from_tensor_slices((pages, letters))
feed = feed.map(prepare, num_parallel_calls=tf.data.AUTOTUNE)
feed = feed.batch(4)
"""
            + _FIT,
        ),
        Example.ok(_ROWS + _SEVERAL + _FIT),
        Example.ok(
            _ROWS
            + """
feed = tf.data.Dataset.from_tensor_slices((pages, letters))
feed = feed.map(lambda page, letter: (tf.cast(page, tf.float32) / 128.0, letter)).batch(4)
"""
            + _FIT
        ),
    ),
)


_HELP = "add `num_parallel_calls=tf.data.AUTOTUNE`"
_REASON = "it isn't plain how this file calls TensorFlow"
_TRAINING = frozenset({"trained", "validated", "evaluated", "predicted"})
_NOTE = "the Python function runs for one row at a time"


def check(facts: Facts) -> Iterator[Finding]:
    run = facts.run
    pipelines, seen = run.domain(Pipelines), set[object]()
    for step in pipelines.named("map"):
        call = run.call_of[step]
        if step.node in seen or not run.is_here(call.context) or not _TRAINING & pipelines.roles(step):
            continue
        if pipelines.argument(step, "num_parallel_calls") is not None or pipelines.hides_arguments(step):
            continue
        if not any(_may_run_at_once(facts, each) for each in _python_calls(facts, step)):
            continue
        seen.add(step.node)
        finding = facts.finding_at(run.step_span(call.node), "`map` calls Python, one row at a time", _NOTE)
        edits = in_parallel(facts, call)
        yield finding.fixed_by("Run several at a time", *edits) if edits else but(finding, help=_HELP, no_fix=_REASON)


def _python_calls(facts: Facts, step: Result) -> list[Call]:
    calls = [call for call in facts.run.calls if call.context.phase.owner is step]
    python = [call for call in calls if call.name in ("tensorflow.py_function", "tensorflow.numpy_function")]
    # One that draws or changes something makes the order of the calls matter.
    return python if all(_may_run_at_once(facts, call) for call in python) else []


def _may_run_at_once(facts: Facts, call: Call) -> bool:
    """Whether nothing says that the order of its calls matters: it is a function of the program that draws and changes nothing."""
    value = call.result.args[0] if call.result.args else call.result.keyword("func")
    functions = list(facts.run.functions(value)) if value is not None else []
    inside = [each for each in facts.run.calls if any(phase.owner is call.result for phase in each.context.phases)]
    drawn = any(drawn_by(each.name) is not None for each in inside)
    return bool(functions) and not drawn and not any(changes_something(function) for function in functions)
