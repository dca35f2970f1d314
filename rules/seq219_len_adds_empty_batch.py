"""A `__len__` that counts one batch too many if no samples remain.

## Why
`n // size + 1` is right only if samples remain. With 64 samples and batches of 32 it says 3, and the third slice is
empty. So the error comes and goes with the number of samples.

## Measured
- Keras 3.10 and later: one empty batch an epoch. An empty slice of an array passes without a warning, but the loss is NaN
  with `run_eagerly=True`.
- Keras 3.0 to 3.9: the loss and the validation loss of the epoch are NaN.
- Keras 2: one empty batch an epoch, without a warning.
- Keras 3.10 and later, and Keras 2: Adam takes a step with the empty batch too. Without it the weights after 2 epochs are different.
- Every Keras: a batch that is put together from single samples fails: `np.array([])` has no columns ("element of shape
  (0,)"), `np.stack([])` raises "need at least one array to stack".

## Do this
Return `math.ceil(n / size)`.

## Silent when
The numbers are known and samples remain; the batches are not slices by index; they start again with the first samples after
the last.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Example,
    Facts,
    Finding,
    Length,
    Levels,
    Miscounted,
    Note,
    Rule,
    a_sequence,
    any_of,
    ceiling,
    cst,
)

_HEAD = """
import math

import keras
import numpy as np


class Wells(keras.utils.Sequence):
    def __init__(self, depths, size=4, **kwargs):
        super().__init__(**kwargs)
        self.depths = depths
        self.size = size

    def __len__(self):
"""
_SLICED = """
    def __getitem__(self, index):
        rows = self.depths[index * self.size : (index + 1) * self.size]
        return rows, rows[:, :1]


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Wells(np.arange(72, dtype="float32").reshape(24, 3) / 72), epochs=2, shuffle=False, verbose=0)
"""

RULE = Rule(
    code="SEQ219",
    name="len-adds-empty-batch",
    since="0.1.0",
    levels=Levels(keras2="warning", early="error", keras3="warning"),
    contract=Contract(changes=frozenset({"order", "steps", "history", "weights"}), repairs=frozenset({"errors"})),
    needs=(a_sequence, any_of("__len__", "__getitem__")),
    examples=(
        Example(
            f"{_HEAD}        return len(self.depths) // self.size + 1\n{_SLICED}",
            f"{_HEAD}        return math.ceil(len(self.depths) / self.size)\n{_SLICED}",
            keras=">=2.15",
        ),
        Example(
            f"{_HEAD}        return int(np.floor(len(self.depths) / self.size)) + 1\n{_SLICED}",
            f"{_HEAD}        return math.ceil(len(self.depths) / self.size)\n{_SLICED}",
        ),
        Example(
            f"{_HEAD}        return len(self.depths) // self.size + 1\n{_SLICED}".replace(", shuffle=False", ""),
            f"{_HEAD}        return math.ceil(len(self.depths) / self.size)\n{_SLICED}".replace(", shuffle=False", ""),
        ),
        Example(
            f"{_HEAD}        return 1 + len(self.depths) // self.size\n{_SLICED}".replace(
                "return rows, rows[:, :1]", "return np.stack([row * 2 for row in rows]), rows[:, :1]"
            ),
            f"{_HEAD}        return math.ceil(len(self.depths) / self.size)\n{_SLICED}".replace(
                "return rows, rows[:, :1]", "return np.stack([row * 2 for row in rows]), rows[:, :1]"
            ),
            contract=Contract(repairs=frozenset({"errors"})),
        ),
        Example.ok(f"{_HEAD}        return (len(self.depths) - 1) // self.size + 1\n{_SLICED}"),
        Example.ok(
            f"{_HEAD}        return len(self.depths) // self.size + (len(self.depths) % self.size > 0)\n{_SLICED}"
        ),
        Example.ok(
            f"{_HEAD}        return len(self.depths) // self.size + 1\n{_SLICED}".replace(
                "index * self.size : (index + 1) * self.size",
                "np.random.randint(0, len(self.depths), self.size)",
            )
        ),
    ),
    sources=("dspavankumar/keras-kaldi#6",),
)

_EAGER = "the loss becomes NaN in eager mode"
_SPREAD = "the division is written elsewhere, or gives the remainder too"
_HELP = "return `math.ceil(n / size)`"
_COLLECT = ("numpy.array", "numpy.asarray", "numpy.stack", "numpy.vstack", "numpy.concatenate")


def check(facts: Facts) -> Iterator[Finding]:
    for length in facts.batch_counts.all:
        count = length.count
        if count is None or count.kind != "floor-plus-one" or not facts.batch_counts.by_size(length):
            continue
        if facts.batch_counts.divides(count) is False or not facts.batch_counts.runs_out(length):
            continue
        finding = facts.finding(count.node, _message(facts, length), _note(facts, length))
        direct = count.least is None and not isinstance(count.node, cst.Name)
        edits = ceiling(facts, count, count.node) if direct else ()
        if edits:
            yield finding.fixed_by("Round up instead", *edits, contract=_contract(facts, length))
        else:
            limited = "the count has a lower limit" if count.least is not None else ""
            yield but(finding, help=_HELP, no_fix=limited or _SPREAD)
    for found in facts.miscounted("floor-plus-one"):
        yield _across(facts, found)


def _across(facts: Facts, found: Miscounted) -> Finding:
    """What the text of this file does not tell alone: the count, or what cuts the batches, is in another file."""
    size = f"`{found.size}`" if found.size else "the size of a batch"
    message = f"`{found.owner}.__len__` counts one batch too many if {size} divides the number of samples"
    finding = facts.finding_at(found.span, message, Note("then the last batch is made from no samples"))
    counts = (length.count for length in facts.batch_counts.all)
    own = next((count for count in counts if count is not None and facts.span(count.node) == found.span), None)
    edits = ceiling(facts, own, own.node) if own is not None and own.least is None else ()
    if edits:
        return finding.fixed_by("Round up instead", *edits)
    return but(finding, help=_HELP, no_fix=_SPREAD)


def _contract(facts: Facts, length: Length) -> Contract:
    """One batch less, and fit draws another order; where it draws none, the step alone is gone, which Adam takes without samples too."""
    kept = facts.training.keeps_order(length.owners)
    return Contract(RULE.contract.changes - {"order"}, RULE.contract.repairs) if kept else RULE.contract


def _message(facts: Facts, length: Length) -> str:
    assert length.count is not None
    size, name = facts.text(length.count.denominator), length.owner.name
    return f"`{name}.__len__` counts one batch too many if `{size}` divides the number of samples"


def _note(facts: Facts, length: Length) -> Note:
    if _collects(facts, length):
        return Note("then the last batch is empty, and `np.array` or `np.stack` fails on it")
    if facts.batch_counts.may_be_short(length):
        return Note("then the last batch is empty", early="the loss becomes NaN", keras3=_EAGER)
    return Note("then the last batch is made from no samples")


def _collects(facts: Facts, length: Length) -> bool:
    """Whether a part of the batch is an array made of a list, which has no columns once the list is empty."""
    for maker in length.makers:
        for batch in facts.batches.of(maker):
            for leaf in facts.batches.leaves(batch.value):
                node = leaf.node
                if not isinstance(node, cst.Call) or facts.qualified(node.func) not in _COLLECT or not node.args:
                    continue
                given = facts.values.only(node.args[0].value)
                if isinstance(given, (cst.ListComp, cst.List)):
                    return True
    return False
