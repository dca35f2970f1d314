"""`initial_epoch` is not below `epochs`, so nothing is trained.

## Why
`epochs` is the number of the last epoch, and not how many are trained after `initial_epoch`. A second phase with `initial_epoch=10, epochs=10` has
no epoch at all. `fit` gives an empty history and goes on.

## Measured
- On every Keras: `fit(initial_epoch=3, epochs=3)` trains no batch, warns of nothing and gives an empty history.
- On every Keras: without `epochs`, which is 1 then, any `initial_epoch` from 1 on has the same effect.

## Do this
Add the two: `epochs=initial_epoch + more`.

## Silent when
One of the two is not known. The options keep a training from running on purpose, as with `epochs=0`.
"""

from collections.abc import Iterator

from seqlint.api import (
    Call,
    Counts,
    Example,
    Facts,
    Feeds,
    Finding,
    Levels,
    Rule,
    a_call_of_model,
    any_of,
    argument,
    argument_node,
    hides_arguments,
    if_of_model,
    is_expected_to_fail,
    may_be_of_model,
)

_START = """
import keras
import numpy as np

rows = np.arange(40, dtype="float32").reshape(20, 2) / 40
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(rows, rows[:, :1], epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ628",
    name="initial-epoch-too-late",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    needs=(a_call_of_model, any_of("initial_epoch")),
    examples=(
        Example(_START + "model.fit(rows, rows[:, :1], initial_epoch=2, epochs=2, verbose=0)\n"),
        Example(_START + "done = 2\nmodel.fit(rows, rows[:, :1], initial_epoch=done, verbose=0)\n"),
        Example.where_unknown(
            _START + "def more(learner):\n    learner.fit(rows, rows[:, :1], initial_epoch=2, epochs=2, batch_size=4)\n"
        ),
        Example.ok(_START + "model.fit(rows, rows[:, :1], initial_epoch=2, epochs=4, verbose=0)\n"),
        Example.ok(_START + "model.fit(rows, rows[:, :1], initial_epoch=0, epochs=1, verbose=0)\n"),
    ),
)

_NOTE = "no batch is trained, and the history is empty"


def check(facts: Facts) -> Iterator[Finding]:
    run, counts, seen = facts.run, facts.run.domain(Counts), set[object]()
    for call in run.domain(Feeds).calls:
        node = argument_node(run, call, "initial_epoch") or run.place(call)
        numbers = _numbers(counts, call)
        if (
            numbers is None
            or node is None
            or node in seen
            or is_expected_to_fail(call)
            or not may_be_of_model(facts, call)
        ):
            continue
        seen.add(node)
        first, last = numbers
        message = f"`initial_epoch` is {first}, and `epochs` {last}: nothing is trained"
        finding = facts.finding_at(run.span(node), message, _NOTE, "make `epochs` the sum of both")
        if counts.is_by_default(argument(call, "initial_epoch"), argument(call, "epochs")):
            finding = finding.provided("the options keep their defaults", RULE.levels)
        yield if_of_model(facts, call, finding, RULE.levels)


def _numbers(counts: Counts, call: Call) -> tuple[int, int] | None:
    """Both numbers where the first is not below the second."""
    first, last = argument(call, "initial_epoch"), argument(call, "epochs")
    if first is None or (last is None and hides_arguments(call)):
        return None
    begin, end = counts.whole(first), counts.whole(last) if last is not None else 1
    if begin is not None and end is not None:
        return (begin, end) if begin >= end and begin > 0 and end > 0 else None
    return None
