"""`take` comes after `cache`, which is then never filled.

## Why
A cache is complete when it was read to its end. `take` stops before, and what was cached so far is thrown away. So each epoch reads and
prepares the rows again, and TensorFlow logs that the iterator did not fully read the dataset.

## Measured
- Keras 3 and Keras 2: `cache().take(30)` of 40 rows: four epochs read 120 rows from the source, and not 30. `take(30).cache()`: 30.
- Keras 3 and Keras 2: a `take` of all rows fills the cache; another part that is read to the end, as by `skip(30)`, fills the cache,
  too: 70 rows; a shuffle between them that holds all rows reads to the end.

## Do this
Take first, and cache what is left.

## Silent when
Something reads the cache to its end; all rows are taken; the part is only looked at, or read once.
"""

from collections.abc import Iterator

from seqlint.api import (
    Counts,
    Example,
    Facts,
    Finding,
    Levels,
    Loops,
    Pipelines,
    Reading,
    Result,
    Rule,
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
    code="SEQ421",
    name="cache-then-take",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("cache", "take", "fit", "fit_generator"),),
    examples=(
        Example(
            _MODEL + "model.fit(rows.cache().take(32).batch(8), epochs=3, verbose=0)\n",
            _MODEL + "model.fit(rows.take(32).cache().batch(8), epochs=3, verbose=0)\n",
        ),
        Example(
            _MODEL
            + """rows = rows.cache()
rows = rows.take(len(cells) // 2)
model.fit(rows.batch(8), epochs=3, verbose=0)
""",
            _MODEL
            + """rows = rows.take(len(cells) // 2)
rows = rows.cache()
model.fit(rows.batch(8), epochs=3, verbose=0)
""",
        ),
        Example.ok(_MODEL + "model.fit(rows.take(32).cache().batch(8), epochs=3, verbose=0)\n"),
        Example.ok(
            _MODEL
            + """kept = rows.cache()
train, held = kept.take(32).batch(8), kept.skip(32).batch(8)
model.fit(train, validation_data=held, epochs=3, verbose=0)
"""
        ),
        Example.ok(
            _MODEL
            + """kept = rows.cache().batch(8)
print(next(iter(kept.take(1)))[0].shape)
model.fit(kept, epochs=3, verbose=0)
"""
        ),
    ),
)


_NOTE = "each epoch reads the source again: 120 rows and not 30, in four epochs"
_READS_ON = frozenset(
    {
        "shuffle",
        "repeat",
        "apply",
        "interleave",
        "flat_map",
        "zip",
        "sample_from_datasets",
        "choose_from_datasets",
        "save",
    }
)


def check(facts: Facts) -> Iterator[Finding]:
    pipelines, seen = facts.run.domain(Pipelines), set()
    for step in pipelines.named("cache"):
        cuts = _cuts(facts, step)
        trainers = [reading.trainer.result for reading in pipelines.reached(step) if reading.trainer is not None]
        place = place_of(facts.run, step, *cuts, *trainers) if cuts else None
        if place is None or place in seen:
            continue
        seen.add(place)
        message = "`cache` is never filled: `take` ends before the rows do"
        yield _fixed(facts, facts.finding_at(facts.run.step_span(place), message, _NOTE), step, cuts[0])


def _cuts(facts: Facts, step: Result) -> list[Result]:
    """What cuts each reading of a cache off, where several epochs read it; nothing where a reader may go to the end."""
    run, pipelines, loops = facts.run, facts.run.domain(Pipelines), facts.run.domain(Loops)
    if not run.complete:
        return []
    found: list[Result] = []
    readings = pipelines.reached(step)
    for reading in readings:
        for way in pipelines.ways(step, reading.dataset):
            cut = _cut(facts, way)
            if cut is None and reading.role != "looked at":
                return []
            found += [cut] if cut is not None else []
    again = any(_is_read_again(loops, reading) for reading in readings)
    return found if again else []


def _cut(facts: Facts, way: tuple[Result, ...]) -> Result | None:
    """The `take` that ends before the rows do, and nothing before it that reads on."""
    counts, pipelines = facts.run.domain(Counts), facts.run.domain(Pipelines)
    for step in way:
        if step.method in _READS_ON:
            return None
        if step.method != "take":
            continue
        taken, above = pipelines.argument(step, "count"), pipelines.parents(step)
        number, rows = constant_of(taken), counts.elements(above[0]) if above else None
        if isinstance(number, int):
            return step if number >= 0 and (rows is None or number < rows) else None
        return None if taken is None or _is_length(taken.only) else step
    return None


def _is_length(found: object) -> bool:
    """Whether a count is the length of something, so perhaps all rows."""
    return (
        isinstance(found, Result) and found.method in ("len", "cardinality", "numpy", "int") and "()" not in found.name
    )


def _is_read_again(loops: Loops, reading: Reading) -> bool:
    role = loops.role(reading)
    return role in ("trained", "validated") and loops.epochs(reading) != 1


def _fixed(facts: Facts, found: Finding, step: Result, cut: Result) -> Finding:
    line = facts.run.domain(Pipelines).line(cut)
    steps = line[: line.index(step) + 1][::-1]
    if not {each.method for each in steps[1:-1]} <= {"map", "prefetch"}:
        return found.unfixed("other steps come between them")
    edits = reordered(facts, steps, (cut, step, *steps[1:-1]))
    return found.fixed_by("Cache after `take`", *edits) if edits else found.unfixed("the steps are not in one chain")
