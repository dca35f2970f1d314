"""Which of two values batches 0 and 1 hold: from these two Keras 3 reads what all others are held to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.flow.call_frames import Traced
from seqlint.facts.values.values import Constant

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.facts.batches.batches import Maker
    from seqlint.facts.batches.varying import Varying
    from seqlint.facts.flow.call_frames import Flow, Frame

_COMPARED: dict[type[cst.BaseCompOp], Callable[[int, int], bool]] = {
    cst.Equal: int.__eq__, cst.NotEqual: int.__ne__, cst.LessThan: int.__lt__, cst.LessThanEqual: int.__le__,
    cst.GreaterThan: int.__gt__, cst.GreaterThanEqual: int.__ge__,
}  # fmt: skip
_COMPUTED: dict[type[cst.BaseBinaryOp], Callable[[int, int], int]] = {
    cst.Add: int.__add__, cst.Subtract: int.__sub__, cst.Multiply: int.__mul__, cst.BitAnd: int.__and__,
    cst.Modulo: lambda one, other: one % other if other else 0,
    cst.FloorDivide: lambda one, other: one // other if other else 0,
}  # fmt: skip


class FirstTwo:
    """The first two batches of the makers of one file."""

    def __init__(self, flow: Flow, varying: Varying) -> None:
        self._flow = flow
        self._tree = flow.tree
        self._varying = varying

    def given(self, one: Traced, other: Traced, number: int, maker: Maker) -> Traced | None:
        """The one of two values that a batch surely holds; None where neither is sure.

        Args:
            number: of the batch, 0 or 1.
        """
        sure = [value for value in (one, other) if self._is_given(value, one, other, number, maker)]
        return sure[0] if len(sure) == 1 else None

    def differ(self, one: Traced, other: Traced, maker: Maker) -> bool:
        """Whether batch 0 surely holds one of two values and batch 1 the other."""
        found = [self.given(one, other, number, maker) for number in (0, 1)]
        return None not in found and found[0] is not found[1]

    def _is_given(self, value: Traced, one: Traced, other: Traced, number: int, maker: Maker) -> bool:
        ways = self._varying.ways(one, other)
        if ways is None:
            return False
        mine, yours = (ways.one, ways.other) if value is one else (ways.other, ways.one)
        for choice, decides in ways.choices:
            holds = self._number(choice.test, ways.frame, number, maker)
            if holds is None:
                return False
            inside = self._tree.holds(choice, mine)
            if inside and bool(holds) is not self._tree.holds(choice.body, mine):
                return False
            if not inside and decides and bool(holds) is self._tree.holds(choice.body, yours):
                return False
        return True

    def _number(self, node: cst.BaseExpression, frame: Frame, batch: int, maker: Maker) -> int | None:
        """What an expression of the number of the batch comes to, as Python does; None if unsure."""
        if isinstance(node, cst.Comparison):
            return self._compared(node, frame, batch, maker)
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            held = self._number(node.expression, frame, batch, maker)
            return None if held is None else int(not held)
        if isinstance(node, cst.BooleanOperation):
            left, right = (self._number(each, frame, batch, maker) for each in (node.left, node.right))
            if left is None or right is None:
                return None
            return (left or right) if isinstance(node.operator, cst.Or) else (left and right)
        if isinstance(node, cst.BinaryOperation):
            left, right = (self._number(each, frame, batch, maker) for each in (node.left, node.right))
            compute = _COMPUTED.get(type(node.operator))
            return None if left is None or right is None or compute is None else compute(left, right)
        return self._leaf(node, frame, batch, maker)

    def _compared(self, node: cst.Comparison, frame: Frame, batch: int, maker: Maker) -> int | None:
        left = self._number(node.left, frame, batch, maker)
        for each in node.comparisons:
            right = self._number(each.comparator, frame, batch, maker)
            compare = _COMPARED.get(type(each.operator))
            if left is None or right is None or compare is None:
                return None
            if not compare(left, right):
                return 0
            left = right
        return 1

    def _leaf(self, node: cst.BaseExpression, frame: Frame, batch: int, maker: Maker) -> int | None:
        constant = self._flow.values.constant(node)
        if constant is not None:
            return int(constant.value) if isinstance(constant.value, int) else None
        leaves = self._flow.trace(Traced(node, frame))
        if len(leaves) != 1 or leaves[0].node is None:
            return None
        leaf = leaves[0].node
        if isinstance(leaf, cst.Name):
            return self._counted(leaf, batch, maker)
        return self._number(leaf, leaves[0].frame, batch, maker) if leaf is not node else None

    def _counted(self, name: cst.Name, batch: int, maker: Maker) -> int | None:
        """What counts the batches holds for batch 0 or 1: the index, or the variable of `for start in range(0, n, 4)`; None if unsure."""
        bindings = self._flow.names.reaching(name)
        if len(bindings) != 1:
            return None
        if maker.kind == "sequence":
            return batch if self._varying.is_index(bindings[0], maker) else None
        loop = self._tree.parents[bindings[0].node]
        yields = self._tree.inside(maker.function.body, cst.Yield)
        loops = {self._tree.enclosing(each, cst.For, cst.While, cst.FunctionDef) for each in yields}
        if bindings[0].kind != "for" or not isinstance(loop, cst.For) or loops != {loop}:
            return None
        return self._of_range(loop.iter, batch)

    def _of_range(self, node: cst.BaseExpression, place: int) -> int | None:
        if not isinstance(node, cst.Call) or self._flow.names.qualified(node.func) != "builtins.range" or not node.args:
            return None
        found = [self._flow.values.constant(argument.value) for argument in node.args]
        first, step = (found[0] if len(found) > 1 else Constant(0)), (found[2] if len(found) > 2 else Constant(1))
        if first is None or step is None or not isinstance(first.value, int) or not isinstance(step.value, int):
            return None
        return first.value + place * step.value
