"""Rows of a batch that are never written.

## Why
`np.empty` does not clear its memory. A loop that fills the array row by row but skips some rows leaves old values in them: numbers of
another batch, zeros, NaN. An array of the full batch size has such rows too when the last batch is short. Their labels are just as
wrong, and nothing fails.

## Measured
- Keras 3: rows that a `continue` skips reach the model as they are, old numbers, with one worker and with several. If `__len__` rounds
  up, 7 samples and a size of 4 train on 8 rows.
- Keras 2: the same.

## Do this
Make the array as long as its data, `np.empty((len(paths), ...))`. Or collect the rows in a list and `np.stack` it, together with
their labels.

## Silent when
`__len__` rounds down, so every batch is full; the array is cut to the rows that were written; the batch has weights, which can mask
rows; a broad `except` is the cause (see SEQ201).
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (  # fmt: skip
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Levels,
    Rule,
    Sometimes,
    Unwritten,
    a_batch_method,
    cst,
    if_for_model,
    replace,
)

_CARDS = """
import math

import keras
import numpy as np


class Cards(keras.utils.PyDataset):
    def __init__(self, ids, size, **kwargs):
        super().__init__(**kwargs)
        self.ids = ids
        self.size = size

    def __len__(self):
        return math.ceil(len(self.ids) / self.size)

    def __getitem__(self, index):
        ids = self.ids[index * self.size : (index + 1) * self.size]
        return self._load(ids)

    def _load(self, ids):
        cards = np.empty((self.size, 3), dtype="float32")
        ranks = np.empty((self.size), dtype="float32")
        for row, card in enumerate(ids):
            cards[row] = [card, card % 4, card % 13]
            ranks[row] = card % 13
        return cards, ranks


model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Cards(list(range(7)), 4), epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ216",
    name="batch-rows-unwritten",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    sometimes=Sometimes.everywhere("warning"),
    contract=Contract(
        changes=frozenset({"samples", "order", "grouping", "history", "weights"}), holds=frozenset({"epochs equal"})
    ),
    needs=(a_batch_method,),
    examples=(
        Example(
            _CARDS,
            _CARDS.replace("np.empty((self.size, 3)", "np.empty((len(ids), 3)").replace(
                "np.empty((self.size)", "np.empty((len(ids))"
            ),
        ),
        Example(
            _CARDS.replace("np.empty", "np.zeros"),
            _CARDS.replace("np.empty((self.size, 3)", "np.zeros((len(ids), 3)").replace(
                "np.empty((self.size)", "np.zeros((len(ids))"
            ),
        ),
        Example(
            _CARDS.replace("math.ceil(len(self.ids) / self.size)", "len(self.ids) // self.size").replace(
                "            cards[row]", "            if card < 2:\n                continue\n            cards[row]"
            )
        ),
        Example.ok(_CARDS.replace("math.ceil(len(self.ids) / self.size)", "len(self.ids) // self.size")),
        Example.ok(_CARDS.replace("(self.size, 3)", "(len(ids), 3)").replace("(self.size)", "(len(ids))")),
        Example.ok(_CARDS.replace("return cards, ranks", "return cards[: len(ids)], ranks[: len(ids)]")),
    ),
    sources=("afshinea/keras-data-generator#5", "coxlab/prednet#67"),
)

_MILD = Levels.everywhere("warning")
_HELP = "collect the rows in a list and `np.stack` it, together with their labels"


def check(facts: Facts) -> Iterator[Finding]:
    seen: set[tuple[object, object]] = set()
    for unwritten in facts.unwritten.all:
        cause = (unwritten.frame.function, unwritten.skip)
        if cause in seen:
            continue
        seen.add(cause)
        levels = RULE.levels if unwritten.is_empty else _MILD
        node = unwritten.skip if unwritten.skip is not None else unwritten.made
        finding = but(facts.finding(node, _message(facts, unwritten), _note(unwritten)), levels=levels)
        if edits := _edits(facts, unwritten):
            finding = finding.fixed_by("Make the arrays as long as the batch", *edits)
        else:
            finding = but(finding, help=_HELP, no_fix=_reason(facts, unwritten))
        yield if_for_model(unwritten.maker, finding, levels)


def _message(facts: Facts, unwritten: Unwritten) -> str:
    if unwritten.skip is not None:
        return f"an iteration that skips a row of `{unwritten.name}` leaves uninitialised values in the batch"
    assert unwritten.size is not None
    return f"`{unwritten.name}` always has `{facts.text(unwritten.size)}` rows, but the last batch can be shorter"


def _note(unwritten: Unwritten) -> str:
    if unwritten.skip is not None:
        return "`np.empty` does not clear its memory, so the model gets old numbers"
    rest = "uninitialised memory" if unwritten.is_empty else "zeros"
    return f"`__len__` counts a short last batch: its other rows are {rest}, and the model trains on them"


def _reason(facts: Facts, unwritten: Unwritten) -> str:
    if unwritten.skip is not None:
        return "whether the row should be filled or left out is your decision"
    if not isinstance(unwritten.items, cst.Name):
        return f"what fills `{unwritten.name}` has no name"
    if _is_mixed(facts, unwritten):
        return "the arrays are filled from different data"
    if facts.tree.function(unwritten.made) is unwritten.frame.function and not facts.unwritten.sizes(unwritten):
        return "the number of rows is used for something else too"
    return f"`{unwritten.items.value}` is not known where `{unwritten.name}` is made"


def _is_mixed(facts: Facts, unwritten: Unwritten) -> bool:
    """Whether another array of the function is filled from something else."""
    function = unwritten.frame.function
    same = [each for each in facts.unwritten.all if each.frame.function is function and each.size is not None]
    return any(facts.text(each.items) != facts.text(unwritten.items) for each in same if each.items and unwritten.items)


def _edits(facts: Facts, unwritten: Unwritten) -> tuple[Edit, ...]:
    """`len(ids)` for the size, in all arrays that the function makes so."""
    items, size, function = unwritten.items, unwritten.size, unwritten.frame.function
    if items is None or size is None or function is None or unwritten.skip is not None:
        return ()
    bindings = facts.names.bindings(items) if isinstance(items, cst.Name) else ()
    sizes = facts.unwritten.sizes(unwritten)
    placed = all(
        facts.tree.function(axis) is function and facts.tree.order.precedes(b.node, axis)
        for b in bindings
        for axis in sizes
    )
    if not bindings or not placed or _is_mixed(facts, unwritten):
        return ()
    return tuple(replace(facts, axis, f"len({facts.text(items)})") for axis in sizes)
