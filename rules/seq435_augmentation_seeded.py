"""A seed makes random operations in `map` draw the same numbers in every epoch.

## Why
TensorFlow starts the random operations of a `map` anew each time that the dataset is read. With a seed, be it that of the operation or the
global one, they start at the same place: each row gets the same augmentation in every epoch, as if there were only one picture of it.

## Measured
- On every Keras `tf.random.set_seed`, `keras.utils.set_random_seed` and the `seed=` of an operation give all rows the same draws in each
  epoch, if they come in the same order; with `num_parallel_calls` the numbers are the same, and 8 of 10 rows kept theirs.
- On every Keras a `shuffle` before the `map` gives the numbers to other rows in each epoch; within one `repeat()` they go on.
- On every Keras random layers with a seed, and a `tf.random.Generator`, draw anew in each epoch.
- On every Keras a global seed that is set after the `map` was made changes nothing.

## Do this
Use a random layer of Keras, or a `tf.random.Generator` that was made outside. Or shuffle before the random `map`.

## Silent when
The rows come in another order in each epoch before they get there; the dataset repeats after the `map`; only one epoch, a validation or a
test reads it.
"""

from collections.abc import Iterator

from seqlint.api import (
    Call,
    Draws,
    Example,
    Facts,
    Finding,
    Levels,
    Pipelines,
    Result,
    RowOrders,
    Rule,
    Value,
    any_of,
    callee,
    constant_of,
    is_setting,
    place,
    trains_again,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.ones((24, 3), "float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def vary(row, goal):
    return row + tf.random.normal(tf.shape(row)), goal


"""

RULE = Rule(
    code="SEQ435",
    name="augmentation-seeded",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(any_of("set_seed", "set_random_seed", "seed"), any_of("map")),
    examples=(
        Example(
            _START
            + """tf.random.set_seed(8)
train = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).map(vary).shuffle(24).batch(6)
model.fit(train, epochs=3, verbose=0)
"""
        ),
        Example(
            _START
            + """

def jitter(row, goal):
    return row + tf.random.uniform((3,), seed=8), goal


train = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).map(jitter).batch(6)
model.fit(train, epochs=3, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """tf.random.set_seed(8)
train = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).shuffle(24).map(vary).batch(6)
model.fit(train, epochs=3, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """train = tf.data.Dataset.from_tensor_slices((rows, rows[:, :1])).map(vary).batch(6)
model.fit(train, epochs=3, verbose=0)
"""
        ),
    ),
)


_SEEDS = ("tensorflow.random.set_seed", "keras.utils.set_random_seed", "tensorflow.compat.v1.set_random_seed")
_PLAIN = (
    "map",
    "batch",
    "cache",
    "prefetch",
    "enumerate",
    "take",
    "skip",
    "filter",
    "with_options",
    "unbatch",
    "padded_batch",
)
_SOURCES = ("from_tensor_slices", "range", "TFRecordDataset", "TextLineDataset", "list_files")
_KEPT = ("cache", "snapshot")
_NOTE = "all epochs get the same random numbers, row by row"
_HELP = "shuffle before the random `map`, or draw with a layer of Keras or a `tf.random.Generator`"


def check(facts: Facts) -> Iterator[Finding]:
    run, pipelines, draws = facts.run, facts.run.domain(Pipelines), facts.run.domain(Draws)
    seeds = [call for call in run.calls if call.name in _SEEDS and constant_of(_given(call)) is not None]
    seen = set()
    for step in pipelines.named("map"):
        drawn = [draw.call for draw in draws.of(step) if draw.kind == "operation"]
        if not drawn or len(drawn) < len(draws.of(step)) or not draws.varies(step):
            continue
        if not _comes_in_order(facts, pipelines, step) or not _starts_anew(facts, pipelines, step):
            continue
        own = next((call for call in drawn if _has_seed(call)), None)
        seed = own or next((call for call in reversed(seeds) if _is_before(facts, call, step)), None)
        if seed is None or (own is not None and not all(_has_seed(call) or seeds for call in drawn)):
            continue
        where = place(run, seed.result, step)
        if where is None or where in seen:
            continue
        seen.add(where)
        message = f"a seed makes `{callee(run, drawn[0])}` draw the same in every epoch"
        yield facts.finding_at(run.step_span(where), message, _NOTE, _HELP)


def _given(call: Call) -> Value | None:
    return call.result.args[0] if call.result.args else call.result.keyword("seed")


def _has_seed(call: Call) -> bool:
    seed = call.result.keyword("seed")
    return seed is not None and constant_of(seed) is not None and not is_setting(seed)


def _is_before(facts: Facts, call: Call, step: Result) -> bool:
    """Whether a seed is surely set before a dataset is made, in the same run of the program."""
    made = facts.run.call_of[step].context
    return (
        call.context.clock < made.clock
        and call.context.phases == made.phases[: len(call.context.phases)]
        and not call.context.guards
    )


def _comes_in_order(facts: Facts, pipelines: Pipelines, step: Result) -> bool:
    """Whether the rows surely come to a step in the same order in every epoch."""
    orders = facts.run.domain(RowOrders)
    line = pipelines.line(step)
    known = all(each.method in _PLAIN for each in line[1:-1]) and line[-1].method in _SOURCES
    return known and not any(each.anew for each in orders.disorders(step))


def _starts_anew(facts: Facts, pipelines: Pipelines, step: Result) -> bool:
    """Whether a training reads what a step gives from its start in each epoch, and keeps none of it."""
    later = pipelines.descendants(step)
    if any(each.method in ("repeat", *_KEPT) for each in later):
        return False
    trained = not pipelines.roles(step).isdisjoint({"trained", "looped"})
    return trained and trains_again(facts.run, pipelines, step)
