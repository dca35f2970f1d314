"""A `__getitem__` that changes its instance: each batch depends on earlier calls.

## Why
A position that moves forward, a list that is emptied, a list of all labels so far: they rely on one call for each batch, in order.
Keras calls `__getitem__` more often than that, from other threads, and in processes that each have a copy.

## Measured
- Keras 3.10 and later: batches 0 and 1 are read once more before the first step of every `fit`, `evaluate` and `predict`. A
  position is then 2 batches ahead, a list that is emptied runs out, and one that collects holds 2 batches too many.
- Every Keras: `rows = self.rows[4:8]` is a view of the array itself: after `rows /= 2.0` its rows are halved again in each epoch.
- Keras 3.0 to 3.9: the same.
- Keras 2: batch 0 is read once more: a position is 1 batch ahead.
- Every Keras: with `use_multiprocessing` the changes stay in the process that made them; the instance sees only those of the batches
  that are read before the first step.

## Do this
Work out what to read from the index. Change what should differ between epochs in `on_epoch_end`. Read labels in the order of the
predictions again from the data. Write `rows = rows / 2.0`, which makes a new array for the batch.

## Silent when
It is a cache by key, a number that no batch depends on, an attribute that each call resets, a set that is read afterwards, an
order that is drawn while there is none, or a list of indexes that is only printed.
"""

from collections.abc import Iterator

from seqlint.api import (
    Altered,
    Example,
    Facts,
    Finding,
    GetitemMutation,
    Getitems,
    Levels,
    Note,
    Rule,
    a_getitem,
    a_sequence,
    as_template_method,
    cst,
)

_CLASS = """
import keras
import numpy as np


class Songs(keras.utils.PyDataset):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows
        self.at = 0
        self.left = list(range(len(rows)))
        self.labels = []
        self.known = {}
        self.calls = 0

    def __len__(self):
        return len(self.rows) // 4

    def __getitem__(self, index):
"""
_FIT = """

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
songs = Songs(np.ones((8, 3), "float32"))
"""

RULE = Rule(
    code="SEQ205",
    name="getitem-mutates-self",
    since="0.1.0",
    levels=Levels.everywhere("warning"),
    needs=(a_sequence, a_getitem),
    examples=(
        Example(
            _CLASS
            + """\
        rows = self.rows[self.at : self.at + 4]
        self.at = (self.at + 4) % len(self.rows)
        return rows, rows[:, :1]
"""
            + _FIT
            + "model.fit(songs, epochs=2, verbose=0)\n"
        ),
        Example(
            _CLASS
            + """\
        rows = self.rows[[self.left.pop() for _ in range(4)]]
        return rows, rows[:, :1]
"""
            + _FIT
            + "model.evaluate(songs, verbose=0)\n"
        ),
        Example(
            _CLASS
            + """\
        rows = self.rows[index * 4 : index * 4 + 4]
        labels = rows[:, :1]
        self.labels.append(labels)
        return rows, labels
"""
            + _FIT
            + "guess = model.predict(songs, verbose=0)\nprint(len(guess), len(np.concatenate(songs.labels)))\n"
        ),
        Example.ok(
            _CLASS
            + """\
        self.calls += 1
        if self.calls % 100 == 0:
            print("call", self.calls)
        if index not in self.known:
            self.known[index] = self.rows[index * 4 : index * 4 + 4]
        rows = self.known[index]
        return rows, rows[:, :1]
"""
            + _FIT
            + "model.fit(songs, epochs=2, verbose=0)\n"
        ),
        Example.ok(
            _CLASS
            + """\
        self.labels = []
        for row in range(index * 4, index * 4 + 4):
            self.labels.append(self.rows[row, :1])
        return self.rows[index * 4 : index * 4 + 4], np.stack(self.labels)
"""
            + _FIT
            + "model.fit(songs, epochs=2, verbose=0)\n"
        ),
    ),
    sources=("keras-team/keras#15701",),
)

_DONE = {
    "cursor": ("changes `{}`, so each batch depends on earlier calls", "work out the position from the index"),
    "taken": ("removes items from `{}`", "pick the items by the index"),
    "collected": ("adds to `{}`, which is read elsewhere", "read them again from the data, in the order of the index"),
    "reordered": ("reorders `{}`, which picks the rows of each batch", "reorder it in `on_epoch_end`"),
}
_TWICE = "batches 0 and 1 are read once more before the first step"
_NOTE = Note("a worker process keeps its changes to itself", "batch 0 is read once more", _TWICE, _TWICE)


def check(facts: Facts) -> Iterator[Finding]:
    for carried in facts.getitem_mutations.all:
        yield as_template_method(carried.reached.template_method, _carried(facts, carried))
    for altered in facts.altered.all:
        yield as_template_method(altered.reached.template_method, _altered(facts, altered))
    yield from _taken(facts)


def _taken(facts: Facts) -> Iterator[Finding]:
    """Items that an object of the Sequence takes out of a list of its own."""
    told = {facts.span(carried.node) for carried in facts.getitem_mutations.all}
    for found in facts.run.domain(Getitems).takes():
        span, way = facts.run.span(found.node), {facts.run.span(node) for node in found.way if facts.run.is_own(node)}
        if told & {span, *way}:
            continue
        told.add(span)
        text = f"`{facts.run.text(found.node)}` removes an item for each batch of `{found.owner}`"
        yield facts.finding_at(span, text, _NOTE, "pick the items by the index")


def _altered(facts: Facts, altered: Altered) -> Finding:
    way, text = " > ".join(altered.reached.path), facts.text(altered.node)
    text = text if len(text) <= 60 and "\n" not in text else facts.text(altered.target)
    return facts.finding(
        altered.node,
        f"`{text}` in `{altered.owner.name}.{way}` writes into `self.{altered.name}`",
        "a slice is a view and not a copy, so its rows change once more in every epoch",
        "make a new array, such as `rows = rows / 2.0` in place of `rows /= 2.0`",
    )


def _carried(facts: Facts, carried: GetitemMutation) -> Finding:
    way = " > ".join(carried.reached.path)
    in_dict = isinstance(carried.node, cst.AugAssign) and isinstance(carried.node.target, cst.Subscript)
    what = (
        facts.text(carried.node.target)
        if in_dict and isinstance(carried.node, cst.AugAssign)
        else f"self.{carried.name}"
    )
    done, remedy = _DONE[carried.kind]
    return facts.finding(carried.node, f"`{carried.owner.name}.{way}` {done.format(what)}", _NOTE, remedy)
