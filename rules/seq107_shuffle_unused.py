"""A shuffle at the end of each epoch that no batch shows.

## Why
The hook brings an index, or a list, into a new order, and `__getitem__` takes its rows from somewhere else: by slices of the
arrays themselves, or from a copy that `__init__` made. The class looks as if it shuffled, and makes the same batches each time.

## Measured
- Keras 3 and Keras 2: the batches hold the same rows in every epoch. `fit` shuffles the order of the batches, not what is in them.
- Keras 3 and Keras 2: `itertools.cycle(rows)` keeps its own copy. Once it has gone round, a shuffle of `rows` changes nothing.

## Do this
Take the rows of a batch through the index: `rows = self.indexes[start:stop]`, then `self.x[rows]` and `self.y[rows]`.

## Silent when
Anything reads what is shuffled, here or through a helper, another name or a base class; `__getitem__` draws rows at random;
classes of other files are made from this one.
"""

from collections.abc import Iterator

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    Unread,
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
    contract=Contract(changes=frozenset({"order", "grouping", "history", "weights"})),
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
    for found in facts.unread_orders.all:
        if facts.may_be_base(found.owner):  # heirs may read it
            continue
        finding = facts.finding(found.shuffle.node, _message(found))
        edits = index_through(facts, found)
        finding = finding.fixed_by(f"Take the rows through `{found.name}`", *edits) if edits else finding
        yield if_for_sequence(found.hook, finding, RULE.levels)


def _message(found: Unread) -> str:
    shuffles = f"`{found.hook.called}` shuffles `{found.name}`"
    if found.through_cycle:
        return f"{shuffles}, of which `itertools.cycle` keeps a copy: the batches come in the old order"
    so = "this shuffle changes none" if found.beside_others else "each epoch has the same batches"
    return f"{shuffles}, and no batch is taken through it: {so}"
