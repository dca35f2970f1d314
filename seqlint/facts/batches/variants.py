"""Batches of one maker that are not built alike: another number of items, another structure, rank, size or type."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import libcst as cst

from seqlint.facts.batches.batches import parts_of
from seqlint.facts.batches.first_two import FirstTwo
from seqlint.facts.numbers.dtypes import is_float, is_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.facts.batches.batches import Batches, Maker
    from seqlint.facts.batches.forms import Form, Forms
    from seqlint.facts.batches.varying import Varying
    from seqlint.facts.flow.call_frames import Traced

Way = Literal["items", "structure", "rank", "size", "type"]
MOST = 12
MAX_DEPTH = 3


@dataclass(frozen=True, eq=False)
class Variant:
    """Two values of which a maker gives now the one and now the other.

    Attributes:
        first, second: where they are made, in reading order; the second is the one to report.
        way: how they differ.
        position: of the item in the batch: 0 for inputs, 1 for targets, 2 for weights; None for the whole batch.
        forms: how each is built.
        at_once: whether batches 0 and 1 surely differ so.
    """

    maker: Maker
    first: Traced
    second: Traced
    way: Way
    position: int | None
    forms: tuple[Form, Form]
    at_once: bool = False


@dataclass(frozen=True)
class Made:
    """An expression that makes a value.

    Attributes:
        node: the expression.
        given: where the value is handed over, if it can be no other there; else the expression itself.
        handed: where the value is handed over.
    """

    node: Traced
    given: Traced
    handed: Traced


class Variants:
    """The batches of one file that differ."""

    def __init__(self, batches: Batches, forms: Forms, varying: Varying) -> None:
        self._batches = batches
        self._flow = batches.flow
        self._forms = forms
        self._varying = varying
        self._first_two = FirstTwo(batches.flow, varying)

    @cached_property
    def all(self) -> tuple[Variant, ...]:
        """The first difference for each place that makes another kind of batch."""
        found: dict[cst.CSTNode, Variant] = {}
        for maker in self._batches.makers:
            wholes = [made for batch in self._batches.of(maker) for made in self._made(batch.value)]
            for variant in self._compared(maker, wholes, None, MAX_DEPTH):
                found.setdefault(self._statement(variant.second), variant)
        return tuple(found.values())

    def _statement(self, value: Traced) -> cst.CSTNode:
        return value.node if value.node is None else self._flow.tree.statement(value.node)  # type: ignore[return-value]

    def _made(self, value: Traced) -> list[Made]:
        """What makes a value; where one thing alone makes it, the place where it is handed over tells when that is given."""
        found = self._flow.trace(value)
        return [Made(one, value if len(found) == 1 else one, value) for one in found]

    def _compared(self, maker: Maker, values: Sequence[Made], position: int | None, depth: int) -> Iterator[Variant]:
        values = [value for value in dict.fromkeys(values) if value.node.node is not None]
        if len(values) > MOST or depth == 0:
            return
        forms = {value: self._forms.form(value.node) for value in values} if len(values) > 1 else {}
        found: list[Variant] = []
        written = self._flow.tree.order.sorted(values, lambda each: each.node.node or maker.function)
        for one, other in combinations(written, 2):
            way = difference(forms[one], forms[other])
            if way is not None and self._are_both(maker, one, other):
                at_once = self._first_two.differ(one.node, other.node, maker)
                found.append(Variant(maker, one.node, other.node, way, position, (forms[one], forms[other]), at_once))
        # Another size in batch 1 makes the axis free, and of the types that of batch 0 is taken.
        is_free = any(variant.way == "size" and variant.at_once for variant in found)
        yield from (
            each for each in found if not (each.way == "size" and is_free) and not self._begins_with_floats(each)
        )
        for number, parts in self._parts(values):
            yield from self._compared(maker, parts, number if position is None else position, depth - 1)

    def _begins_with_floats(self, variant: Variant) -> bool:
        """Whether batch 0 holds floats: whole numbers that come later lose nothing."""
        if variant.way != "type":
            return False
        first = self._first_two.given(variant.first, variant.second, 0, variant.maker)
        form = variant.forms[0] if first is variant.first else variant.forms[1]
        return first is not None and is_float(form.array.dtype)

    def _parts(self, values: Sequence[Made]) -> Iterator[tuple[int, list[Made]]]:
        """The values of each item, where all are tuples of one length."""
        wholes = [value.node for value in values if isinstance(value.node.node, (cst.Tuple, cst.List))]
        every = [parts_of(whole) or () for whole in wholes]
        for number in range(max((len(parts) for parts in every), default=0)):
            items = [parts[number] for parts in every if len(parts) > number]
            yield number, [made for item in items for made in self._made(item)]

    def _are_both(self, maker: Maker, one: Made, other: Made) -> bool:
        if any(self._varying.in_handler(each) for each in (one.node, other.node, one.given, other.given)):
            return False
        if self._varying.settled(one.handed, other.handed, maker):
            return False
        return self._varying.between(one.node, other.node, maker) or self._varying.between(
            one.given, other.given, maker
        )


def difference(one: Form, other: Form) -> Way | None:
    """How two forms surely differ; the number of rows does not count."""
    if {one.kind, other.kind} & {"none", "unknown"}:
        return None
    if one.kind != other.kind:
        lists = "list" in (one.kind, other.kind)  # a list in a tuple's place is another matter
        return None if lists else "structure"
    if one.kind == "array":
        return _of_arrays(one, other)
    if one.repeated or other.repeated:
        return None
    if one.kind == "dict":
        return "structure" if all((*one.keys, *other.keys)) and set(one.keys) != set(other.keys) else None
    return "items" if len(one.parts) != len(other.parts) else None


def _of_arrays(one: Form, other: Form) -> Way | None:
    first, second = one.array, other.array
    if first.shape is not None and second.shape is not None:
        if len(first.shape) != len(second.shape):
            return "rank"
        sizes = zip(first.shape[1:], second.shape[1:], strict=True)
        if any(None not in pair and pair[0] != pair[1] for pair in sizes):
            return "size"
    mixed = (is_whole(first.dtype) and is_float(second.dtype)) or (is_float(first.dtype) and is_whole(second.dtype))
    return "type" if mixed else None
