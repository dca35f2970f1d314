"""Shapes and types as arguments give them: `(32, *size, 3)`, `x.shape`, `-1`, `np.float32`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.numbers import axes
from seqlint.facts.numbers.dtypes import dtype_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.facts.code.names import Names
    from seqlint.facts.numbers.axes import Shape
    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.values.values import Value, Values

_GIVE_NUMBERS = frozenset({
    "builtins.int", "builtins.len", "builtins.max", "builtins.min", "builtins.round", "math.ceil", "math.floor",
})  # fmt: skip


class Sizes:
    """The arguments of one file that stand for sizes of axes and types of elements."""

    def __init__(
        self,
        names: Names,
        values: Values,
        numbers: Numbers,
        shape_of: Callable[[cst.BaseExpression, int], Shape | None],
    ) -> None:
        """Arguments of a file.

        Args:
            shape_of: the shape of an array, followed for that many steps.
        """
        self._names = names
        self._values = values
        self._numbers = numbers
        self._shape_of = shape_of

    def dtype(self, node: cst.BaseExpression) -> str | None:
        """The type that an argument names."""
        return dtype_of(node, self._names, self._values)

    def one(self, node: cst.BaseExpression) -> int | None:
        """The whole number that an argument surely is."""
        found = self._numbers.value(node)
        return found if isinstance(found, int) else None

    def all(self, nodes: list[cst.BaseExpression]) -> Shape:
        """The sizes that arguments give, one each."""
        return tuple(self.one(node) for node in nodes)

    def shape(self, node: cst.BaseExpression, steps: int) -> Shape | None:
        """The shape that an argument gives: a number, a tuple of them, or the shape of another array."""
        if steps <= 0:
            return None
        if isinstance(node, cst.Attribute) and node.attr.value == "shape":
            return self._shape_of(node.value, steps - 1)
        return axes.merged([self._written(value, steps) for value in self._numbers.sources(node)])

    def _written(self, value: Value, steps: int) -> Shape | None:
        if isinstance(value, (cst.Tuple, cst.List)):
            return self._literal(value, steps)
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add) and self.one(value) is None:
            left, right = self.shape(value.left, steps - 1), self.shape(value.right, steps - 1)
            return None if left is None or right is None else (*left, *right)
        if value is None:
            return None
        number = self.one(value)
        called = self._names.qualified(value.func) if isinstance(value, cst.Call) else None
        is_number = number is not None or isinstance(value, cst.BinaryOperation) or called in _GIVE_NUMBERS
        return (number,) if is_number else None

    def _literal(self, node: cst.Tuple | cst.List, steps: int) -> Shape | None:
        parts: list[int | None] = []
        for element in node.elements:
            inner = self.shape(element.value, steps - 1) if isinstance(element, cst.StarredElement) else None
            if isinstance(element, cst.StarredElement) and inner is None:
                return None
            parts += inner if inner is not None else (self.one(element.value),)
        return tuple(parts)

    def slice(self, item: cst.Slice, size: int | None) -> int | None:
        """The size of a slice of an axis."""
        parts = [item.lower, item.upper, item.step]
        bounds = [self.one(part) if part is not None else None for part in parts]
        known = all(part is None or bound is not None for part, bound in zip(parts, bounds, strict=True))
        return axes.sliced(size, *bounds, known=known)

    def is_new(self, index: cst.BaseSlice) -> bool:
        """Whether an index is `None` or `np.newaxis`: it adds an axis."""
        value = index.value if isinstance(index, cst.Index) else None
        is_none = isinstance(value, cst.Name) and value.value == "None"
        return is_none or (value is not None and self._names.qualified(value) == "numpy.newaxis")
