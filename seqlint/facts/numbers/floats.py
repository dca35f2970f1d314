"""Numbers that surely are floats, though nobody knows which: `len(rows) / 256 * 8`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.numbers.rounding import TO_FLOAT

if TYPE_CHECKING:
    from seqlint.facts.code.names import Names
    from seqlint.facts.numbers.counts import Counts
    from seqlint.facts.numbers.numbers import Numbers

_MAX_STEPS = 6
# With a float on one side these give a float, whatever number is on the other.
_KEEPS_FLOATS = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo)


class Floats:
    """The floats of one file."""

    def __init__(self, names: Names, numbers: Numbers, counts: Counts) -> None:
        self._names = names
        self._numbers = numbers
        self._counts = counts

    def is_one(self, node: cst.BaseExpression, steps: int = _MAX_STEPS) -> bool:
        """Whether an expression is a float whatever its names hold: through names, attributes and arithmetic."""
        if steps == 0:
            return False
        counts = self._counts.all(node)
        if counts and all(count is not None and not count.is_int for count in counts):
            return True
        values = self._numbers.sources(node)
        return bool(values) and all(value is not None and self._is_written(value, steps) for value in values)

    def _is_written(self, node: cst.BaseExpression, steps: int) -> bool:
        if isinstance(node, cst.Float):
            return True
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, (cst.Minus, cst.Plus)):
            return self.is_one(node.expression, steps - 1)
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _KEEPS_FLOATS):
            return self.is_one(node.left, steps - 1) or self.is_one(node.right, steps - 1)
        if isinstance(node, cst.Call):
            return len(node.args) == 1 and self._names.qualified(node.func) in TO_FLOAT
        number = self._numbers.value(node)
        return isinstance(number, float) or self._is_count(node)

    def _is_count(self, node: cst.BaseExpression) -> bool:
        count = self._counts.of(node)
        return count is not None and not count.is_int
