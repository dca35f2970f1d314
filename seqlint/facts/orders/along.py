"""Why a variable needs no shuffle of its own: other code moves its rows along, or they are all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import last_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.orders.row_permutations import RowPermutation
    from seqlint.facts.values.values import Value, Values

_ALIKE = frozenset({
    "numpy.zeros", "numpy.ones", "numpy.full", "numpy.zeros_like", "numpy.ones_like", "numpy.full_like",
    "tensorflow.zeros", "tensorflow.ones", "tensorflow.fill", "tensorflow.zeros_like", "tensorflow.ones_like",
    "keras.ops.zeros", "keras.ops.ones", "keras.ops.full", "keras.ops.zeros_like", "keras.ops.ones_like",
})  # fmt: skip
_WRAPS = frozenset({"numpy.array", "numpy.asarray", "tensorflow.constant", "tensorflow.convert_to_tensor"})
_COPIES = frozenset({"copy", "deepcopy", "astype", "tolist"})
_MEASURES = frozenset({"shape", "size", "ndim", "dtype"})
_COPYING = frozenset({"numpy.array", "numpy.stack", "numpy.concatenate", "builtins.list", "keras.utils.to_categorical"})
_STEPS = 4


class Along:
    """The partners of shuffled variables whose rows move along, or fit any row of the other."""

    def __init__(self, tree: Tree, names: Names, values: Values) -> None:
        self._tree = tree
        self._names = names
        self._values = values

    # -- the same order, by other code ------------------------------------------------------------------------------

    def is_drawn_for_more(self, mixed: RowPermutation) -> bool:
        """Whether anything else reads the order that a shuffle uses: `x = [x[row] for row in order]`, `take(x, order)`."""
        drawn = mixed.drawn.node
        assign = self._tree.parents[drawn]
        if not isinstance(assign, cst.Assign) or assign is mixed.statement:
            return False
        return any(self._is_read(each.target, drawn, mixed.statement) for each in assign.targets)

    def _is_read(self, target: cst.BaseExpression, drawn: cst.Call, but_in: cst.CSTNode) -> bool:
        uses: Sequence[cst.Name | cst.Attribute] = ()
        if isinstance(target, cst.Name):
            uses = [
                name
                for name in self._tree.all(cst.Name)
                if name.value == target.value and name is not target and not self._tree.is_label(name)
            ]
        elif isinstance(target, cst.Attribute):
            uses = [each for each in self._tree.attributes(target.attr.value) if each is not target]
        others = (use for use in uses if not self._tree.holds(but_in, use))
        return any(self._values.only(use) is drawn for use in others)

    # -- views that move with their rows ------------------------------------------------------------------------------

    def is_view(self, partner: cst.BaseExpression, mixed: RowPermutation) -> bool:
        """Whether a partner may be a part of what is shuffled in place: `y = x[:, 0]`, which moves with it."""
        if mixed.drawn.way != "in place" or not isinstance(partner, cst.Name):
            return False
        return any(self._shows(value, {last_word(mixed.node)}) for value in self._bound(partner))

    def is_view_in_class(self, name: str, mixed: RowPermutation) -> bool:
        """The same for an attribute: `self.y = x[:, 0]` where `self.x = x` is shuffled in place."""
        if mixed.drawn.way != "in place":
            return False
        shuffled = last_word(mixed.node)
        given = {last_word(value) for value in self._stored(shuffled)} - {""}
        return any(self._shows(value, {shuffled} | given) for value in self._stored(name))

    def _bound(self, name: cst.Name) -> list[cst.BaseExpression]:
        return [binding.value for binding in self._names.bindings(name) if binding.value is not None]

    def _stored(self, name: str) -> list[cst.BaseExpression]:
        stores = (self._tree.parents[each] for each in self._tree.attributes(name))
        assigns = (self._tree.parents[each] for each in stores if isinstance(each, cst.AssignTarget))
        return [assign.value for assign in assigns if isinstance(assign, cst.Assign)]

    def _shows(self, value: cst.BaseExpression, names: set[str]) -> bool:
        """Whether a value may be a view of rows of what one of the names holds, not a copy."""
        nodes = (*self._tree.inside(value, cst.Name), *self._tree.inside(value, cst.Attribute))
        counts = (call for call in self._tree.inside(value, cst.Call) if last_word(call.func) == "len")
        measures = (each for each in self._tree.inside(value, cst.Attribute) if each.attr.value in _MEASURES)
        # `y[: len(x)]` is not a view of x.
        apart = (*self._tree.inside(value, cst.SubscriptElement), *counts, *measures)
        words = {last_word(node) for node in nodes if not any(self._tree.holds(each, node) for each in apart)}
        made = isinstance(value, (cst.ListComp, cst.BinaryOperation, cst.Comparison)) or not words.isdisjoint(_COPIES)
        return not made and not words.isdisjoint(names) and not self._copies(value)

    def _copies(self, value: cst.BaseExpression) -> bool:
        return isinstance(value, cst.Call) and self._names.qualified(value.func) in _COPYING

    # -- rows that are all the same ---------------------------------------------------------------------------------

    def has_like_rows(self, partner: cst.BaseExpression) -> bool:
        """Whether any row of a variable fits any row of the other: `np.ones((n, 1))`, `[1] * n`."""
        return self.are_alike(self._values.of(partner)) and not self._is_written(partner)

    def are_alike(self, made: Sequence[Value]) -> bool:
        """Whether the rows within each of the values are all the same."""
        return bool(made) and all(self._is_alike(value, _STEPS) for value in made)

    def _is_alike(self, value: Value, steps: int) -> bool:
        if isinstance(value, cst.BinaryOperation) and steps:
            if isinstance(value.operator, cst.Multiply) and self._is_repeated(value):
                return True
            return all(self._is_plain(part, steps - 1) for part in (value.left, value.right))
        if not isinstance(value, cst.Call):
            return False
        name = self._names.qualified(value.func) or ""
        if name in _WRAPS and value.args and steps:
            return self._is_alike(self._values.only(value.args[0].value), steps - 1)
        if isinstance(value.func, cst.Attribute) and value.func.attr.value in _COPIES and steps:
            return self._is_alike(self._values.only(value.func.value), steps - 1)
        return name in _ALIKE

    def _is_plain(self, part: cst.BaseExpression, steps: int) -> bool:
        """A number, or equal rows again: the parts of `0.9 * np.ones(n)`."""
        return self._values.constant(part) is not None or self._is_alike(self._values.only(part), steps)

    def _is_repeated(self, value: cst.BinaryOperation) -> bool:
        """`[1] * n`."""
        return any(isinstance(part, cst.List) and len(part.elements) == 1 for part in (value.left, value.right))

    def _is_written(self, partner: cst.BaseExpression) -> bool:
        """Whether a row is stored into it later: `y[:5] = 1`."""
        name = partner.value if isinstance(partner, cst.Name) else ""
        targets = (each.target for each in self._tree.all(cst.AssignTarget))
        stores = (each.value for each in targets if isinstance(each, cst.Subscript))
        return any(isinstance(each, cst.Name) and each.value == name for each in stores)
