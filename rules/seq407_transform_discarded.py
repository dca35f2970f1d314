"""The result of a dataset's method is not kept.

## Why
A `tf.data.Dataset` never changes. `map`, `shuffle`, `batch`, `with_options` and all others return a new dataset. Where nobody keeps it, the
step is not done, and training goes on without augmentation, scaling or shuffling.

## Measured
- On every Keras: `numbers.map(f)` and `numbers.batch(2)` as statements: `numbers` still gives 0, 1, 2, 3.
- Every Keras: `numbers.with_options(options)` as a statement: the options stay unset.
- Every Keras: `for split in (train, test): split = split.batch(2)` leaves `train` with 4 elements.
- Every Keras: `fit` gets pixels up to 255 after `rows.map(scale)` as a statement, without a warning.

## Do this
Assign the result: `rows = rows.map(scale)`. In a function return it.

## Silent when
Something else may read the result: another function or file, a container, the output of a notebook cell. Also where the call itself may be
the point, as in a test that expects it to fail.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import Contract, Example, Facts, Finding, Levels, Lost, LostSteps, Rule, any_of, assigned

_ROWS = """
import keras
import numpy as np
import tensorflow as tf

scales = np.arange(16, dtype="float32").reshape(8, 2)
weights = np.ones((8, 1), "float32")
fish = tf.data.Dataset.from_tensor_slices((scales, weights))
"""
_FIT = """
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(fish, epochs=2, verbose=0)
"""

_METHODS = (
    "map", "shuffle", "batch", "padded_batch", "prefetch", "cache", "repeat", "take", "skip", "shard", "filter", "unbatch", "with_options",
    "concatenate", "interleave", "flat_map", "window", "enumerate", "ignore_errors", "snapshot",
)  # fmt: skip

RULE = Rule(
    code="SEQ407",
    name="transform-discarded",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "order", "grouping", "history", "weights"}), holds=frozenset({"labels stay"})
    ),
    needs=(any_of(*_METHODS),),
    examples=(
        Example(
            _ROWS
            + """

def scaled(scale, weight):
    return scale / 16.0, weight


fish.map(scaled)
fish = fish.batch(4)
"""
            + _FIT,
            _ROWS
            + """

def scaled(scale, weight):
    return scale / 16.0, weight


fish = fish.map(scaled)
fish = fish.batch(4)
"""
            + _FIT,
        ),
        Example(
            _ROWS
            + """

def feed(fish, size):
    fish.shuffle(8, seed=3)
    return fish.batch(size)


fish = feed(fish, 2)
"""
            + _FIT,
            _ROWS
            + """

def feed(fish, size):
    fish = fish.shuffle(8, seed=3)
    return fish.batch(size)


fish = feed(fish, 2)
"""
            + _FIT,
        ),
        Example(
            _ROWS
            + """
fish = fish.batch(4)
for split in (fish,):
    split = split.map(lambda scale, weight: (scale / 16.0, weight))
"""
            + _FIT
        ),
        Example.ok(_ROWS + "fish = fish.shuffle(8).batch(4)\n" + _FIT),
        Example.ok(
            _ROWS
            + """
fish = fish.batch(4)
for scale, weight in fish.take(1):
    print(scale.shape, weight.shape)
"""
            + _FIT
        ),
        Example.ok(
            _ROWS
            + """
fish = fish.batch(4)
counts = {}
counts.update(rows=8)
list(fish.map(lambda scale, weight: scale))
"""
            + _FIT
        ),
    ),
    sources=("EscVM/RAMS#15", "https-deeplearning-ai/tensorflow-2-public#30"),
)


_HELP = {
    "loop": "keep the results, such as in a dict of splits",
    "parameter": "return it, and assign the result at the call",
}


def check(facts: Facts) -> Iterator[Finding]:
    for lost in facts.run.domain(LostSteps).found:
        dataset = facts.run.text(lost.dataset)
        finding = facts.finding_at(facts.run.span(lost.call), _message(lost, dataset), _note(lost, dataset))
        edits = assigned(facts, lost)
        if edits:
            yield finding.fixed_by(f"Assign the result to `{dataset}`", *edits)
        else:
            yield but(finding, help=_HELP.get(lost.how, "assign the result"), no_fix=_reason(lost, dataset))


def _message(lost: Lost, dataset: str) -> str:
    method = lost.step.method
    if lost.how == "loop":
        return f"`{method}` is bound to the loop's `{dataset}` alone: nobody reads the result"
    if lost.how == "parameter":
        return f"`{lost.function}` binds the result of `{method}` to its own `{dataset}`, and never returns it"
    return (
        f"nobody keeps the result of `{dataset}.{method}`"
        if dataset.isidentifier()
        else f"nobody keeps the result of `{method}`"
    )


def _note(lost: Lost, dataset: str) -> str:
    if lost.how == "loop":
        return "a dataset never changes: those that the loop goes through stay as they are"
    return f"a dataset never changes: without `{lost.step.method}` it goes on to its readers"


def _reason(lost: Lost, dataset: str) -> str:
    if lost.how == "loop":
        return "the readers use other names"
    if lost.how == "parameter":
        return f"the callers of `{lost.function}` must take the result, too"
    return f"`{dataset}` can't be bound right here"
