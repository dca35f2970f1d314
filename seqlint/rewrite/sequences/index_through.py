"""Batches that take their rows through an index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts import ClassFacts, Facts


def index_through(facts: Facts, owner: ClassFacts, name: str) -> tuple[Edit, ...]:
    """`self.x[self.order[a:b]]` for `self.x[a:b]`, in all that makes a batch.

    No edits where the index is not surely one of row numbers that `__init__` sets, where anything but arrays is sliced, or
    where the slices differ.
    """
    if name not in facts.attributes.assigned(owner, "__init__") or not _counts_rows(facts, owner, name):
        return ()
    parts = list(_sliced(facts, owner))
    spans = {facts.text(part.slice[0]) for part in parts}
    if not parts or len(spans) != 1 or any(facts.containers.kind(part.value) != "array" for part in parts):
        return ()
    if not all(_is_span(facts, part) for part in parts):
        return ()
    edits: list[Edit] = []
    for part in parts:
        start, end = facts.span(part.slice[0])
        edits += [Edit(start, start, f"self.{name}["), Edit(end, end, "]")]
    return tuple(edits)


def _counts_rows(facts: Facts, owner: ClassFacts, name: str) -> bool:
    """Whether the index is only ever assigned row numbers."""
    values = facts.values.attribute_values(owner.node, name)
    return bool(values) and all(_is_numbers(facts, value) for value in values)


def _is_numbers(facts: Facts, value: cst.BaseExpression | None) -> bool:
    if not isinstance(value, cst.Call):
        return False
    shuffle = facts.shuffles.of(value)
    if shuffle is not None:
        return shuffle.way == "numbers" and shuffle.name != "random.sample"
    return facts.qualified(value.func) == "numpy.arange" and len(value.args) == 1


def _sliced(facts: Facts, owner: ClassFacts) -> Iterator[cst.Subscript]:
    """What the code of a batch takes out of attributes of `self`."""
    for reached in owner.reachable("__getitem__"):
        for node in facts.tree.inside(reached.node.body, cst.Subscript):
            if isinstance(node.value, cst.Attribute) and facts.values.self_class(node.value.value) is not None:
                yield node


def _is_span(facts: Facts, part: cst.Subscript) -> bool:
    """`x[a:b]`, or `x[rows]` with `rows = slice(a, b)`."""
    index = part.slice[0].slice
    if len(part.slice) != 1:
        return False
    if isinstance(index, cst.Slice):
        return index.step is None
    value = facts.values.only(index.value) if isinstance(index, cst.Index) else None
    return isinstance(value, cst.Call) and facts.qualified(value.func) == "builtins.slice" and len(value.args) == 2
