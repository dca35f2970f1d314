"""A metric of a training loop by hand is never set back.

## Why
`fit` sets metrics back before each epoch. A loop of one's own has to do it. Else `result()` is the mean of all batches since the start: it hides
how good the last epoch was, and moves less and less. What stops or saves by it decides too late.

## Measured
- On every Keras a Mean that gets 0, 0, then 1, 1, then 2, 2 in three epochs gives 0.0, 0.5 and 1.0; with `reset_state()` 0.0, 1.0 and 2.0.
- On every Keras a metric that is made inside the loop starts at 0.

## Do this
Call `metric.reset_state()` at the start of each epoch. Keras before 2.5 calls it `reset_states`.

## Silent when
The metric is set back anywhere, or handed to code that seqlint does not see; it is read after each batch; it is made anew for each epoch; `compile`
has got it.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    OwnMetrics,
    Rule,
    any_of,
    first_in_loop,
)

_START = """
import keras
import numpy as np

rows = np.arange(8, dtype="float32").reshape(8, 1) / 8
model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
mean = keras.metrics.Mean()
"""
_LOOP = """
for epoch in range(3):
    for row in rows:
        mean.update_state(model.train_on_batch(row[None], row[None]))
    print(epoch, float(mean.result()))
"""

RULE = Rule(
    code="SEQ806",
    name="metric-not-reset",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    contract=Contract(changes=frozenset({"output", "state"})),
    needs=(any_of("result"), any_of("metrics", "Mean", "update_state"), any_of("for", "while")),
    examples=(
        Example(
            _START + _LOOP,
            _START + _LOOP.replace("    for row", "    mean.reset_state()\n    for row"),
        ),
        Example.ok(_START + _LOOP + "    mean.reset_state()\n"),
        Example.ok(_START + _LOOP.replace("(3):\n", "(3):\n    mean = keras.metrics.Mean()\n")),
    ),
    sources=("JetBrains-Research/code2seq#112",),
)


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for found in run.domain(OwnMetrics).never_reset:
        node = found.place
        if node in seen:
            continue
        seen.add(node)
        text = " ".join(run.text(node).split())
        what = f"`{text}`" if len(text) < 40 else "a metric"
        finding = facts.finding_at(
            run.span(node), f"{what} is the mean of all epochs: nothing sets it back", "later epochs show less and less"
        )
        edits = first_in_loop(facts, found.loop, found.read.node, ".reset_state()")
        if edits:
            yield finding.fixed_by("Set it back at the start of each epoch", *edits)
        else:
            yield but(
                finding,
                help="call `reset_state()` at the start of each epoch",
                no_fix="it is read in another place than the loop",
            )
