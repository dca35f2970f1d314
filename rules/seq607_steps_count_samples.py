"""A number of steps counts samples, and the data come in batches.

## Why
A step is one batch. `steps_per_epoch=len(rows)` with batches of 32 makes an epoch of 32 passes: it takes 32 times as long, learning rates and early
stopping are decided 32 times too late, and validation does the same work again and again. In Keras 1 the argument counted samples.

## Measured
- On every Keras: 20 rows in batches of 4 with `steps_per_epoch=len(rows)` are read 4 times in one epoch.
- On every Keras: `validation_steps`, and `steps` of `evaluate`, read each row as often.

## Do this
Divide by the batch size: `math.ceil(len(rows) / batch_size)`.

## Silent when
The generator yields single samples; it takes other rows than those that are counted; the steps are divided, or just a number.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    SampleCount,
    SampleCounts,
    a_call_of_model,
    any_of,
    argument_node,
    constant_of,
    if_of_model,
    is_expected_to_fail,
    may_be_of_model,
    name_for,
    trainer_of,
)

_START = """
import math

import keras
import numpy as np

rows = np.arange(40, dtype="float32").reshape(20, 2) / 40
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")


def batches(rows, size):
    while True:
        for start in range(0, len(rows), size):
            yield rows[start : start + size], rows[start : start + size, :1]


"""

RULE = Rule(
    code="SEQ607",
    name="steps-count-samples",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"samples", "steps", "history", "weights"}), holds=frozenset({"epochs equal"})),
    needs=(a_call_of_model, any_of("steps_per_epoch", "validation_steps", "steps", "fit_generator")),
    examples=(
        Example(
            _START + "model.fit(batches(rows, 4), steps_per_epoch=len(rows), epochs=2, verbose=0)\n",
            _START + "model.fit(batches(rows, 4), steps_per_epoch=math.ceil(len(rows) / 4), epochs=2, verbose=0)\n",
        ),
        Example(_START + "model.evaluate(batches(rows, 1 + len(rows) // 9), steps=rows.shape[0], verbose=0)\n"),
        Example.where_unknown(
            _START + "def train(size):\n    model.fit(batches(rows, size), steps_per_epoch=len(rows), verbose=0)\n"
        ),
        Example.ok(_START + "model.fit(batches(rows, 4), steps_per_epoch=math.ceil(len(rows) / 4), verbose=0)\n"),
        Example.ok(_START + "model.fit(batches(rows, 1), steps_per_epoch=len(rows), verbose=0)\n"),
    ),
    sources=("udacity/CarND-Behavioral-Cloning-P3#38", "fizyr/keras-retinanet#1449"),
)


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for count in run.domain(SampleCounts).all:
        call = count.feed.call
        node = argument_node(run, call, count.name) or run.place(call)
        if node is None or node in seen or is_expected_to_fail(call) or not may_be_of_model(facts, call):
            continue
        seen.add(node)
        many = f" of {count.number}" if count.number is not None else ""
        message = f"`{count.name}` counts samples, and each step takes a batch{many}"
        note = f"each row is read {count.number or 'many'} times"
        finding = facts.finding_at(run.span(node), message, note)
        if count.number is None:
            finding = but(finding, help="divide it by the batch size")
            finding = finding.provided("a batch has more than one sample", RULE.levels)
        else:
            finding = _fixed(facts, finding, count)
        yield if_of_model(facts, call, finding, RULE.levels)


def _fixed(facts: Facts, finding: Finding, count: SampleCount) -> Finding:
    """The quotient, where the size of a batch is written down for good."""
    node, trainer = argument_node(facts.run, count.feed.call, count.name), trainer_of(facts, count.feed.call)
    if node is None or trainer is None or not count.exact or constant_of(count.size) is ...:
        return but(finding, help="divide it by the batch size", no_fix="the size of a batch may be another one")
    spelling, (start, end) = name_for(facts, "math.ceil", trainer.node), facts.run.span(node)
    edits = Edit(start, start, f"{spelling.text}("), Edit(end, end, f" / {count.number})")
    return finding.fixed_by("Divide by the batch size", *edits, *spelling.edits)
