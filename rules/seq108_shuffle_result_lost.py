"""A shuffle that works in place and is assigned, or a copy that nobody takes.

## Why
`np.random.shuffle` and `random.shuffle` change the rows where they are and give back None. `np.random.permutation`,
`sklearn.utils.shuffle`, `keras.random.shuffle` and `tf.random.shuffle` give a shuffled copy and leave the rows as they are. Taken for each other, the rows are gone or
stay in their old order. So they do when what is shuffled is a copy that is made for the call: `random.shuffle(list(rows))`,
and when a helper gives back `x[order], y[order]` and its call stands alone.

## Measured
- Every Keras: `x = np.random.shuffle(x)` makes x None. A batch that slices it fails with TypeError "'NoneType' object is
  not subscriptable"; set in `on_epoch_end`, it fails in the first epoch on Keras 3.10 and later and in the second one before.
- Keras 3.10 and later: `fit(None, y)` raises ValueError.
- Keras 3.0 to 3.9: `fit(None, y)` raises AttributeError.
- Every Keras: `np.random.permutation(rows)` as a statement of its own changes nothing: each epoch has the same batches.

## Do this
Shuffle in place as a statement, `np.random.shuffle(rows)`, or take the copy, `rows = np.random.permutation(rows)`.

## Silent when
Nothing reads what the None is assigned to.
"""

from collections.abc import Iterator

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
        given = facts.text(call.args[0].value)
        gives = f"`{facts.text(call.func)}` gives back rows in a new order, and nobody takes them"
        yield facts.finding(call, f"{gives}: `{given}` stays in the old one")


def _is_for_keras(facts: Facts, node: cst.CSTNode) -> bool:
    """Whether the rows are for Keras: it is imported, or what the function makes is given to a model by another file."""
    if facts.evidence.imports_keras or facts.sequences:
        return True
    function = facts.tree.function(node)
    return function is not None and facts.elsewhere.feeds(function)


def _of_copy(facts: Facts, shuffle: Shuffle, rows: cst.BaseExpression) -> Finding:
    called, copy = facts.text(shuffle.node.func), facts.text(shuffle.subjects[0])
    stays = f": `{facts.text(rows)}` stays in the old order" if isinstance(rows, (cst.Name, cst.Attribute)) else ""
    return facts.finding(shuffle.node, f"`{called}` shuffles `{copy}`, a copy that nobody keeps{stays}")


def _gone(facts: Facts, shuffle: Shuffle) -> Finding:
    called = facts.text(shuffle.node.func)
    finding = facts.finding(
        shuffle.node,
        f"`{called}` shuffles in place and gives back None: {_what(facts, shuffle)} is not the shuffled rows",
    )
    alone = without_target(facts, shuffle)
    if alone is not None:
        return finding.fixed_by("Shuffle in place", alone, contract=_REPAIRED)
    taken = as_permutation(facts, shuffle)
    return finding.fixed_by("Take a shuffled copy", *taken, contract=_REPAIRED) if taken else finding


def _what(facts: Facts, shuffle: Shuffle) -> str:
    assign = facts.tree.parents[shuffle.node]
    if isinstance(assign, cst.Assign):
        return f"`{facts.text(assign.targets[0].target)}`"
    return "what is used here"


def _discarded(facts: Facts, shuffle: Shuffle) -> Finding:
    called = facts.text(shuffle.node.func)
    what = f"`{facts.text(shuffle.subjects[0])}` stays" if shuffle.subjects else "the rows stay"
    finding = facts.finding(
        shuffle.node, f"`{called}` gives back a shuffled copy that nobody takes: {what} in the old order"
    )
    edits = taken_back(facts, shuffle)
    return finding.fixed_by("Take what it gives back", *edits) if edits else finding
