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
    LostOrders,
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
    contract=Contract(
        changes=frozenset({"order", "grouping", "history", "weights"}),
        repairs=frozenset({"errors"}),
        holds=frozenset({"inputs stay"}),
    ),
    needs=(a_shuffle,),
    examples=(
        Example(
            _feed("self.rows = np.random.shuffle(self.rows)"),
            _feed("np.random.shuffle(self.rows)"),
            contract=Contract(
                repairs=frozenset({"errors", "order", "grouping", "history", "weights"}),
                holds=frozenset({"inputs stay"}),
            ),
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
    for lost in facts.run.domain(LostOrders).all:
        call = facts.call_node(lost.node)
        if call is None or not _is_for_keras(facts, call):
            continue
        shuffle = facts.shuffles.of(call)
        finding = facts.finding(call, *_TEXTS[lost.why](facts, call))
        fixed = _fixed(facts, finding, shuffle, lost.why) if shuffle is not None else None
        yield fixed or finding.unfixed(_REASONS[lost.why])


def _is_for_keras(facts: Facts, node: cst.CSTNode) -> bool:
    """Whether the rows are for Keras: it is imported, or what the function makes is given to a model by another file."""
    if facts.evidence.imports_keras or facts.sequences:
        return True
    function = facts.tree.function(node)
    return function is not None and facts.external_uses.feeds(function)


def _fixed(facts: Facts, finding: Finding, shuffle: Shuffle, why: str) -> Finding | None:
    finding = replace(finding, help="")
    if why == "discarded":
        edits = taken_back(facts, shuffle)
        return finding.fixed_by("Keep the shuffled order", *edits) if edits else None
    alone = without_target(facts, shuffle) if why == "gone" else None
    if alone is not None:
        return finding.fixed_by("Shuffle in place", alone, contract=_REPAIRED)
    taken = as_permutation(facts, shuffle) if why == "gone" else ()
    return finding.fixed_by("Use a shuffled copy", *taken, contract=_REPAIRED) if taken else None


def _gone(facts: Facts, call: cst.Call) -> tuple[str, str, str]:
    called, assign = facts.text(call.func), facts.tree.parents[call]
    use = "which is used here as the shuffled rows"
    if isinstance(assign, cst.Assign):
        use = f"so `{facts.text(assign.targets[0].target)}` is set to None"
    help_text = f"call `{called}` as a statement, then use the rows"
    return f"`{called}` returns None, {use}", "it shuffles in place", help_text


def _discarded(facts: Facts, call: cst.Call) -> tuple[str, str, str]:
    message = f"`{facts.text(call.func)}` returns a shuffled copy, but nothing uses it"
    shuffle = facts.shuffles.of(call)
    rows = shuffle.subjects[0] if shuffle is not None and shuffle.subjects else None
    return message, _kept(facts, rows), "assign the copy, or shuffle in place"


def _of_copy(facts: Facts, call: cst.Call) -> tuple[str, str, str]:
    given = call.args[0].value
    message = f"`{facts.text(call.func)}` shuffles `{facts.text(given)}`, a copy that nothing uses"
    inner = given.args[0].value if isinstance(given, cst.Call) and given.args else getattr(given, "func", None)
    rows = inner if not isinstance(given, cst.Call) or given.args else getattr(inner, "value", None)
    return message, _kept(facts, rows), "assign the copy, shuffle it, and take the rows from it"


def _returned(facts: Facts, call: cst.Call) -> tuple[str, str, str]:
    message = f"`{facts.text(call.func)}` returns rows in a new order, but nothing uses them"
    return message, f"`{facts.text(call.args[0].value)}` keeps its old order", "assign what it returns"


def _kept(facts: Facts, rows: cst.CSTNode | None) -> str:
    named = isinstance(rows, (cst.Name, cst.Attribute))
    return f"`{facts.text(rows)}` keeps its old order" if named and rows else "the rows keep their old order"


_TEXTS = {"gone": _gone, "discarded": _discarded, "a copy": _of_copy, "returned": _returned}
_REASONS = {
    "gone": "the rows themselves may be meant, or a shuffled copy of them",
    "discarded": "assigning the copy might change a type, or not reach all code that reads the rows",
    "a copy": "no code takes its rows from the copy",
    "returned": "assigning them might not reach all code that reads the rows",
}
