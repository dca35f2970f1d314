"""A text in `args=` of `from_generator` arrives as bytes.

## Why
`from_generator` makes tensors of `args`, and gives the generator what they hold. That of a text is bytes. A comparison with a text is then False,
without a word, and a dict doesn't have the key.

## Measured
- On every Keras: `args=("train",)` arrives as `b"train"`; a list of texts arrives as an array of bytes; numbers arrive as `np.int32` and `np.float32`.
- Every Keras: `==` and `in` are False, an f-string holds "b'train'".
- Every Keras: a dict key, `os.path.join`, `Path`, `+` and `.split` raise KeyError or TypeError, inside an InvalidArgumentError.
- Every Keras: `open` and `np.load` take bytes, and `.decode()` makes a text of them.
- Every Keras: None, a dict and a `Path` raise ValueError at once; `args="train"` gives 5 arguments of a letter each.

## Do this
Leave `args` out and give the text in a function: `from_generator(lambda: rows("train"), ...)`. Or decode it first in the generator:
`split = split.decode()`.

## Silent when
The generator decodes it, or does nothing with it that bytes can't do.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    GeneratorSources,
    GeneratorTexts,
    Levels,
    Result,
    Rule,
    TextForBytes,
    any_of,
    decoded_first,
)

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

tables = {"train": np.ones((8, 3), "float32"), "test": np.zeros((4, 3), "float32")}
signature = (tf.TensorSpec((3,)), tf.TensorSpec((1,)))

"""
_FIT = """
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(feed.batch(4), epochs=2, verbose=0)
"""
_FEED = """
feed = tf.data.Dataset.from_generator(rows, args=("train",), output_signature=signature)
"""

RULE = Rule(
    code="SEQ428",
    name="generator-args-bytes",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "order", "grouping", "steps", "history", "weights"}),
        repairs=frozenset({"errors"}),
    ),
    needs=(any_of("from_generator"), any_of("args")),
    examples=(
        Example(
            _ROWS
            + """
def rows(split):
    for row in tables[split]:
        yield row, row[:1]

"""
            + _FEED
            + _FIT,
            _ROWS
            + """
def rows(split):
    split = split.decode()
    for row in tables[split]:
        yield row, row[:1]

"""
            + _FEED
            + _FIT,
        ),
        Example(
            _ROWS
            + """
def rows(split):
    if split == "train":
        yield from zip(tables["train"], np.ones((8, 1), "float32"))
    else:
        yield from zip(tables["test"], np.ones((4, 1), "float32"))

"""
            + _FEED
            + _FIT,
            _ROWS
            + """
def rows(split):
    split = split.decode()
    if split == "train":
        yield from zip(tables["train"], np.ones((8, 1), "float32"))
    else:
        yield from zip(tables["test"], np.ones((4, 1), "float32"))

"""
            + _FEED
            + _FIT,
        ),
        Example.ok(
            _ROWS
            + """
def rows(split):
    split = split.decode("utf-8")
    for row in tables[split]:
        yield row, row[:1]

"""
            + _FEED
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """
def rows(split):
    for row in tables[split]:
        yield row, row[:1]


feed = tf.data.Dataset.from_generator(lambda: rows("train"), output_signature=signature)
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """
def rows(count):
    for row in tables["train"][:count]:
        yield row, row[:1]


feed = tf.data.Dataset.from_generator(rows, args=(6,), output_signature=signature)
"""
            + _FIT
        ),
    ),
)


_NOTE = "bytes are equal to no text, and no key of a dict that has texts"
_LETTERS = "each letter of the text is an argument of its own"


def check(facts: Facts) -> Iterator[Finding]:
    seen = set[object]()
    for step, needs in facts.run.domain(GeneratorTexts).found:
        if step.node not in seen:
            seen.add(step.node)
            yield _finding(facts, step, needs)


def _finding(facts: Facts, step: Result, needs: tuple[TextForBytes, ...]) -> Finding:
    span, first = facts.run.step_span(step.node), needs[0]  # type: ignore[arg-type]
    if not first.name:
        found = facts.finding_at(span, "`args` is a text, and not a tuple", _LETTERS, "write `args=(name,)`")
        return but(found, no_fix="more than the tuple may be missing")
    message = f"`{first.name}` arrives in the generator as bytes, and {first.use} there needs a text"
    found = facts.finding_at(span, message, _NOTE)
    edits = decoded_first(facts, first.function, _always(facts, step, needs))
    if edits:
        return found.fixed_by("Decode it first", *edits)
    return but(found, help="decode it first in the generator", no_fix="others may call the generator with a text")


def _always(facts: Facts, step: Result, needs: tuple[TextForBytes, ...]) -> tuple[str, ...]:
    """The parameters that are texts each time; none where one of them is a list, or something else another time."""
    texts = facts.run.domain(GeneratorTexts)
    times = [each for each in facts.run.domain(GeneratorSources).calls if each.node is step.node]
    found = [other for each, other in texts.found if each.node is step.node]
    names = tuple(need.name for need in needs if need.kind == "text")
    same = all(tuple(need.name for need in other) == names for other in found)
    return names if same and len(found) == len(times) and len(names) == len(needs) else ()
