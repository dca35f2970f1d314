"""Statements that compute new values of an array from its present ones: run twice, they change it twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import is_keyword, last_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree

Changing = cst.AugAssign | cst.Assign | cst.Call
_UPDATES = (
    cst.AddAssign, cst.DivideAssign, cst.FloorDivideAssign, cst.MultiplyAssign, cst.PowerAssign, cst.SubtractAssign,
)  # fmt: skip
_OPERATORS = (cst.Add, cst.Divide, cst.FloorDivide, cst.Multiply, cst.Power, cst.Subtract)
_WRITES_OUT = frozenset(
    f"numpy.{name}" for name in ("add", "divide", "exp", "log", "multiply", "negative", "power", "sqrt", "square", "subtract", "true_divide")
)  # fmt: skip
_TURNS = frozenset({
    "cv2.flip", "cv2.rotate", "numpy.flip", "numpy.fliplr", "numpy.flipud", "numpy.roll", "numpy.rot90",
})  # fmt: skip


class Rewrites:
    """Finds them in the functions of one file."""

    def __init__(self, tree: Tree, names: Names) -> None:
        self._tree = tree
        self._names = names

    def of(self, function: cst.FunctionDef) -> Iterator[tuple[Changing, cst.BaseExpression]]:
        """Each with what it writes to: `x /= 2`, `x[k] = x[k] + noise`, `x[k] = np.fliplr(x[k])`, `np.add(x, 1, out=x)`."""
        for update in self._tree.inside(function.body, cst.AugAssign):
            masks = isinstance(update.operator, cst.MultiplyAssign) and _is_mask(update.value)
            if isinstance(update.operator, _UPDATES) and not masks:
                yield update, update.target
        for assign in self._tree.inside(function.body, cst.Assign):
            target = assign.targets[0].target if len(assign.targets) == 1 else None
            if isinstance(target, cst.Subscript) and self._is_of(assign.value, target):
                yield assign, target
        for call in self._tree.inside(function.body, cst.Call):
            out = next((argument.value for argument in call.args if is_keyword(argument, "out")), None)
            if out is not None and self._names.qualified(call.func) in _WRITES_OUT:
                given = (argument.value for argument in call.args if argument.value is not out)
                if any(self._tree.text(value) == self._tree.text(out) for value in given):
                    yield call, out

    def _is_of(self, value: cst.BaseExpression, target: cst.Subscript) -> bool:
        """Whether a value is computed from what the target holds, so that it differs each time."""
        if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, _OPERATORS):
            sides = (value.left, value.right)
            if isinstance(value.operator, cst.Multiply) and any(map(_is_mask, sides)):
                return False
            return any(self._is_same(side, target) or self._is_of(side, target) for side in sides)
        if isinstance(value, cst.Call):
            turns = self._names.qualified(value.func) in _TURNS and bool(value.args)
            return turns and self._is_same(value.args[0].value, target)
        if isinstance(value, cst.Subscript) and self._is_same(value.value, target):
            parts = (element.slice for element in value.slice)
            return any(isinstance(part, cst.Slice) and isinstance(part.step, cst.UnaryOperation) for part in parts)
        return False

    def _is_same(self, value: cst.BaseExpression, target: cst.Subscript) -> bool:
        """Whether an expression reads what the target holds: `x[k]`, and `x` or `x[:]` for `x[:]`."""
        text = self._tree.text(value)
        whole = all(_is_all(element.slice) for element in target.slice)
        return text == self._tree.text(target) or (whole and text == self._tree.text(target.value))


def _is_all(part: cst.BaseSlice) -> bool:
    if isinstance(part, cst.Slice):
        return part.lower is None and part.upper is None and part.step is None
    return isinstance(part, cst.Index) and isinstance(part.value, cst.Ellipsis)


def _is_mask(value: cst.BaseExpression) -> bool:
    """Whether a factor looks like zeros and ones: multiplying twice equals multiplying once."""
    return "mask" in last_word(value).lower()
