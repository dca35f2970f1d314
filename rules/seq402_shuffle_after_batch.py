"""`shuffle` comes after `batch`, so whole batches change places.

## Why
The elements of a batched dataset are batches. A shuffle after `batch` moves these, and never a row from one batch to another. Rows that are
neighbours in the data, such as those of one class, stay together in every epoch.

## Measured
- Keras 3 and Keras 2: 40 rows in batches of 4, shuffled: three epochs have the same 10 batches, each in another order. Shuffled before
  `batch`, nearly all 30 batches differ.

## Do this
Shuffle before `batch`. The buffer counts rows there, and batches here: the fix multiplies a small one by the size of a batch.

## Silent when
The rows were shuffled before `batch`, too; they are batched again afterwards, as windows are; nothing is trained on the data; a batch holds
one row.
"""

from collections.abc import Iterator

from seqlint.api import (
    BATCHES,
    Contract,
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
    constant_of,
    place_of,
    reordered,
    times,
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
    code="SEQ402",
    name="shuffle-after-batch",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"order", "grouping", "history", "weights"}),
        holds=frozenset({"inputs stay", "orders differ"}),
    ),
    needs=(any_of("shuffle", "fit", "fit_generator", "GradientTape", "train_on_batch"),),
    examples=(
        Example(
            _MODEL + "model.fit(rows.batch(8).shuffle(len(cells)), epochs=3, verbose=0)\n",
            _MODEL + "model.fit(rows.shuffle(len(cells)).batch(8), epochs=3, verbose=0)\n",
        ),
        Example(
            _MODEL
            + """rows = rows.batch(4, drop_remainder=True)
rows = rows.shuffle(10, seed=2)
model.fit(rows, epochs=3, verbose=0)
""",
            _MODEL
            + """rows = rows.shuffle(10 * 4, seed=2)
rows = rows.batch(4, drop_remainder=True)
model.fit(rows, epochs=3, verbose=0)
""",
        ),
        Example.ok(_MODEL + "model.fit(rows.shuffle(40).batch(8), epochs=3, verbose=0)\n"),
        Example.ok(_MODEL + "model.fit(rows.batch(4).shuffle(9).unbatch().batch(8), epochs=3, verbose=0)\n"),
        Example.ok(_MODEL + "model.fit(rows.shuffle(40).batch(8).cache().shuffle(5), epochs=3, verbose=0)\n"),
    ),
)


_NOTE = "every epoch has the same batches, in another order"
_NOTE_CACHED = "every epoch has the same batches, and with `cache` after it in the same order"
_TAKEN_UP = (
    *BATCHES,
    "unbatch",
    "rebatch",
    "window",
    "flat_map",
    "interleave",
    "bucket_by_sequence_length",
    "group_by_window",
)
_LOADERS = ("image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory")
_SWAPPED = frozenset({"map", "prefetch"})


def check(facts: Facts) -> Iterator[Finding]:
    pipelines, loops, seen = facts.run.domain(Pipelines), facts.run.domain(Loops), set()
    for step in pipelines.named("shuffle"):
        batch = _batch(facts, step)
        place = place_of(facts.run, step, batch, pipelines.line(step)[-1]) if batch is not None else None
        trains = loops.trains(step, _TAKEN_UP) if place is not None else "no"
        if batch is None or place is None or trains == "no" or place in seen:
            continue
        seen.add(place)
        message = f"`shuffle` comes after `{batch.method}` and moves whole batches"
        note = _NOTE_CACHED if any(each.method == "cache" for each in pipelines.descendants(step)) else _NOTE
        found = _fixed(facts, facts.finding_at(facts.run.step_span(place), message, note), batch, step)
        yield found if trains == "yes" else found.provided("a model is trained on the data", RULE.levels)


def _batch(facts: Facts, step: Result) -> Result | None:
    """What makes the batches that are shuffled, of rows in a known order."""
    pipelines, shuffles = facts.run.domain(Pipelines), facts.run.domain(Shuffles)
    for above in pipelines.line(step)[1:]:
        if above.method in BATCHES or above.method in _LOADERS:
            size = pipelines.argument(above, "batch_size")
            single = size is not None and constant_of(size) in (1, None)
            return None if single or shuffles.may_be_mixed(above) else above
        if above.method in _TAKEN_UP:
            return None
    return None


def _fixed(facts: Facts, found: Finding, batch: Result, step: Result) -> Finding:
    line = facts.run.domain(Pipelines).line(step)
    steps = line[: line.index(batch) + 1][::-1]
    if batch.method not in BATCHES or not {each.method for each in steps[1:-1]} <= _SWAPPED:
        return found.unfixed(
            "other steps come between them" if batch.method in BATCHES else "the loader makes the batches"
        )
    texts = times(facts, step, "buffer_size", batch, "batch_size")
    edits = reordered(facts, steps, (step, *steps[:-1]), texts)
    if not edits:
        return found.unfixed("the steps are not in one chain")
    return found.fixed_by(f"Shuffle before `{batch.method}`", *edits)
