"""Which branches one run of a function takes, as far as the constants that its call gives tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_frames import Frame
    from seqlint.facts.values.values import Constant

Constants = Callable[[cst.BaseExpression, "Frame"], "frozenset[Constant | None]"]
"""The literals that an expression can be in a run of a function; None among them for anything else."""

Placed = TypeVar("Placed")
_LOOPS = (cst.For, cst.While, cst.Try, cst.ExceptHandler, cst.Match)


class BranchFeasibility:
    """The branches of the runs of one file."""

    def __init__(self, tree: Tree, constants: Constants) -> None:
        self._tree = tree
        self._constants = constants
        self._known: dict[tuple[cst.If | cst.IfExp, Frame], bool | None] = {}

    def live(
        self, found: Sequence[Placed], node: Callable[[Placed], cst.CSTNode], frame: Frame, until: cst.CSTNode | None
    ) -> tuple[Placed, ...]:
        """What remains of several statements of which one holds at a place, the last that runs before it.

        Args:
            node: where each of them stands.
            until: the place; without one the first that runs leaves the function.
        """
        if frame.call is None or len(found) < 2:
            return tuple(found)
        taken = [(one, self._taken(node(one), frame)) for one in found]
        left = [(one, sure) for one, sure in taken if sure is not False]
        order = self._tree.order
        if until is None:
            first = order.first(node(one) for one, sure in left if sure)
            return tuple(one for one, _ in left if first is None or not order.precedes(first, node(one)))
        early = order.sorted(node(one) for one, sure in left if sure and order.precedes(node(one), until))
        return tuple(one for one, _ in left if not early or not order.precedes(node(one), early[-1]))

    def leaves_out(self, node: cst.CSTNode, frame: Frame) -> bool:
        """Whether a run of a function surely takes another branch than that in which a node stands."""
        return self._taken(node, frame) is False

    def runs(self, node: cst.CSTNode, frame: Frame) -> bool:
        """Whether a run of a function surely comes to a node, as far as branches decide."""
        return self._taken(node, frame) is True

    def _taken(self, node: cst.CSTNode, frame: Frame) -> bool | None:
        """Whether a statement of the function runs."""
        if not isinstance(frame.function, cst.FunctionDef) or not self._tree.holds(frame.function, node):
            return None
        sure: bool | None = True
        for outer in self._tree.ancestors(node):
            if outer is frame.function:
                break
            if isinstance(outer, (cst.If, cst.IfExp)) and not self._tree.holds(outer.test, node):
                truth = self._truth(outer, frame)
                if truth is not None and truth is not self._tree.holds(outer.body, node):
                    return False
                sure = None if truth is None else sure
            elif isinstance(outer, (*_LOOPS, cst.FunctionDef, cst.Lambda)):
                sure = None
        return sure

    def _truth(self, node: cst.If | cst.IfExp, frame: Frame) -> bool | None:
        if (node, frame) not in self._known:
            self._known[node, frame] = None  # a test that hangs on itself
            self._known[node, frame] = self._holds(node.test, frame)
        return self._known[node, frame]

    def _holds(self, test: cst.BaseExpression, frame: Frame) -> bool | None:
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            inner = self._holds(test.expression, frame)
            return None if inner is None else not inner
        if isinstance(test, cst.BooleanOperation):
            both = (self._holds(test.left, frame), self._holds(test.right, frame))
            decides = isinstance(test.operator, cst.Or)
            return decides if decides in both else None if None in both else not decides
        if isinstance(test, cst.Comparison):
            return self._compares(test, frame)
        found = {None if constant is None else bool(constant.value) for constant in self._constants(test, frame)}
        return found.pop() if len(found) == 1 else None

    def _compares(self, test: cst.Comparison, frame: Frame) -> bool | None:
        """`mode == "train"`, `seed is None`."""
        if len(test.comparisons) != 1:
            return None
        operator = test.comparisons[0].operator
        if not isinstance(operator, (cst.Equal, cst.NotEqual, cst.Is, cst.IsNot)):
            return None
        one, other = (self._constants(side, frame) for side in (test.left, test.comparisons[0].comparator))
        if len(one) != 1 or len(other) != 1 or None in one | other:
            return None
        return (one == other) is isinstance(operator, (cst.Equal, cst.Is))
