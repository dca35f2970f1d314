"""Rows of the instance that `__getitem__` changes in place: `rows = self.rows[4:8]; rows /= 255.0`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.numbers.dtypes import is_float
from seqlint.facts.state.rewrites import Rewrites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches
    from seqlint.facts.classes.classes import ClassFacts, Reached
    from seqlint.facts.instances.attributes import Attributes
    from seqlint.facts.numbers.row_containers import Containers
    from seqlint.facts.numbers.shapes import Shapes
    from seqlint.facts.state.rewrites import Changing


@dataclass(frozen=True, eq=False)
class Altered:
    """One place.

    Attributes:
        owner: the Sequence.
        reached: the function that holds the place.
        name: the attribute whose array is written into.
        node: the assignment, or the call that takes it as `out`.
        target: what it writes into, as it is written in the code.
    """

    owner: ClassFacts
    reached: Reached
    name: str
    node: Changing
    target: cst.BaseExpression


class Alterations:
    """The rows that the Sequences of one file change."""

    def __init__(self, batches: Batches, attributes: Attributes, shapes: Shapes, containers: Containers) -> None:
        self._batches = batches
        self._attributes = attributes
        self._shapes = shapes
        self._containers = containers
        self._rewrites = Rewrites(batches.flow.tree, batches.flow.names)
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._values = batches.flow.values

    @cached_property
    def all(self) -> tuple[Altered, ...]:
        """The first place for each array of each function, in reading order."""
        found: dict[tuple[cst.FunctionDef, str], Altered] = {}
        for owner in self._batches.sequences:
            for altered in self._of(owner):
                found.setdefault((altered.reached.node, altered.name), altered)
        return self._tree.order.sorted(found.values(), lambda altered: altered.node)

    def _of(self, owner: ClassFacts) -> Iterator[Altered]:
        stored = self._attributes.assigned(owner, "__getitem__")
        for reached in owner.reachable("__getitem__"):
            for node, target in self._rewrites.of(reached.node):
                held = self._held(target) or self._given(target, owner, reached.node)
                if held is None or self._values.self_class(held.value) is None:
                    continue
                name = held.attr.value
                fresh = name in stored or owner.is_used_externally(name)  # made again, or by the file above
                if not fresh and self._is_array(held, node) and not self._is_once(node, stored):
                    yield Altered(owner, reached, name, node, target)

    def _held(self, target: cst.BaseExpression) -> cst.Attribute | None:
        """`self.rows`, of which a name or a slice is a view."""
        if isinstance(target, cst.Name):
            bindings = [found for found in self._names.reaching(target) if found.value is not None]
            here = self._tree.function(target)
            shown = (
                len(bindings) == 1 and bindings[0].kind == "assign" and self._tree.function(bindings[0].node) is here
            )
            value = bindings[0].value if shown else None
            return value if isinstance(value, cst.Attribute) else self._sliced(value)
        part = target.value if isinstance(target, cst.Subscript) else None
        return self._held(part) if isinstance(part, cst.Name) else self._sliced(target)

    def _given(self, target: cst.BaseExpression, owner: ClassFacts, function: cst.FunctionDef) -> cst.Attribute | None:
        """`self.rows`, of which a name is a view that another method returned: `x, y = super().__getitem__(index)`."""
        makers = [maker for maker in self._batches.makers if maker.owner is owner]
        frames = [f for maker in makers for f in self._batches.frames(maker) if f.function is function]
        if not isinstance(target, cst.Name) or len(frames) != 1:
            return None
        leaves = self._batches.flow.trace(Traced(target, frames[0]))
        only = leaves[0].node if len(leaves) == 1 and leaves[0].frame is not frames[0] else None
        return only if isinstance(only, cst.Attribute) else self._sliced(only)

    def _sliced(self, part: cst.BaseExpression | None) -> cst.Attribute | None:
        """`self.rows` of `self.rows[a:b]`: a slice is a view of the array, rows picked by a list are copies."""
        if not isinstance(part, cst.Subscript) or not isinstance(part.value, cst.Attribute):
            return None
        return part.value if self._is_span(part) else None

    def _is_span(self, part: cst.Subscript) -> bool:
        kinds = [item.slice for item in part.slice]
        numbers = [kind.value for kind in kinds if isinstance(kind, cst.Index)]
        if len(numbers) < len(kinds):
            return all(isinstance(number, (cst.Integer, cst.Ellipsis)) for number in numbers)
        made = self._values.only(numbers[0]) if len(numbers) == 1 else None
        return isinstance(made, cst.Call) and self._names.qualified(made.func) == "builtins.slice"

    def _is_array(self, held: cst.Attribute, node: Changing) -> bool:
        """Whether it surely is an array that accepts what is written; one of integers would refuse `/=` (SEQ233)."""
        if is_float(self._shapes.of(held).dtype):
            return True
        return not isinstance(node, cst.AugAssign) and self._containers.kind(held) == "array"

    def _is_once(self, node: Changing, stored: frozenset[str]) -> bool:
        """Whether a condition asks what the class keeps a record of: `if index not in self.done:`."""
        for found in self._tree.ancestors(node):
            if isinstance(found, cst.FunctionDef):
                return False
            if isinstance(found, cst.If):
                asked = self._tree.inside(found.test, cst.Attribute)
                kept = (each.attr.value for each in asked if self._values.self_class(each.value) is not None)
                if any(name in stored or self._is_record(node, name) for name in kept):
                    return True
        return False

    def _is_record(self, node: Changing, name: str) -> bool:
        function = self._tree.function(node)
        touches = self._attributes.of(function) if function is not None else ()
        return any(touch.name == name and touch.kind == "change" for touch in touches)
