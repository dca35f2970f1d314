"""A dataset is shuffled again each time it is read, and cut in parts after that.

## Why
`shuffle` draws a new order at each reading, and each part reads the dataset for itself. So `take` and `skip` cut two different
orders, and rows that are held out are trained on, too. The scores look better than the model is.

## Measured
- Keras 3 and Keras 2: `take(800)` and `skip(800)` of 1000 shuffled rows: some 80 % of the test rows are trained on in the first epoch.
  After some epochs all rows were trained on. A `seed` doesn't help. With `reshuffle_each_iteration=False` they share none.
- Keras 3 and Keras 2: `shard`, and `enumerate` with `filter`, cut the same way.
- Keras 3 and Keras 2: `cache()` after the shuffle doesn't help, unless it was read to its end before.
- Keras 3 and Keras 2: `list_files` shuffles at each reading, unless `shuffle=False`. `image_dataset_from_directory` does so, too.

## Do this
Shuffle with `reshuffle_each_iteration=False` before the cut, and the training part once more after it. A loader gets `shuffle=False`,
or `validation_split` and `subset`, which cut the list of files.

## Silent when
All parts are trained on; one of them is only looked at; the rows were read into a list or a full cache before the cut.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Pipelines,
    Result,
    Rule,
    Splits,
    any_of,
    place_of,
    set_argument,
)

_MODEL = """
import keras
import numpy as np
import tensorflow as tf

cells = np.arange(40, dtype="float32").reshape(40, 1) / 40
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ401",
    name="leaky-split",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "order", "grouping", "history", "weights"}),
        holds=frozenset({"epochs equal", "parts share no sample"}),
    ),
    needs=(any_of("shuffle", "list_files", "take", "skip", "shard", "enumerate", "fit", "fit_generator"),),
    examples=(
        Example(
            _MODEL
            + """rows = tf.data.Dataset.from_tensor_slices((cells, cells)).shuffle(40)
train = rows.take(32).batch(8)
held = rows.skip(32).batch(8)
model.fit(train, validation_data=held, epochs=3, verbose=0)
""",
            _MODEL
            + """rows = tf.data.Dataset.from_tensor_slices((cells, cells)).shuffle(40, reshuffle_each_iteration=False)
train = rows.take(32).batch(8)
held = rows.skip(32).batch(8)
model.fit(train, validation_data=held, epochs=3, verbose=0)
""",
        ),
        Example(
            _MODEL
            + """rows = tf.data.Dataset.from_tensor_slices((cells, cells))
rows = rows.shuffle(buffer_size=40, seed=7, reshuffle_each_iteration=True).batch(8)
model.fit(rows.skip(1), epochs=3, verbose=0)
loss = model.evaluate(rows.take(1), verbose=0)
""",
            _MODEL
            + """rows = tf.data.Dataset.from_tensor_slices((cells, cells))
rows = rows.shuffle(buffer_size=40, seed=7, reshuffle_each_iteration=False).batch(8)
model.fit(rows.skip(1), epochs=3, verbose=0)
loss = model.evaluate(rows.take(1), verbose=0)
""",
        ),
        Example.ok(
            _MODEL
            + """rows = tf.data.Dataset.from_tensor_slices((cells, cells))
train, held = rows.take(32).shuffle(32).batch(8), rows.skip(32).batch(8)
model.fit(train, validation_data=held, epochs=3, verbose=0)
"""
        ),
        Example.ok(
            _MODEL
            + """rows = tf.data.Dataset.from_tensor_slices((cells, cells)).shuffle(40).batch(8)
for first in rows.take(1):
    print(first[0].shape)
model.fit(rows, epochs=3, verbose=0)
"""
        ),
    ),
)


_NOTE = "in a split of 80 to 20, some 80 % of the test rows are trained on in the first epoch, with a `seed` too"
_HELP = {
    "list_files": "list with `shuffle=False`, then `.shuffle(count, reshuffle_each_iteration=False)`",
    "shuffle": "shuffle with `reshuffle_each_iteration=False`",
}
_OF_LOADER = "load with `shuffle=False`, or with `validation_split` and `subset`"


def check(facts: Facts) -> Iterator[Finding]:
    leaks = {leak.step: leak for leak in facts.run.domain(Splits).leaks}
    seen = set()
    for step, leak in leaks.items():
        place = place_of(facts.run, step, *leak.cuts)
        if place is None or place in seen:
            continue
        seen.add(place)
        cuts = " and ".join(dict.fromkeys(f"`{cut.method}`" for cut in leak.cuts))
        message = f"parts by {cuts} share rows: each reading shuffles again"
        found = facts.finding_at(facts.run.step_span(place), message, _NOTE, _HELP.get(step.method, _OF_LOADER))
        yield _fixed(facts, found, step, set(leaks))


def _fixed(facts: Facts, found: Finding, step: Result, leaks: set[Result]) -> Finding:
    if step.method != "shuffle":
        return found.unfixed("without the shuffle the parts hold other classes")
    node = facts.run.call_of[step].node
    alike = (other for other in facts.run.domain(Pipelines).named("shuffle") if facts.run.call_of[other].node is node)
    if not set(alike) <= leaks:
        return found.unfixed("other data are shuffled there, too")
    edits = set_argument(facts, step, "reshuffle_each_iteration", "False")
    if not edits:
        return found.unfixed(
            "the call is not in this file"
            if not facts.run.is_here(facts.run.call_of[step].context)
            else "stars hide its arguments"
        )
    return replace(found, help="").fixed_by("Shuffle once, with `reshuffle_each_iteration=False`", *edits)
