"""`from_generator` is given a generator in place of a function that makes one.

## Why
`Dataset.from_generator` takes a function, and calls it each time that the dataset is read. A generator object is not a function. With
`lambda: once` every reading gets the same object, which is empty after the first.

## Measured
- Every Keras: TypeError "`generator` must be a Python callable." for a generator, an iterator, a list, an array and a Sequence.
- Keras 3: `lambda: once` with 3 epochs runs [5, 0, 0] steps. It warns that the data ran out, as it does for every dataset of unknown length.
- Keras 2: `lambda: once` with 3 epochs runs [5, 0] steps, and training stops.
- Every Keras: read twice, it has 5 batches and then 0. `zip`, `map` and `enumerate` objects are used up in the same way.

## Do this
Give the function itself: `from_generator(batches)`. Where it needs arguments, write `lambda: batches(rows)`, which makes a new generator each
time.

## Silent when
The object starts again by itself or never ends, the dataset is read once, or seqlint can't tell what is given.
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
    Result,
    Rule,
    any_of,
    made_each_time,
)

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((6, 3), "float32")
signature = (tf.TensorSpec((None, 3)), tf.TensorSpec((None, 1)))


def pairs():
    for start in range(0, 6, 2):
        yield rows[start : start + 2], rows[start : start + 2, :1]


def pairs_of(rows, size):
    for start in range(0, len(rows), size):
        yield rows[start : start + size], rows[start : start + size, :1]

"""
_FIT = """
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed, epochs=3, verbose=0)
"""
_FRESH = Contract(
    changes=frozenset({"samples", "order", "grouping", "epochs", "steps", "history", "weights", "warnings"}),
    holds=frozenset({"epochs equal"}),
)

RULE = Rule(
    code="SEQ410",
    name="from-generator-argument",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(any_of("from_generator"),),
    examples=(
        Example(
            _ROWS + "\nfeed = tf.data.Dataset.from_generator(pairs(), output_signature=signature)\n" + _FIT,
            _ROWS + "\nfeed = tf.data.Dataset.from_generator(pairs, output_signature=signature)\n" + _FIT,
        ),
        Example(
            _ROWS + "\nfeed = tf.data.Dataset.from_generator(pairs_of(rows, 2), output_signature=signature)\n" + _FIT,
            _ROWS
            + "\nfeed = tf.data.Dataset.from_generator(lambda: pairs_of(rows, 2), output_signature=signature)\n"
            + _FIT,
        ),
        Example(
            _ROWS
            + "\nonce = pairs_of(rows, 2)\nfeed = tf.data.Dataset.from_generator(lambda: once, output_signature=signature)\n"
            + _FIT
        ),
        Example(
            _ROWS
            + "\nfeed = tf.data.Dataset.from_generator([(rows, rows[:, :1])], output_signature=signature)\n"
            + _FIT
        ),
        Example.ok(_ROWS + "\nfeed = tf.data.Dataset.from_generator(pairs, output_signature=signature)\n" + _FIT),
        Example.ok(
            _ROWS
            + "\nfeed = tf.data.Dataset.from_generator(lambda: pairs_of(rows, 2), output_signature=signature)\n"
            + _FIT
        ),
        Example.ok(
            _ROWS
            + "\nfeed = tf.data.Dataset.from_generator(pairs_of, args=(rows, 2), output_signature=signature)\n"
            + _FIT
        ),
        Example.ok(
            _ROWS
            + "\nonce = pairs()\nfeed = tf.data.Dataset.from_generator(lambda: once, output_signature=signature)\n"
            + _FIT.replace(", epochs=3", "")
        ),
    ),
)


_AGAIN = Note(
    keras2="the second epoch gets nothing, and training stops",
    early="epochs after the first get nothing, with a warning that the data ran out",
    keras3="epochs after the first get nothing, with a warning that the data ran out",
)


def check(facts: Facts) -> Iterator[Finding]:
    sources, seen = facts.run.domain(GeneratorSources), set[object]()
    for step in sources.calls:
        given = sources.argument(step, "generator", 0)
        if given in seen:
            continue
        seen.add(given)
        kind, text = sources.uncallable(step), facts.run.text(given)
        if kind is not None:
            yield _uncallable(facts, step, kind)
        elif sources.repeats_one(step) and sources.is_read_again(step):
            message = f"`{text}` gives every reader the same iterator, which ends only once"
            help_text = "make the generator inside the function"
            yield but(
                facts.finding_at(facts.run.span(given), message, _AGAIN, help_text), no_fix="it is made elsewhere"
            )


def _uncallable(facts: Facts, step: Result, kind: str) -> Finding:
    given = facts.run.domain(GeneratorSources).argument(step, "generator", 0)
    text = facts.run.text(given)
    article = "an" if kind[0] in "aio" else "a"
    message = f"`from_generator` needs a function, and `{text}` is {article} {kind}"
    finding = facts.finding_at(facts.run.span(given), message, 'TypeError "`generator` must be a Python callable"')
    edits = made_each_time(facts, given)
    if edits:
        return finding.fixed_by("Give the function", *edits)
    help_text = "give a function that makes a new generator each time"
    return but(finding, help=help_text, no_fix="a function would read its names later, or call nothing")
