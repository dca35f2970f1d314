"""A dataset is cached after a random map: every epoch gets the same draws.

## Why
`cache()` keeps the rows of the first pass, with all that was drawn for them. From the second epoch on the augmentation is a constant: the
training sees one picture of each row, as if there were none. Nothing tells of it, and the loss falls faster than it should.

## Measured
- On every Keras the rows after `.map(vary).cache()` are equal in all epochs, in memory and in a file; `.cache().map(vary)` draws anew.
  `snapshot` keeps the draws as `cache` does.
- On every Keras a `RandomFlip` or a Sequential of such layers draws inside `map` without `training=True`, too; `Dropout` does not.
- On every Keras a cache that is never read to its end keeps nothing, and neither does one after an endless `repeat()`.

## Do this
Cache before the first random step.

## Silent when
Nothing random is in what is cached; only validation or a test reads it, or one epoch; the whole row is drawn, as in a toy dataset; a
`repeat` comes before the cache, which then keeps several draws of each row.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Draws,
    Example,
    Facts,
    Finding,
    Levels,
    Pipelines,
    Result,
    Rule,
    any_of,
    callee,
    place,
    repeats_for_ever,
    step_before,
    trains_again,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

pictures = np.linspace(0, 1, 24 * 48, dtype="float32").reshape(24, 4, 4, 3)
goals = pictures.mean(axis=(1, 2, 3))
brighter = keras.layers.RandomBrightness(0.5, value_range=(0, 1))
model = keras.Sequential([keras.Input((4, 4, 3)), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def vary(picture, goal):
    return brighter(picture, training=True), goal


"""

RULE = Rule(
    code="SEQ404",
    name="cache-after-random",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "history", "weights"}), holds=frozenset({"labels stay", "epochs differ"})
    ),
    needs=(any_of("cache", "snapshot"),),
    examples=(
        Example(
            _START
            + """train = tf.data.Dataset.from_tensor_slices((pictures, goals)).map(vary).cache().batch(6)
model.fit(train, epochs=3, verbose=0)
""",
            _START
            + """train = tf.data.Dataset.from_tensor_slices((pictures, goals)).cache().map(vary).batch(6)
model.fit(train, epochs=3, verbose=0)
""",
        ),
        Example(
            _START
            + """train = tf.data.Dataset.from_tensor_slices((pictures, goals))
train = train.map(vary)
train = train.batch(6)
train = train.cache()
model.fit(train, epochs=3, verbose=0)
""",
            _START
            + """train = tf.data.Dataset.from_tensor_slices((pictures, goals))
train = train.cache()
train = train.map(vary)
train = train.batch(6)
model.fit(train, epochs=3, verbose=0)
""",
        ),
        Example.ok(
            _START
            + """train = tf.data.Dataset.from_tensor_slices((pictures, goals)).cache().map(vary).batch(6)
model.fit(train, epochs=3, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """train = tf.data.Dataset.from_tensor_slices((pictures, goals)).batch(6)
held = train.map(vary).cache()
model.fit(train, validation_data=held, epochs=3, verbose=0)
"""
        ),
    ),
    sources=("tf.data map, cache and shuffle",),
)


_KEEPERS = ("cache", "snapshot")


def check(facts: Facts) -> Iterator[Finding]:
    run, pipelines, draws = facts.run, facts.run.domain(Pipelines), facts.run.domain(Draws)
    seen = set()
    for cache in pipelines.named(*_KEEPERS):
        random = _random(pipelines, draws, cache)
        where = place(run, cache, random) if random is not None else None
        if random is None or where is None or where in seen or not trains_again(run, pipelines, cache):
            continue
        seen.add(where)
        message = f"`{cache.method}` keeps what `{_drawn(facts, draws, random)}` draws in the first epoch"
        finding = facts.finding_at(run.step_span(where), message, "all epochs get the same rows")
        if draws.reads_files(random):
            finding = but(finding, help="read the files in one `map`, cache, then draw in another one")
            yield finding.unfixed("the function that draws reads the files, too")
            continue
        edits = step_before(run, cache, random) if random.method == "map" else ()
        if edits:
            yield finding.fixed_by("Cache before the first random step", *edits)
            continue
        finding = but(finding, help="cache before the first random step")
        yield finding.unfixed("the two steps are not in one chain, or not in statements of one name")


def _random(pipelines: Pipelines, draws: Draws, cache: Result) -> Result | None:
    """The first random step whose rows a cache keeps; None where it keeps none, or where an earlier cache has kept them."""
    above = pipelines.ancestors(cache)
    kept = {step for each in above if each.method in _KEEPERS for step in pipelines.ancestors(each)}
    random = next((step for step in reversed(above) if step not in kept and draws.varies(step)), None)
    repeats = (step for step in above if step.method == "repeat")
    if random is None or any(
        repeats_for_ever(pipelines, step) or random in pipelines.ancestors(step) for step in repeats
    ):
        return None
    return random


def _drawn(facts: Facts, draws: Draws, random: Result) -> str:
    """What draws, as it is written."""
    return next((callee(facts.run, draw.call) for draw in draws.of(random)), random.method)
