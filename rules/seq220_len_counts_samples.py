"""A `__len__` that counts samples instead of batches.

## Why
`__len__` is the number of batches. If it returns the number of samples, Keras asks for that many batches, and all slices after the
last sample are empty.

## Measured
- Keras 3.10 and later: an epoch takes as many steps as there are samples. The batches after the last sample are empty,
  without a warning.
- Keras 3.0 to 3.9: the same, and the loss of every epoch is NaN.
- Keras 2: an epoch takes as many steps as there are samples, without a warning.
- Every Keras: a batch that is put together with `np.array` or `np.stack` fails at the first empty one.

## Do this
Return `math.ceil(len(samples) / size)`, or `len(samples) // size` where a short last batch is not possible.

## Silent when
A batch is or may be one sample; the list holds batches.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Length,
    Levels,
    Miscounted,
    Rule,
    a_sequence,
    any_of,
    cst,
    name_for,
    receiver,
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
model.fit(Wells(np.ones((10, 3), "float32")), epochs=2, shuffle=False, verbose=0)
"""
_FILLED = """
    def __getitem__(self, index):
        rows = np.zeros((self.size, 3), "float32")
        for place, row in enumerate(self.depths[index * self.size : (index + 1) * self.size]):
            rows[place] = row
        return rows, rows[:, :1]


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Wells(np.arange(72, dtype="float32").reshape(24, 3) / 72), epochs=2, shuffle=False, verbose=0)
"""

RULE = Rule(
    code="SEQ220",
    name="len-counts-samples",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(
        changes=frozenset({"samples", "order", "steps", "history", "weights"}), holds=frozenset({"pairs match"})
    ),
    needs=(a_sequence, any_of("__len__", "__getitem__")),
    examples=(
        Example(
            f"{_HEAD}        return len(self.depths)\n{_SLICED}",
            f"{_HEAD}        return math.ceil(len(self.depths) / self.size)\n{_SLICED}",
            keras=">=2.15",
        ),
        Example(
            f"{_HEAD}        return len(self.depths)\n{_FILLED}",
            f"{_HEAD}        return len(self.depths) // self.size\n{_FILLED}",
        ),
        Example(
            f"{_HEAD}        return len(self.depths)\n{_FILLED}".replace(", shuffle=False", ""),
            f"{_HEAD}        return len(self.depths) // self.size\n{_FILLED}".replace(", shuffle=False", ""),
        ),
        Example.ok(f"{_HEAD}        return len(self.depths)\n{_SLICED}".replace("size=4", "size=1")),
        Example.ok(
            """
import keras


class Pages(keras.utils.Sequence):
    def __init__(self, pages):
        super().__init__()
        self.pages = pages

    def __len__(self):
        return len(self.pages)

    def __getitem__(self, index):
        return self.pages[index]
"""
        ),
    ),
    sources=("udacity/CarND-Behavioral-Cloning-P3#38",),
)


_NOTE = "an epoch has as many steps as there are samples, most of them with an empty batch"
_HELP = "return the number of batches"
_SPREAD = "the count and the size of a batch are written in different places"


def check(facts: Facts) -> Iterator[Finding]:
    for length in facts.batch_counts.all:
        window = facts.batch_counts.counts_samples(length)
        if window is None or window.size.node is None or 1 in facts.numbers.values(window.size.node):
            continue
        value = length.values[0]
        finding = facts.finding(
            value,
            f"`{length.owner.name}.__len__` counts samples, but a batch has `{facts.text(window.size.node)}` of them",
            _NOTE,
        )
        edits = _edits(facts, length, value, window.size.node)
        if edits:
            yield finding.fixed_by("Count batches", *edits, contract=_contract(facts, length))
        else:
            size = facts.text(window.size.node)
            yield but(finding, help=_HELP, no_fix=f"`{size}` is not known in `__len__`")
    for found in facts.miscounted("samples"):
        yield but(facts.finding_at(found.span, _message(found), _NOTE, _HELP), no_fix=_SPREAD)


def _message(found: Miscounted) -> str:
    """What the text of this file does not tell alone: the count, or what cuts the batches, is in another file."""
    size = f"`{found.size}`" if found.size else "several"
    return f"`{found.owner}.__len__` counts samples, but a batch has {size} of them"


def _contract(facts: Facts, length: Length) -> Contract:
    """Fewer batches, and fit draws another order."""
    kept = facts.training.keeps_order(length.owners)
    return Contract(changes=RULE.contract.changes - {"order"}, holds=RULE.contract.holds) if kept else RULE.contract


def _edits(facts: Facts, length: Length, value: cst.BaseExpression, size: cst.BaseExpression) -> tuple[Edit, ...]:
    """None where the size is a name that `__len__` can't see."""
    of_self = isinstance(size, cst.Attribute) and facts.values.self_class(size.value) is not None
    if not of_self and not isinstance(size, cst.Integer):
        return ()
    text, divisor = facts.text(value), facts.text(size)
    if isinstance(size, cst.Attribute):
        divisor = f"{receiver(length.function)}.{size.attr.value}"
    if not facts.batch_counts.may_be_short(length):
        return (Edit(*facts.tree.outer_span(value), f"{text} // {divisor}"),)
    spelling = name_for(facts, "math.ceil", value)
    return (Edit(*facts.tree.outer_span(value), f"{spelling.text}({text} / {divisor})"), *spelling.edits)
