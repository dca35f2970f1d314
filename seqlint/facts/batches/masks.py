"""Arrays that lose the rows for which something does not hold: `x[~np.isnan(x).any(axis=1)]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.batches.skips import Skip
from seqlint.facts.values.frames import Traced

if TYPE_CHECKING:
    from seqlint.facts.values.frames import Flow

_TRUTHS = frozenset({
    "numpy.all", "numpy.any", "numpy.flatnonzero", "numpy.isfinite", "numpy.isin", "numpy.isinf", "numpy.isnan",
    "numpy.logical_and", "numpy.logical_not", "numpy.logical_or",
})  # fmt: skip
_COMPARED = (
    cst.Equal, cst.GreaterThan, cst.GreaterThanEqual, cst.LessThan, cst.LessThanEqual, cst.NotEqual,
)  # fmt: skip


class Masks:
    """Tells a choice of rows by truth values from one by numbers."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._names = flow.names

    def skip(self, rows: Traced) -> Skip | None:
        """The rows that `x[mask]` leaves out; None for any other expression."""
        node = rows.node
        first = node.slice[0].slice if isinstance(node, cst.Subscript) and len(node.slice) == 1 else None
        if not isinstance(node, cst.Subscript) or not isinstance(first, cst.Index):
            return None
        return Skip(node, None, None, (first.value,)) if self._is_mask(Traced(first.value, rows.frame)) else None

    def _is_mask(self, chosen: Traced) -> bool:
        return all(self._is_truth(leaf) for leaf in self._flow.trace(chosen))

    def _is_truth(self, leaf: Traced) -> bool:
        node, frame = leaf.node, leaf.frame
        if isinstance(node, cst.UnaryOperation):
            return isinstance(node.operator, cst.BitInvert) and self._is_mask(Traced(node.expression, frame))
        if isinstance(node, cst.BinaryOperation):
            joined = isinstance(node.operator, (cst.BitAnd, cst.BitOr))
            return joined and self._is_mask(Traced(node.left, frame)) and self._is_mask(Traced(node.right, frame))
        if isinstance(node, cst.Comparison):
            return all(isinstance(part.operator, _COMPARED) for part in node.comparisons)
        name = self._names.qualified(node.func) if isinstance(node, cst.Call) else None
        if isinstance(node, cst.Call) and name is None and isinstance(node.func, cst.Attribute):
            reduced = node.func.attr.value in ("all", "any")
            return reduced and self._is_mask(Traced(node.func.value, frame))
        return name in _TRUTHS
