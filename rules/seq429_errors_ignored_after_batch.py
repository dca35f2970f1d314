"""`ignore_errors` after `batch` drops the whole batch of each row that fails.

## Why
`ignore_errors` leaves out the element in which an error happens. After `batch` the element is a batch: one row that can't be read takes all the
rows of its batch along. Nothing tells how many.

## Measured
- On every Keras, of 64 rows with 3 broken ones, 40 are left after `.batch(8).ignore_errors()`, and 61 after `.ignore_errors().batch(8)`;
  `unbatch` after it, `prefetch` or a `shuffle` before it change nothing.
- On every Keras one broken picture of 40 takes 8 along from `image_dataset_from_directory(..., batch_size=8, shuffle=False)`.
- On every Keras a `shuffle(64)` after the step that fails meets its errors before `batch` does: 61 rows are left.
- On every Keras an error inside a `map` after `batch` drops its batch wherever `ignore_errors` is, since that function gets a batch.

## Do this
Move `ignore_errors` before `batch`, right after the step that fails.

## Silent when
Nothing before the `batch` can fail for one row: the rows come from arrays, and only a `map` over batches follows; a `shuffle` is between the
step that fails and `batch`.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    LOADERS,
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Pipelines,
    Result,
    Rule,
    any_of,
    constant_of,
    may_fail,
    place,
    step_before,
)

_START = """
import keras
import tensorflow as tf

lines = [f"{number}.5" for number in range(24)]
lines[5] = lines[20] = "--"
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def parse(line):
    value = tf.strings.to_number(line)
    return value[tf.newaxis] / 24, value


"""

RULE = Rule(
    code="SEQ429",
    name="errors-ignored-after-batch",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"samples", "grouping", "steps", "history", "weights"}), holds=frozenset({"none lost"})
    ),
    needs=(any_of("ignore_errors"),),
    examples=(
        Example(
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines).map(parse).batch(4).ignore_errors()
model.fit(data, epochs=2, verbose=0)
""",
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines).map(parse).ignore_errors().batch(4)
model.fit(data, epochs=2, verbose=0)
""",
        ),
        Example(
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines)
data = data.map(parse)
data = data.batch(4)
data = data.apply(tf.data.experimental.ignore_errors())
model.fit(data, epochs=2, verbose=0)
"""
        ),
        Example(
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines)
data = data.map(parse)
data = data.batch(4)
data = data.ignore_errors()
model.fit(data, epochs=2, verbose=0)
""",
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines)
data = data.map(parse)
data = data.ignore_errors()
data = data.batch(4)
model.fit(data, epochs=2, verbose=0)
""",
        ),
        Example.ok(
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines).map(parse).ignore_errors().batch(4)
model.fit(data, epochs=2, verbose=0)
"""
        ),
        Example.ok(
            _START
            + """data = tf.data.Dataset.from_tensor_slices(lines).batch(1).map(parse).ignore_errors()
model.fit(data, epochs=2, verbose=0)
"""
        ),
    ),
    sources=("tensorflow/tensorflow#27022", "tensorflow/tensorflow#38078"),
)


_BATCHES = ("batch", "padded_batch", "ragged_batch", "map_and_batch")
_READERS = ("image_dataset_from_directory", "audio_dataset_from_directory")
_OPENS = ("unbatch", "flat_map", "interleave", "window", "group_by_window")
_WAITS = ("prefetch", "shuffle", "cache", "with_options", "ignore_errors")
"""Steps in which no row fails."""
_HELP = "ignore the errors before `batch`"


def check(facts: Facts) -> Iterator[Finding]:
    run, pipelines = facts.run, facts.run.domain(Pipelines)
    seen = set()
    for step in pipelines.named("ignore_errors"):
        batch = _batch(facts, pipelines, step)
        where = place(run, step, batch) if batch is not None else None
        if batch is None or where is None or where in seen:
            continue
        seen.add(where)
        after = "batch" if batch.method in _BATCHES else batch.method
        message = f"`ignore_errors` after `{after}` drops a whole batch for each row that fails"
        finding = facts.finding_at(
            run.step_span(where), message, "the other rows of the batch are lost, and nothing tells"
        )
        between = pipelines.line(step)[1 : pipelines.line(step).index(batch)]
        plain = batch.method in _BATCHES and all(each.method in _WAITS for each in between)
        edits = step_before(run, step, batch) if plain else ()
        if edits:
            yield finding.fixed_by("Ignore the errors before `batch`", *edits)
        else:
            loads = batch.method in LOADERS
            finding = but(finding, help="load with `batch_size=None`, and make batches after it" if loads else _HELP)
            reason = "the two steps are not in one chain, or a function for batches is in between"
            yield finding.unfixed("the loader makes the batches" if loads else reason)


def _batch(facts: Facts, pipelines: Pipelines, step: Result) -> Result | None:
    """What makes the batches in which single rows may fail; None where there are none."""
    line = pipelines.line(step)[1:]
    for number, each in enumerate(line):
        if each.method in _OPENS:
            return None
        if each.method in _BATCHES:
            return each if _meets_errors(facts, pipelines, line[number + 1 :]) else None
        if each.method in _READERS:
            size = pipelines.argument(each, "batch_size")
            kept = constant_of(pipelines.argument(each, "shuffle")) is False
            return each if kept and (size is None or constant_of(size) not in (None, ...)) else None
    return None


def _meets_errors(facts: Facts, pipelines: Pipelines, above: tuple[Result, ...]) -> bool:
    """Whether the errors of single rows get as far as `batch`: a buffer of `shuffle` meets them while it is filled."""
    for step in above:
        if step.method == "shuffle":
            return False
        if may_fail(facts.run, pipelines, step):
            return True
    return False
