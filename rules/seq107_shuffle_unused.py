"""A shuffle at the end of each epoch that changes no batch.

## Why
The hook brings an index, or a list, into a new order, but `__getitem__` takes its rows from somewhere else: from slices of
the arrays themselves, or from a copy that `__init__` made. The class looks as if it shuffles, but makes the same batches
each time.

## Measured
- Keras 3 and Keras 2: the batches hold the same rows in every epoch. `fit` shuffles the order of the batches, not what is in them.
- Keras 3 and Keras 2: `itertools.cycle(rows)` keeps its own copy. After its first pass, a shuffle of `rows` changes nothing.

## Do this
Take the rows of a batch through the index: `rows = self.indexes[start:stop]`, then `self.x[rows]` and `self.y[rows]`.

## Silent when
Anything reads what is shuffled: here, through a helper, under another name, or in a base class. `__getitem__` draws rows at
random. Other files subclass the class.
"""

from collections.abc import Iterator
from dataclasses import replace

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Hook,
    Levels,
    Rule,
    Unread,
    UnreadOrders,
    a_sequence,
    a_shuffle,
    an_epoch_hook,
    if_for_sequence,
    index_through,
)

_FEED = """
import itertools
import random

import keras
import numpy as np


class Waves(keras.utils.PyDataset):
    def __init__(self, waves, heights):
        super().__init__()
        self.waves = waves
        self.heights = heights
        {start}

    def __len__(self):
        return len(self.waves) // 4

    def __getitem__(self, index):
        {batch}

    def on_epoch_end(self):
        {hook}


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Waves(np.eye(8), np.arange(8.0)), shuffle=False, epochs=2, verbose=0)
"""
_SLICES = "return self.waves[index * 4 : index * 4 + 4], self.heights[index * 4 : index * 4 + 4]"
_THROUGH = (
    "return self.waves[self.indexes[index * 4 : index * 4 + 4]], self.heights[self.indexes[index * 4 : index * 4 + 4]]"
)
_INDEX = "self.indexes = np.arange(len(waves))"
_SHUFFLE = "np.random.shuffle(self.indexes)"


def _feed(batch: str, start: str = _INDEX, hook: str = _SHUFFLE) -> str:
    return _FEED.replace("{batch}", batch).replace("{start}", start).replace("{hook}", hook)


_ROWS = "rows = slice(index * 4, index * 4 + 4)\n        return self.waves[{}], self.heights[{}]"

RULE = Rule(
    code="SEQ107",
    name="shuffle-unused",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"order", "grouping", "history", "weights"}),
        holds=frozenset({"inputs stay", "orders differ"}),
    ),
    needs=(a_sequence, an_epoch_hook, a_shuffle),
    examples=(
        Example(_feed(_SLICES), _feed(_THROUGH)),
        Example(
            _feed(_ROWS.replace("{}", "rows"), hook="self.indexes = np.random.permutation(len(self.waves))"),
            _feed(
                _ROWS.replace("{}", "self.indexes[rows]"), hook="self.indexes = np.random.permutation(len(self.waves))"
            ),
        ),
        Example(
            _feed(
                "return np.stack([next(self.turn) for _ in range(4)]), np.zeros(4)",
                "self.turn = itertools.cycle(self.waves)",
                "random.shuffle(self.waves)",
            ).replace("Waves(np.eye(8), ", "Waves(list(np.eye(8)), ")
        ),
        Example(_feed(_SLICES, hook="order = np.arange(len(self.waves))\n        np.random.shuffle(order)")),
        Example.ok(_feed(_THROUGH)),
        Example.ok(
            _feed(
                "return self._rows(self.indexes[index * 4 : index * 4 + 4])\n\n    def _rows(self, rows):\n        return self.waves[rows], self.heights[rows]"
            )
        ),
        Example.ok(
            _feed(
                _SLICES,
                hook="order = np.random.permutation(8)\n        self.waves, self.heights = self.waves[order], self.heights[order]",
            )
        ),
    ),
)


def check(facts: Facts) -> Iterator[Finding]:
    for found in facts.run.domain(UnreadOrders).all:
        owner = facts.class_of(found.source.cls)
        hook = facts.hooks.of(owner, found.hook) if owner is not None else None
        if owner is None or hook is None or facts.may_be_base(owner):  # subclasses may read it
            continue
        finding = facts.finding_at(facts.run.span(found.place), _message(hook, found), _note(found))
        edits = index_through(facts, owner, found.attribute) if found.attribute else ()
        title = f"Take the rows through `{found.name}`"
        finding = (
            finding.fixed_by(title, *edits) if edits else replace(finding, help=_help(found), no_fix=_reason(found))
        )
        yield if_for_sequence(hook, finding, RULE.levels)


def _message(hook: Hook, found: Unread) -> str:
    shuffles = f"`{hook.called}` shuffles `{found.name}`"
    if found.through_cycle:
        return f"{shuffles}, but `itertools.cycle` keeps a copy in the old order"
    return f"{shuffles}, but `__getitem__` never uses it"


def _note(found: Unread) -> str:
    if found.through_cycle:
        return "the batches come in the old order"
    return "this shuffle changes no batch" if found.others else "every epoch has the same batches"


def _help(found: Unread) -> str:
    if found.through_cycle:
        return f"take the rows from `{found.name}` itself"
    return "shuffle an index in `self`, and take the rows of a batch through it"


def _reason(found: Unread) -> str:
    if found.through_cycle:
        return "the rows are taken in turn, not through an index"
    if not found.attribute:
        return f"`{found.name}` is a local variable of the hook"
    return f"it is not clear that `{found.name}` holds row numbers of the arrays that are sliced"
