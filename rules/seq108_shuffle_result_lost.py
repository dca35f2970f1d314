"""A shuffle in place that is assigned, or a shuffled copy that nothing uses.

## Why
`np.random.shuffle` and `random.shuffle` change the rows in place and return None. `np.random.permutation`,
`sklearn.utils.shuffle`, `keras.random.shuffle` and `tf.random.shuffle` return a shuffled copy and leave the rows as they
are. If you mix them up, the rows are lost or keep their old order. The same happens when the call shuffles a copy made for
it, `random.shuffle(list(rows))`, and when a helper returns `x[order], y[order]` and nothing takes the result.

## Measured
- Every Keras: `x = np.random.shuffle(x)` makes x None. A batch that slices it fails with TypeError "'NoneType' object is
  not subscriptable"; set in `on_epoch_end`, it fails in the first epoch on Keras 3.10 and later and in the second one before.
- Keras 3.10 and later: `fit(None, y)` raises ValueError.
- Keras 3.0 to 3.9: `fit(None, y)` raises AttributeError.
- Every Keras: `np.random.permutation(rows)` as a statement of its own changes nothing: each epoch has the same batches.

## Do this
Shuffle in place as a statement, `np.random.shuffle(rows)`, or assign the copy, `rows = np.random.permutation(rows)`.

## Silent when
Nothing reads the variable that gets None.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    Shuffle,
    a_shuffle,
    as_permutation,
    cst,
    taken_back,
    without_target,
)

_FEED = """
import keras
import numpy as np


class Waves(keras.utils.PyDataset):
    def __init__(self, waves, heights):
        super().__init__()
        self.waves, self.heights = waves, heights
        self.rows = {rows}

    def __len__(self):
        return 2

    def __getitem__(self, index):
        rows = self.rows[index * 4 : index * 4 + 4]
        return self.waves[rows], self.heights[rows]

    def on_epoch_end(self):
        {hook}


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Waves(np.eye(8, 3), np.ones((8, 1))), shuffle=False, epochs=3, verbose=0)
"""
_NUMBERS = "np.arange(len(waves))"
_REPAIRED = Contract(repairs=frozenset({"errors"}))


def _feed(hook: str, rows: str = _NUMBERS) -> str:
    return _FEED.replace("{rows}", rows).replace("{hook}", hook)


RULE = Rule(
    code="SEQ108",
    name="shuffle-result-lost",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(changes=frozenset({"order", "grouping", "history", "weights"}), repairs=frozenset({"errors"})),
    needs=(a_shuffle,),
    examples=(
        Example(
            _feed("self.rows = np.random.shuffle(self.rows)"),
            _feed("np.random.shuffle(self.rows)"),
            contract=Contract(repairs=frozenset({"errors", "order", "grouping", "history", "weights"})),
        ),
        Example(
            _feed("np.random.permutation(self.rows)  # a new order"),
            _feed("self.rows = np.random.permutation(self.rows)  # a new order"),
        ),
        Example(
            _feed("np.random.shuffle(self.rows)", "np.random.shuffle(np.arange(len(waves)))"),
            _feed("np.random.shuffle(self.rows)", "np.random.permutation(len(waves))"),
            contract=_REPAIRED,
        ),
        Example.ok(_feed("np.random.shuffle(self.rows)")),
        Example.ok(_feed("_ = self.rows is not None and np.random.shuffle(self.rows)")),
        Example.ok(
            """
import random

import keras


def mixed(rows):
    done = random.shuffle(rows)
    [random.shuffle(row) for row in rows]
    return rows
"""
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for shuffle in facts.shuffles.all:
        if not _is_for_keras(facts, shuffle.node):
            continue
        if shuffle.way == "in place" and facts.takers.of(shuffle.node) is not None:
            yield _gone(facts, shuffle)
        elif shuffle.way != "in place" and facts.shuffles.is_discarded(shuffle):
            yield _discarded(facts, shuffle)
        elif facts.shuffles.is_discarded(shuffle) and (rows := facts.shuffles.copied(shuffle)) is not None:
            yield _of_copy(facts, shuffle, rows)
    for call in facts.lost_orders.all:
        if not _is_for_keras(facts, call):
            continue
        kept = f"`{facts.text(call.args[0].value)}` keeps its old order"
        message = f"`{facts.text(call.func)}` returns rows in a new order, but nothing uses them"
        finding = facts.finding(call, message, kept, "assign what it returns")
        yield finding.unfixed("assigning them might not reach all code that reads the rows")


def _is_for_keras(facts: Facts, node: cst.CSTNode) -> bool:
    """Whether the rows are for Keras: it is imported, or what the function makes is given to a model by another file."""
    if facts.evidence.imports_keras or facts.sequences:
        return True
    function = facts.tree.function(node)
    return function is not None and facts.external_uses.feeds(function)


def _of_copy(facts: Facts, shuffle: Shuffle, rows: cst.BaseExpression) -> Finding:
    message = (
        f"`{facts.text(shuffle.node.func)}` shuffles `{facts.text(shuffle.subjects[0])}`, a copy that nothing uses"
    )
    named = isinstance(rows, (cst.Name, cst.Attribute))
    note = f"`{facts.text(rows)}` keeps its old order" if named else "the rows keep their old order"
    finding = facts.finding(shuffle.node, message, note, "assign the copy, shuffle it, and take the rows from it")
    return finding.unfixed("no code takes its rows from the copy")


def _gone(facts: Facts, shuffle: Shuffle) -> Finding:
    called = facts.text(shuffle.node.func)
    finding = facts.finding(shuffle.node, f"`{called}` returns None, {_use(facts, shuffle)}", "it shuffles in place")
    alone = without_target(facts, shuffle)
    if alone is not None:
        return finding.fixed_by("Shuffle in place", alone, contract=_REPAIRED)
    if taken := as_permutation(facts, shuffle):
        return finding.fixed_by("Use a shuffled copy", *taken, contract=_REPAIRED)
    helped = replace(finding, help=f"call `{called}` as a statement, then use the rows")
    return helped.unfixed("the rows themselves may be meant, or a shuffled copy of them")


def _use(facts: Facts, shuffle: Shuffle) -> str:
    assign = facts.tree.parents[shuffle.node]
    if isinstance(assign, cst.Assign):
        return f"so `{facts.text(assign.targets[0].target)}` is set to None"
    return "which is used here as the shuffled rows"


def _discarded(facts: Facts, shuffle: Shuffle) -> Finding:
    kept = (
        f"`{facts.text(shuffle.subjects[0])}` keeps its old order"
        if shuffle.subjects
        else "the rows keep their old order"
    )
    message = f"`{facts.text(shuffle.node.func)}` returns a shuffled copy, but nothing uses it"
    finding = facts.finding(shuffle.node, message, kept)
    if edits := taken_back(facts, shuffle):
        return finding.fixed_by("Keep the shuffled order", *edits)
    helped = replace(finding, help="assign the copy, or shuffle in place")
    return helped.unfixed("assigning the copy might change a type, or not reach all code that reads the rows")
