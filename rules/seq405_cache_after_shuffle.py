"""`cache` keeps the order that `shuffle` drew for the first epoch.

## Why
`cache` remembers rows as they come. After a shuffle it remembers one order, and every later epoch reads that order again. The shuffle then
works once, and not once an epoch.

## Measured
- Keras 3 and Keras 2: `shuffle(40).cache()`: three epochs have 1 order, also with `batch` between them; a cache in a file keeps it for
  the next run, too.
- Keras 3 and Keras 2: `cache().shuffle(40)`: three orders.

## Do this
Cache before `shuffle`: first what costs time, such as reading and decoding, then `cache`, `shuffle`, `batch`.

## Silent when
The rows are shuffled once more after the cache; the shuffle is meant to keep one order (`reshuffle_each_iteration=False`); nothing is
trained on the data, or in one epoch alone.
"""

from collections.abc import Iterator

from seqlint.api import (
    BATCHES,
    Contract,
    Draws,
    Example,
    Facts,
    Finding,
    Levels,
    Loops,
    Pipelines,
    Result,
    Rule,
    Shuffles,
    any_of,
    place_of,
    reordered,
)

_MODEL = """
import keras
import numpy as np
import tensorflow as tf

cells = np.arange(40, dtype="float32").reshape(40, 1) / 40
rows = tf.data.Dataset.from_tensor_slices((cells, cells))
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ405",
    name="cache-after-shuffle",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"order", "grouping", "history", "weights"}),
        holds=frozenset({"inputs stay", "orders differ"}),
    ),
    needs=(any_of("shuffle", "cache", "fit", "fit_generator", "GradientTape", "train_on_batch"),),
    examples=(
        Example(
            _MODEL + "model.fit(rows.shuffle(40).cache().batch(8), epochs=3, verbose=0)\n",
            _MODEL + "model.fit(rows.cache().shuffle(40).batch(8), epochs=3, verbose=0)\n",
        ),
        Example(
            _MODEL
            + """rows = rows.shuffle(buffer_size=len(cells), seed=4)
rows = rows.cache()
model.fit(rows.batch(8), epochs=3, verbose=0)
""",
            _MODEL
            + """rows = rows.cache()
rows = rows.shuffle(buffer_size=len(cells), seed=4)
model.fit(rows.batch(8), epochs=3, verbose=0)
""",
        ),
        Example.ok(_MODEL + "model.fit(rows.cache().shuffle(40).batch(8), epochs=3, verbose=0)\n"),
        Example.ok(_MODEL + "model.fit(rows.shuffle(40).cache().shuffle(40).batch(8), epochs=3, verbose=0)\n"),
        Example.ok(
            _MODEL
            + "model.fit(rows.shuffle(40, reshuffle_each_iteration=False).cache().batch(8), epochs=3, verbose=0)\n"
        ),
        Example.ok(_MODEL + "model.fit(rows.shuffle(40).cache().batch(8), epochs=1, verbose=0)\n"),
    ),
)


_NOTE = "every epoch has the order of the first"
_HELP = "cache before `shuffle`"
_CHOOSES = ("cache", "take", "skip", "shard", "take_while")
_KEEPS_ROWS = frozenset({"map", "prefetch", "filter"})


def check(facts: Facts) -> Iterator[Finding]:
    loops, seen = facts.run.domain(Loops), set()
    for step in facts.run.domain(Pipelines).named("cache"):
        shuffle = _shuffle(facts, step)
        place = place_of(facts.run, step, shuffle) if shuffle is not None else None
        if shuffle is None or place is None or place in seen or not _is_read_again(facts, step):
            continue
        seen.add(place)
        found = facts.finding_at(
            facts.run.step_span(place), "`cache` keeps one order of `shuffle` for all epochs", _NOTE
        )
        found = _fixed(facts, found, shuffle, step)
        sure = loops.trains(step, ("shuffle",)) == "yes"
        yield found if sure else found.provided("a model is trained on the data for several epochs", RULE.levels)


def _shuffle(facts: Facts, step: Result) -> Result | None:
    """The shuffle whose order is cached."""
    pipelines, shuffles = facts.run.domain(Pipelines), facts.run.domain(Shuffles)
    for above in pipelines.line(step)[1:]:
        if facts.run.domain(Draws).varies(above):  # a frozen draw is worse, and one cache has one finding (SEQ404)
            return None
        if above.method in _CHOOSES or len(pipelines.parents(above)) > 1:
            return None
        if above.method == "shuffle":
            return above if shuffles.order(above) == "each reading" else None
    return None


def _is_read_again(facts: Facts, step: Result) -> bool:
    """Whether a training reads the cache in several epochs, or may."""
    loops = facts.run.domain(Loops)
    trained = loops.trained(step, ("shuffle",))
    if trained:
        return any(loops.epochs(reading) != 1 for reading in trained)
    below = facts.run.domain(Pipelines).descendants(step)
    return loops.trains(step) == "unknown" and not any(each.method == "shuffle" for each in below)


def _fixed(facts: Facts, found: Finding, shuffle: Result, step: Result) -> Finding:
    line = facts.run.domain(Pipelines).line(step)
    steps = line[: line.index(shuffle) + 1][::-1]
    between = {each.method for each in steps[1:-1]}
    if between <= _KEEPS_ROWS:
        edits = reordered(facts, steps, (*steps[1:], shuffle))
    else:
        edits = reordered(facts, steps, (step, *steps[:-1])) if between <= {*BATCHES, "prefetch"} else ()
    if not edits:
        return found.unfixed("the steps are not in one chain")
    return found.fixed_by("Shuffle after `cache`", *edits)
