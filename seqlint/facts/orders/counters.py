"""Targets that are taken by the counter of a loop, where the samples are taken by the items of the loop."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.aliases import unaliased
from seqlint.facts.code.slices import is_slice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.values.values import Value, Values

_TARGETS = re.compile(r"_*(y|labels?|targets?|masks?|annotations?)|y_\w+|\w+_(y|labels?|targets?|masks?)")
"""What belongs to a sample in any class; `self.sizes[number]` may well belong to the place in the batch."""


_OF_TABLE = ("iloc", "values")


@dataclass(frozen=True, eq=False)
class ByCounter:
    """`self.labels[number]` in `for number, row in enumerate(rows)`.

    Attributes:
        through: what is taken by the item.
        behind_start: whether it is taken at `start + number`, the position of the row in the unshuffled data.
    """

    node: cst.Subscript
    through: cst.BaseExpression
    behind_start: bool = False


@dataclass(frozen=True, eq=False)
class _Loop:
    node: cst.For
    number: str
    row: str
    through: cst.BaseExpression | None


class Counters:
    """The loop counters of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values) -> None:
        self._tree = tree
        self._names = names
        self._values = values

    def of(self, owner: ClassFacts, index: str) -> Iterator[ByCounter]:
        """The targets that the batches of a Sequence take by a counter over rows that `self.index` gives."""
        kept = owner.stores("__getitem__", "on_epoch_end")
        for reached in owner.reachable("__getitem__"):
            for loop in self._loops(reached.node, index):
                parts = [part for part in self._tree.inside(loop.node.body, cst.Subscript) if self._held(part.value)]
                at_row = [part for part in parts if self._is_at(part, loop.row, loop.node)]
                through = loop.through or next((part.value for part in at_row), None)
                named = {self._asked(part) or self._named(part.value) for part in at_row} | {index} | kept
                for part in parts if through is not None else ():
                    name, holder = self._asked(part) or self._named(part.value), self._held(part.value)
                    wanted = _TARGETS.fullmatch(name) is not None and named.isdisjoint((name, holder))
                    wanted = wanted and not self._is_table(owner, holder)
                    wanted = wanted and not owner.is_used_externally(holder) and not owner.is_used_externally(index)
                    if wanted and through is not None and self._is_at(part, loop.number, loop.node):
                        yield ByCounter(part, through)
                    elif wanted and through is not None and self._is_behind(part, loop):
                        yield ByCounter(part, through, behind_start=True)

    def _loops(self, function: cst.FunctionDef, index: str) -> Iterator[_Loop]:
        for node in self._tree.inside(function.body, cst.For):
            rows, target = self._counted(node), node.target
            if rows is None or not isinstance(target, cst.Tuple) or len(target.elements) != 2:
                continue
            number, row = (element.value for element in target.elements)
            found = [self._given(value, index) for value in self._values.of(rows)]
            if not isinstance(number, cst.Name) or not found or None in found:
                continue
            through = found[0] if isinstance(found[0], cst.BaseExpression) else None
            if through is not None or isinstance(row, cst.Name):
                yield _Loop(node, number.value, row.value if isinstance(row, cst.Name) else "", through)

    def _counted(self, loop: cst.For) -> cst.BaseExpression | None:
        """`rows` of `enumerate(rows)`."""
        call = loop.iter
        if not isinstance(call, cst.Call) or self._names.qualified(call.func) != "builtins.enumerate":
            return None
        return call.args[0].value if len(call.args) == 1 and not call.args[0].star else None

    def _given(self, value: Value, index: str) -> cst.BaseExpression | bool | None:
        """What `[self.files[row] for row in rows]` reads; True for the rows themselves; None for anything else."""
        if not isinstance(value, cst.ListComp):
            return True if self._is_cut(value, index) else None
        loop, item = value.for_in, value.elt
        if loop.ifs or loop.inner_for_in is not None or not isinstance(loop.target, cst.Name):
            return None
        plain = isinstance(item, cst.Subscript) and self._held(item.value) and _is_index(item, loop.target.value)
        if not isinstance(item, cst.Subscript) or not plain:
            return None
        return item.value if all(self._is_cut(rows, index) for rows in self._values.of(loop.iter)) else None

    def _is_cut(self, value: Value, index: str) -> bool:
        """`self.order[a:b]`."""
        if not isinstance(value, cst.Subscript) or len(value.slice) != 1 or not self._held(value.value):
            return False
        return self._named(value.value) == index and is_slice(self._names, value)

    def _is_at(self, part: cst.Subscript, name: str, loop: cst.For) -> bool:
        """Whether a part is read at a variable of the loop that nothing else sets."""
        index = part.slice[0].slice
        if not _is_index(part, name) or self._is_written(part) or not isinstance(index, cst.Index):
            return False
        assert isinstance(index.value, cst.Name)
        return all(self._tree.holds(loop.target, binding.node) for binding in self._names.reaching(index.value))

    def _is_behind(self, part: cst.Subscript, loop: _Loop) -> bool:
        """Whether a part is read at `start + number`, with a start that does not depend on the loop."""
        index = part.slice[0].slice
        place = index.value if len(part.slice) == 1 and isinstance(index, cst.Index) else None
        if (
            not isinstance(place, cst.BinaryOperation)
            or not isinstance(place.operator, cst.Add)
            or self._is_written(part)
        ):
            return False
        for number, start in ((place.left, place.right), (place.right, place.left)):
            names = [name for name in self._tree.inside(start, cst.Name) if not self._tree.is_label(name)]
            if isinstance(number, cst.Name) and number.value == loop.number and names:
                inner = [b for name in (number, *names) for b in self._names.reaching(name)]
                return [b for b in inner if self._tree.holds(loop.node, b.node)] == [
                    b for b in self._names.reaching(number) if self._tree.holds(loop.node.target, b.node)
                ]
        return False

    def _is_written(self, part: cst.Subscript) -> bool:
        parent = self._tree.parents[part]
        if isinstance(parent, (cst.Element, cst.StarredElement)):
            return self._tree.is_target(self._tree.parents[parent])
        updated = isinstance(parent, cst.AugAssign) and parent.target is part
        return updated or isinstance(parent, (cst.AssignTarget, cst.Del))

    def _is_own(self, node: cst.BaseExpression) -> bool:
        return isinstance(node, cst.Attribute) and self._values.self_class(node.value) is not None

    def _is_table(self, owner: ClassFacts, name: str) -> bool:
        """Whether an attribute is a literal, such as `self.mask = [0, 1] * 4`: it belongs to positions, not to samples."""
        values = self._values.attribute_values(owner.node, name)
        parts = [side for v in values for side in ((v.left, v.right) if isinstance(v, cst.BinaryOperation) else (v,))]
        return any(isinstance(part, (cst.List, cst.Tuple, cst.Dict)) and part.elements for part in parts)

    def _named(self, node: cst.BaseExpression) -> str:
        """The name of what rows are taken of: "y" for `self.y`, and for `self.frame["y"].iloc`."""
        return _column(self._without_locator(node)) or self._held(node)

    def _asked(self, part: cst.Subscript) -> str:
        """The column that is read of a row of a table: "y" for `self.table.iloc[row]["y"]` and `self.table.iloc[row].y`."""
        around = self._tree.parents[part]
        if isinstance(around, cst.Attribute) and around.value is part:
            return around.attr.value
        return _column(around) if isinstance(around, cst.Subscript) and around.value is part else ""

    def _without_locator(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """`self.table["y"]` of `self.table["y"].iloc`."""
        located = isinstance(node, cst.Attribute) and node.attr.value in _OF_TABLE and not self._is_own(node)
        return node.value if located and isinstance(node, cst.Attribute) else node

    def _held(self, node: cst.BaseExpression) -> str:
        """The attribute of `self` that holds it; empty for anything else."""
        inner = self._without_locator(node)
        whole = unaliased(self._names, inner.value if isinstance(inner, cst.Subscript) and _column(inner) else inner)
        return whole.attr.value if isinstance(whole, cst.Attribute) and self._is_own(whole) else ""


def _column(node: cst.CSTNode) -> str:
    """The name of a column: "y" for `frame["y"]`."""
    part = node.slice[0].slice if isinstance(node, cst.Subscript) and len(node.slice) == 1 else None
    word = part.value if isinstance(part, cst.Index) else None
    return str(word.evaluated_value) if isinstance(word, cst.SimpleString) else ""


def _is_index(part: cst.Subscript, name: str) -> bool:
    index = part.slice[0].slice
    return (
        len(part.slice) == 1
        and isinstance(index, cst.Index)
        and isinstance(index.value, cst.Name)
        and index.value.value == name
    )
