"""A function is given to a model in place of the generator that it makes.

## Why
`fit` takes a generator, which is what the call of a function with `yield` gives. The function itself has no batches, so Keras can't tell what it is.
`Dataset.from_generator` wants the function; `fit` does not.

## Measured
- Keras 3: ValueError "Unrecognized data type" from `fit`, `evaluate` and `predict`, also for a function as `validation_data`.
- Keras 2: ValueError "Failed to find data adapter that can handle input" from `fit`, `evaluate` and `predict`, also for a function as
  `validation_data`.

## Do this
Call the function: `model.fit(batches(), ...)`.

## Silent when
What is given may be something else than a function of the program.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    BatchSources,
    Contract,
    Edit,
    Example,
    Facts,
    Feed,
    Feeds,
    Finding,
    Levels,
    Rule,
    a_call_of_model,
    argument_node,
    feed_node,
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


def batches(size=4):
    for start in range(0, len(rows), size):
        yield rows[start : start + size], rows[start : start + size, :1]


"""

RULE = Rule(
    code="SEQ611",
    name="generator-not-called",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_call_of_model,),
    examples=(
        Example(_START + "model.fit(batches, verbose=0)\n", _START + "model.fit(batches(), verbose=0)\n"),
        Example(_START + "model.evaluate(lambda: batches(2), verbose=0)\n"),
        Example.where_unknown(_START + "def train(machine):\n    machine.fit(batches, verbose=0)\n"),
        Example.ok(_START + "model.fit(batches(), verbose=0)\n"),
        Example.ok(_START + "model.predict(batches(), verbose=0)\n"),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    run, seen = facts.run, set[object]()
    for feed in run.domain(Feeds).all:
        functions = run.domain(BatchSources).functions(feed.value)
        node = feed_node(run, feed) if functions else None
        if node is None or node in seen or is_expected_to_fail(feed.call) or not may_be_of_model(facts, feed.call):
            continue
        seen.add(node)
        text = " ".join(run.text(node).split())
        what = f"`{text}`" if len(text) < 40 else "what it gets"
        message = f"`{feed.call.result.method}` needs a generator, and {what} is a function"
        finding = facts.finding_at(run.span(node), message, "ValueError before the first step")
        yield if_of_model(facts, feed.call, _fixed(facts, finding, feed), RULE.levels)


def _fixed(facts: Facts, finding: Finding, feed: Feed) -> Finding:
    """A call, where nothing is missing for it: no argument, and no number of steps."""
    sources, steps = facts.run.domain(BatchSources), facts.run.domain(Feeds).steps(feed)
    functions = sources.functions(feed.value)
    node = argument_node(facts.run, feed.call, feed.name)
    if (
        node is None
        or not all(map(sources.is_ready, functions))
        or not facts.run.text(node).replace(".", "").isidentifier()
    ):
        return but(finding, help="call the function", no_fix="it may need arguments")
    if steps is None and not all(map(sources.ends, functions)):
        return but(
            finding, help="call the function, and give the steps", no_fix="it may never end without a number of steps"
        )
    end = facts.run.span(node)[1]
    return finding.fixed_by("Call the function", Edit(end, end, "()"))
