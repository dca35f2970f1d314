"""`zip` pairs datasets whose rows come in orders of their own.

## Why
Each side of a `zip` is read by itself, and each `shuffle` or `list_files` on the way draws an order for each reading. Inputs meet the targets
of other rows; the model learns the mean, and nothing fails. One shuffled dataset that is mapped twice is read twice, too.

## Measured
- On every Keras two `shuffle` of their own leave 1 of 60 pairs right, a shuffled side and one in order 3 of 60 at most.
- On every Keras one shuffled dataset, mapped twice, leaves 1 of 60 pairs right, with `seed=` none; `list_files` 2 of 30 at most.
- On every Keras all pairs fit with one `seed=` and one buffer size in both, and with `reshuffle_each_iteration=False` in the shared one; after
  a `cache` from the second pass on.

## Do this
Shuffle after `zip`, or let one `map` give both parts of a row. `list_files(..., shuffle=False)` comes sorted.

## Silent when
Both sides are shuffled alike; the pairs are meant to be random, as for mixup, for two unlike domains, or for rows without labels; nothing
says that the two sides are the inputs and targets of the same rows.
"""

from collections.abc import Iterator
from dataclasses import replace as but
from itertools import combinations

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Pipelines,
    Result,
    RowOrders,
    Rule,
    any_of,
    has_own_step,
    is_of_model,
    place,
    step_after,
)

_START = """
import keras
import numpy as np
import tensorflow as tf

rows = np.arange(24, dtype="float32").reshape(24, 1) / 24
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""

RULE = Rule(
    code="SEQ403",
    name="zip-of-shuffled",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "order", "grouping", "history", "weights"}),
        holds=frozenset({"inputs stay", "pairs match"}),
    ),
    needs=(any_of("zip"), any_of("map", "batch", "fit")),
    examples=(
        Example(
            _START
            + """mixed = tf.data.Dataset.from_tensor_slices(rows).shuffle(24)
pairs = tf.data.Dataset.zip((mixed.map(lambda row: row), mixed.map(lambda row: 2 * row)))
model.fit(pairs.batch(6), epochs=2, verbose=0)
""",
            _START
            + """mixed = tf.data.Dataset.from_tensor_slices(rows)
pairs = tf.data.Dataset.zip((mixed.map(lambda row: row), mixed.map(lambda row: 2 * row))).shuffle(24)
model.fit(pairs.batch(6), epochs=2, verbose=0)
""",
        ),
        Example(
            _START
            + """inputs = tf.data.Dataset.from_tensor_slices(rows).shuffle(24)
targets = tf.data.Dataset.from_tensor_slices(2 * rows).shuffle(24)
model.fit(tf.data.Dataset.zip((inputs, targets)).batch(6), epochs=2, verbose=0)
""",
            _START
            + """inputs = tf.data.Dataset.from_tensor_slices(rows)
targets = tf.data.Dataset.from_tensor_slices(2 * rows)
model.fit(tf.data.Dataset.zip((inputs, targets)).shuffle(24).batch(6), epochs=2, verbose=0)
""",
        ),
        Example.ok(
            _START
            + """inputs = tf.data.Dataset.from_tensor_slices(rows)
targets = tf.data.Dataset.from_tensor_slices(2 * rows)
model.fit(tf.data.Dataset.zip((inputs, targets)).shuffle(24).batch(6), epochs=2, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """inputs = tf.data.Dataset.from_tensor_slices(rows).shuffle(24, seed=3)
targets = tf.data.Dataset.from_tensor_slices(2 * rows).shuffle(24, seed=3)
model.fit(tf.data.Dataset.zip((inputs, targets)).batch(6), epochs=2, verbose=0)
"""
        ),
    ),
    sources=("tensorflow/tensorflow#70521",),
)


_Cause = tuple[tuple[Result, ...], str, str]
_HELP = "shuffle after `zip`, or give both parts of a row in one `map`"


def check(facts: Facts) -> Iterator[Finding]:
    run, pipelines, orders = facts.run, facts.run.domain(Pipelines), facts.run.domain(RowOrders)
    seen = set()
    for step in pipelines.named("zip"):
        cause = _shared(pipelines, orders, step) or _own(pipelines, orders, step)
        where = place(run, step, cause[0][0]) if cause else None
        if cause is None or where is None or where in seen:
            continue
        seen.add(where)
        finding = facts.finding_at(run.step_span(where), cause[1], cause[2])
        edits = step_after(run, cause[0], step) if orders.movable(cause[0], step) else ()
        if edits:
            yield finding.fixed_by("Shuffle after `zip`", *edits)
        else:
            yield but(finding, help=_HELP).unfixed("only a `shuffle` of rows that nothing else reads can move")


def _shared(pipelines: Pipelines, orders: RowOrders, step: Result) -> _Cause | None:
    """One shuffled dataset that `zip` reads twice, through two functions."""
    for one, other in combinations(pipelines.parents(step), 2):
        found = orders.shared(one, other)
        if found is None or _functions(pipelines, one) == _functions(pipelines, other):
            continue
        if orders.paired(step)[0] is not False:
            message = f"`zip` reads what `{found.step.method}` gives twice, each time in another order"
            return (found.step,), message, "inputs meet the targets of other rows, with a seed, too"
    return None


def _functions(pipelines: Pipelines, dataset: Result) -> list[int]:
    """The functions on the way to a dataset: two that are equal are two views of random rows, as for mixup."""
    given = (pipelines.argument(step, "map_func") for step in pipelines.line(dataset))
    return [value.term for value in given if value is not None]


def _own(pipelines: Pipelines, orders: RowOrders, step: Result) -> _Cause | None:
    """Inputs and targets of a fit, each in an order of its own."""
    kept, ends = orders.paired(step)
    if len(pipelines.parents(step)) != 2 or not kept or not any(_is_trained(pipelines, end) for end in ends):
        return None
    for one, other in combinations(pipelines.parents(step), 2):
        if not (orders.has_rows(one) and orders.has_rows(other)) or orders.own(one, other) != "differ":
            continue
        causes = tuple(each.step for each in (*orders.disorders(one), *orders.disorders(other)))
        return causes, "`zip` pairs rows that come in two orders", "inputs meet the targets of other rows"
    return None


def _is_trained(pipelines: Pipelines, dataset: Result) -> bool:
    """Whether a model of Keras, with a step of its own making nowhere, takes the pairs as inputs and targets."""
    trainers = [reading.trainer for reading in pipelines.readings_of(dataset) if reading.trainer is not None]
    return any(is_of_model(trainer) and not has_own_step(trainer) for trainer in trainers)
