"""The signature of `from_generator` tells no shapes, or not what is yielded.

## Why
TensorFlow can't know what a Python generator yields, so `from_generator` is told. Types alone leave the number of dimensions open, which Keras 3
needs. And each element must have the structure of the signature, where a list doesn't count as a tuple.

## Measured
- Keras 3: types without shapes end `fit`, `evaluate` and validation with ValueError "Cannot take the length of shape with unknown rank", or with
  "as_list() is not defined on an unknown TensorShape" where the model has no input shape. A label alone is enough for that. `predict` takes it.
- Keras 2: types without shapes train, if the model knows its input shape. Otherwise ValueError. `predict` takes it.
- Every Keras: `output_shapes`, `tf.ensure_shape` and `tf.reshape` in a map, or `padded_shapes` are enough.
- Every Keras: InvalidArgumentError "`generator` yielded an element that did not match the expected structure" at the first batch for a list for a
  tuple, another number of items, other keys.
- Every Keras: another shape: InvalidArgumentError "where an element of shape (3,) was expected". But numbers of another type, and lists of numbers,
  are converted.
- Every Keras: no signature, a list of specs, or bare types as `output_signature`: TypeError at once.

## Do this
Write `output_signature=(tf.TensorSpec((None, 3), tf.float32), tf.TensorSpec((None, 1), tf.float32))`, with None for each size that varies, and yield
tuples.

## Silent when
A later step sets the shapes, the dataset reaches no `fit` or `evaluate`, or seqlint can't tell what is yielded.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    GeneratorSources,
    Levels,
    Note,
    Ranks,
    Result,
    Rule,
    Signatures,
    any_of,
    as_written_tuple,
)

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((6, 3), "float32")

"""
_PAIRS = """
def pairs():
    for row in rows:
        yield row, row[:1]

"""
_LISTS = """
def pairs():
    for row in rows:
        yield [row, row[:1]]

"""
_FIT = """
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=2, verbose=0)
"""
_TYPES = """
feed = tf.data.Dataset.from_generator(pairs, output_types=(tf.float32, tf.float32)).batch(2)
"""
_SPECS = """
signature = (tf.TensorSpec((3,)), tf.TensorSpec((1,)))
feed = tf.data.Dataset.from_generator(pairs, output_signature=signature).batch(2)
"""

RULE = Rule(
    code="SEQ409",
    name="from-generator-signature",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(any_of("from_generator"),),
    examples=(
        Example(_ROWS + _LISTS + _SPECS + _FIT, _ROWS + _PAIRS + _SPECS + _FIT),
        Example(_ROWS + _PAIRS + _TYPES + _FIT, keras=">=3"),
        Example(
            _ROWS
            + _PAIRS
            + _SPECS.replace("(tf.TensorSpec((3,)), tf.TensorSpec((1,)))", '{"row": tf.TensorSpec((3,))}')
            + _FIT
        ),
        Example.ok(_ROWS + _PAIRS + _SPECS + _FIT),
        Example.ok(
            _ROWS
            + _PAIRS
            + """
feed = tf.data.Dataset.from_generator(pairs, output_types=(tf.float32, tf.float32))
feed = feed.map(lambda row, label: (tf.ensure_shape(row, (3,)), tf.ensure_shape(label, (1,)))).batch(2)
"""
            + _FIT
        ),
        Example.ok(_ROWS + _PAIRS + _TYPES + _FIT, keras="tf-keras"),
        Example.ok(
            _ROWS
            + _PAIRS
            + """
types = (tf.float32, tf.float32)
feed = tf.data.Dataset.from_generator(pairs, types, ((3,), (1,))).batch(2)
"""
            + _FIT
        ),
    ),
    sources=("keras-team/keras#14308", "tensorflow/tensorflow#40425", "tensorflow/tensorflow#19288"),
)


_KERAS_3 = Levels(keras2=None, early="error", keras3="error")
_UNKNOWN = Note.on_keras_3('ValueError "Cannot take the length of shape with unknown rank" at the first batch')
_STRUCTURE = "the first element raises InvalidArgumentError"
_SPECS = "write `output_signature=` with a `tf.TensorSpec` for each part, in a tuple"


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    untold = run.domain(Ranks).missing()
    for step in run.domain(GeneratorSources).calls:
        if step.node in seen:
            continue
        found = _finding(facts, step, step in untold)
        if found is not None:
            seen.add(step.node)
            yield found


def _finding(facts: Facts, step: Result, untold: bool) -> Finding | None:
    signatures = facts.run.domain(Signatures)
    span = facts.run.step_span(step.node)  # type: ignore[arg-type]
    refused = signatures.refused(step)
    if refused:
        found = facts.finding_at(span, f"`from_generator` {refused}", "TypeError at once", _SPECS)
        return found.unfixed("the shapes are not known here")
    unlike = signatures.unlike(step)
    if unlike is not None:
        found = facts.finding_at(span, f"the generator yields {unlike.what}", _STRUCTURE)
        edits = as_written_tuple(facts, unlike.value)
        if edits:
            return found.fixed_by("Yield a tuple", *edits)
        return but(found, help="yield what the signature says, or change it", no_fix="both may be meant")
    if not untold:
        return None
    message = "`from_generator` is told types alone, and a model is trained on tensors of unknown shape"
    found = facts.finding_at(span, message, _UNKNOWN, _SPECS)
    return but(found, levels=_KERAS_3, no_fix="the shapes are not known here")
