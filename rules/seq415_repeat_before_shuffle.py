"""`repeat` comes before `shuffle`, which then mixes one epoch with the next.

## Why
`repeat` puts the passes over the data one after the other, and a shuffle after it draws from several of them. What `fit` calls an epoch then
has some rows twice and others not at all.

## Measured
- Keras 3 and Keras 2: `repeat().shuffle(100)` of 100 rows: an epoch of 100 rows has 70 to 80 different ones, also with `repeat(2)`.
  With a buffer of 20 it has some 90.
- Keras 3 and Keras 2: `shuffle(100).repeat()`: all 100.

## Do this
Repeat after `shuffle`. Where steps alone count, as in a long training without epochs, the order does no harm.

## Silent when
Some rows are repeated to make up for the others, before `concatenate` or a mix of datasets; nothing is trained on the data.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Loops,
    Pipelines,
    Reading,
    Result,
    Rule,
    Shuffles,
    Sometimes,
    any_of,
    constant_of,
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
    code="SEQ415",
    name="repeat-before-shuffle",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    sometimes=Sometimes.everywhere("advice"),
    contract=Contract(
        changes=frozenset({"samples", "order", "grouping", "history", "weights"}), holds=frozenset({"epochs equal"})
    ),
    needs=(any_of("repeat", "shuffle"),),
    examples=(
        Example(
            _MODEL + "model.fit(rows.repeat().shuffle(40).batch(8), steps_per_epoch=5, epochs=3, verbose=0)\n",
            _MODEL + "model.fit(rows.shuffle(40).repeat().batch(8), steps_per_epoch=5, epochs=3, verbose=0)\n",
        ),
        Example(
            _MODEL
            + """rows = rows.repeat(3)
rows = rows.shuffle(buffer_size=40)
model.fit(rows.batch(8), epochs=3, steps_per_epoch=5, verbose=0)
""",
            _MODEL
            + """rows = rows.shuffle(buffer_size=40)
rows = rows.repeat(3)
model.fit(rows.batch(8), epochs=3, steps_per_epoch=5, verbose=0)
""",
        ),
        Example.ok(_MODEL + "model.fit(rows.shuffle(40).repeat().batch(8), steps_per_epoch=5, epochs=3, verbose=0)\n"),
        Example.ok(
            _MODEL
            + """few = rows.take(5).repeat(7)
model.fit(rows.skip(5).concatenate(few).shuffle(70).batch(8), epochs=3, verbose=0)
"""
        ),
    ),
)


_NOTE = "an epoch has some rows twice and others not at all: 70 to 80 of 100"
_JOINED = ("concatenate", "zip", "sample_from_datasets", "choose_from_datasets", "flat_map", "interleave")
_ADVICE = Levels.everywhere("advice")


def check(facts: Facts) -> Iterator[Finding]:
    pipelines, loops, seen = facts.run.domain(Pipelines), facts.run.domain(Loops), set()
    for step in pipelines.named("repeat"):
        shuffle = _shuffle(facts, step)
        place = place_of(facts.run, step, shuffle) if shuffle is not None else None
        if shuffle is None or place is None or place in seen or not _is_mixed_up(facts, shuffle):
            continue
        seen.add(place)
        message = "`repeat` comes before `shuffle`, which mixes the epochs"
        found = _fixed(facts, facts.finding_at(facts.run.step_span(place), message, _NOTE), step, shuffle)
        trained = loops.trained(shuffle, _JOINED)
        if not trained:
            yield found.provided("a model is trained on the data", RULE.levels)
        else:
            yield found if any(map(_has_steps, trained)) else replace(found, levels=_ADVICE)


def _shuffle(facts: Facts, step: Result) -> Result | None:
    """The shuffle that mixes what is repeated, where it is the first one."""
    pipelines, shuffles = facts.run.domain(Pipelines), facts.run.domain(Shuffles)
    count = pipelines.argument(step, "count")
    if (count is not None and constant_of(count) in (0, 1)) or shuffles.may_be_mixed(step):
        return None
    here: Result | None = step
    while here is not None:
        below = [child for child in pipelines.children(here) if child.receiver is here and child.method not in _JOINED]
        here = below[0] if len({child.node for child in below}) == 1 else None
        if here is not None and here.method == "shuffle":
            return here if shuffles.order(here) != "kept" else None
    return None


def _is_mixed_up(facts: Facts, shuffle: Result) -> bool:
    """Whether an epoch may end before all that is repeated was read: a fit without a count of steps reads it all."""
    loops = facts.run.domain(Loops)
    trained = loops.trained(shuffle, _JOINED)
    if not trained:
        return loops.trains(shuffle, _JOINED) == "unknown"
    return any(reading.trainer is None or _has_steps(reading) for reading in trained)


def _has_steps(reading: Reading) -> bool:
    """Whether the training counts epochs by steps."""
    return reading.trainer is not None and reading.trainer.result.keyword("steps_per_epoch") is not None


def _fixed(facts: Facts, found: Finding, step: Result, shuffle: Result) -> Finding:
    line = facts.run.domain(Pipelines).line(shuffle)
    steps = line[: line.index(step) + 1][::-1]
    if not {each.method for each in steps[1:-1]} <= {"map", "prefetch", "filter"}:
        return found.unfixed("other steps come between them")
    edits = reordered(facts, steps, (*steps[1:], step))
    return (
        found.fixed_by("Repeat after `shuffle`", *edits) if edits else found.unfixed("the steps are not in one chain")
    )
