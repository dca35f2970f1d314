"""A `__len__` that returns a float.

## Why
Python accepts only an int from `__len__`. `/` gives a float even if nothing remains. `np.ceil` and `np.floor` give a float too,
unlike `math.ceil` and `math.floor`.

## Measured
- Keras 3 and Keras 2: TypeError "'numpy.float64' object cannot be interpreted as an integer" (of `np.ceil`) or "'float'
  object cannot be interpreted as an integer" (of `/`) at the first `fit`, `evaluate` or `predict`.
- Every Keras: `np.int64`, the result of `np.ceil(...).astype(int)`, works.

## Do this
Use `math.ceil(n / size)` to count a short last batch, or `n // size` to leave it out. Take the first where `__getitem__` can
return a short batch, as slices do.
"""

from collections.abc import Iterator
from dataclasses import replace as but

from seqlint.api import (
    Contract,
    Edit,
    Example,
    Facts,
    Finding,
    Getitems,
    Length,
    Levels,
    Rule,
    a_sequence,
    any_of,
    as_template_method,
    cst,
    either,
    inherits_batches,
    whole_number,
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
model.fit(Wells(np.ones((10, 3), "float32")), epochs=2, verbose=0)
"""
_FULL = """
    def __getitem__(self, index):
        rows = np.empty((self.size, 3), "float32")
        for row in range(self.size):
            rows[row] = self.depths[index * self.size + row]
        return rows, rows[:, :1]


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(Wells(np.ones((10, 3), "float32")), epochs=2, verbose=0)
"""

RULE = Rule(
    code="SEQ217",
    name="len-not-int",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    contract=Contract(repairs=frozenset({"errors"})),
    needs=(a_sequence, either(any_of("__len__"), inherits_batches)),
    examples=(
        Example(
            f"{_HEAD}        return np.ceil(len(self.depths) / self.size)\n{_SLICED}",
            f"{_HEAD}        return int(np.ceil(len(self.depths) / self.size))\n{_SLICED}",
            keras=">=2.15",
        ),
        Example(
            f"{_HEAD}        return len(self.depths) / self.size\n{_SLICED}",
            f"{_HEAD}        return math.ceil(len(self.depths) / self.size)\n{_SLICED}",
        ),
        Example(
            f"{_HEAD}        return len(self.depths) / self.size  # batches\n{_FULL}",
            f"{_HEAD}        return len(self.depths) // self.size  # batches\n{_FULL}",
        ),
        Example.ok(f"{_HEAD}        return np.ceil(len(self.depths) / self.size).astype(int)\n{_SLICED}"),
        Example.ok(f"{_HEAD}        return int(len(self.depths) / self.size)\n{_SLICED}"),
    ),
    sources=("antoniosudoso/attention-nilm#6", "keras-team/keras#9703"),
)

_RAISES = "TypeError at the first `fit`, `evaluate` or `predict`"
_HELP = "round up with `math.ceil`, or down with `//`"
_NO_FIX = "whether a short last batch exists depends on a base class in another file"
_FLOATS = ("numpy.ceil", "numpy.floor", "numpy.rint", "numpy.true_divide", "numpy.divide")


def check(facts: Facts) -> Iterator[Finding]:
    told = set()
    for finding in _in_this_file(facts):
        told.add((finding.start, finding.end))
        yield finding
    for node, owner in facts.run.domain(Getitems).float_lengths():
        span = facts.run.span(node)
        if span not in told:
            told.add(span)
            text = f"`{owner}.__len__` returns a float, the result of `{facts.run.text(node)}`"
            yield but(facts.finding_at(span, text, _RAISES), help=_HELP, no_fix=_NO_FIX)


def _in_this_file(facts: Facts) -> Iterator[Finding]:
    for length in (*facts.batch_counts.all, *facts.batch_counts.filled):
        for value in length.values:
            made = _made(facts, length, value)
            floats = {_float(facts, each) for each in made}
            if len(floats) != 1 or None in floats:
                continue
            text = f"`{length.called}` returns a float, the result of `{floats.pop()}`"
            finding = facts.finding(value, text, _RAISES)
            title, edits = _fix(facts, length, value, made)
            finding = finding.fixed_by(title, *edits) if edits else but(finding, help=_HELP, no_fix=_NO_FIX)
            yield as_template_method(length.template_method, finding)


def _made(facts: Facts, length: Length, value: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
    """What a value is: that of a property of the class is what the property returns."""
    bindings = facts.names.reaching(value) if isinstance(value, cst.Name) else ()
    if len(bindings) == 1 and bindings[0].kind == "assign" and isinstance(bindings[0].value, cst.Attribute):
        return _made(facts, length, bindings[0].value)
    if not isinstance(value, cst.Attribute) or facts.values.self_class(value.value) is None:
        return (value,)
    name, owner = value.attr.value, length.owner
    getter = facts.attributes.properties(owner).get(name)
    below = (made for made in facts.classes if owner in made.lineage[1:])
    if getter is None or any(
        name in each.methods for made in below for each in made.lineage[: made.lineage.index(owner)]
    ):
        return (value,)
    given = [statement.value for statement in facts.values.own(getter, cst.Return)]
    return tuple(each for each in given if each is not None) if given and None not in given else (value,)


def _float(facts: Facts, value: cst.BaseExpression) -> str | None:
    """What makes a value a float, whichever way it comes about; None where it may be an int."""
    found: list[str | None] = []
    for source in facts.numbers.sources(value):
        count = facts.counts.of(source) if source is not None else None
        name = facts.qualified(source.func) if isinstance(source, cst.Call) else None
        if count is not None:
            found.append(None if count.is_int else "/" if count.kind == "true" else _word(facts, count.node))
        else:
            found.append(facts.text(source.func) if isinstance(source, cst.Call) and name in _FLOATS else None)
    return "` or `".join(dict.fromkeys(each for each in found if each)) if found and None not in found else None


def _word(facts: Facts, node: cst.BaseExpression) -> str:
    return facts.text(node.func) if isinstance(node, cst.Call) else facts.text(node)


def _fix(
    facts: Facts, length: Length, value: cst.BaseExpression, made: tuple[cst.BaseExpression, ...]
) -> tuple[str, tuple[Edit, ...]]:
    """The title and the edits: as it is rounded now; a quotient up where a batch may be short, else down."""
    counts = [count for each in made for count in facts.counts.all(each)]
    if not all(count is not None and count.kind == "true" for count in counts):
        return "Make it an int", whole_number(facts, value, "int")
    if length.template_method is not None:  # whether the base in another file gives a short last batch can't be seen
        return "", ()
    if facts.batch_counts.may_be_short(length):
        return "Count the short last batch too", whole_number(facts, value, "math.ceil")
    if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Divide):
        left, right = facts.tree.outer_span(value.left)[1], facts.tree.outer_span(value.right)[0]
        slash = left + facts.source.utf8[left:right].index(b"/")
        return "Count full batches", (Edit(slash, slash + 1, "//"),)
    return "Count full batches", whole_number(facts, value, "int")
