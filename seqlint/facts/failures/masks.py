"""Arrays that lose the rows for which a condition is false: `x[~np.isnan(x).any(axis=1)]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.keys import key_of
from seqlint.facts.failures.skips import Skip
from seqlint.facts.flow.call_frames import Traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.flow.call_frames import Flow

_TRUTHS = frozenset({
    "numpy.all", "numpy.any", "numpy.flatnonzero", "numpy.isfinite", "numpy.isin", "numpy.isinf", "numpy.isnan",
    "numpy.logical_and", "numpy.logical_not", "numpy.logical_or",
})  # fmt: skip
_OF_TABLE = frozenset({"iterrows", "itertuples", "to_numpy", "tolist", "to_list", "values", "reset_index", "items"})
_COMPARED = (
    cst.Equal, cst.GreaterThan, cst.GreaterThanEqual, cst.LessThan, cst.LessThanEqual, cst.NotEqual,
)  # fmt: skip


class Masks:
    """Tells a selection of rows by truth values from one by numbers."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._names = flow.names

    def skip(self, rows: Traced) -> Skip | None:
        """The rows that `x[mask]` and `x.loc[mask, "path"]` leave out; None for any other expression."""
        node = rows.node
        first = node.slice[0].slice if isinstance(node, cst.Subscript) else None
        if not isinstance(node, cst.Subscript) or not isinstance(first, cst.Index):
            return None
        if len(node.slice) > 1 and not (len(node.slice) == 2 and _is_located(node)):
            return None
        return (
            Skip(node, None, None, (first.value,))
            if self._is_mask(Traced(first.value, rows.frame), self._flow.tree.text(self.before(node)))
            else None
        )

    def before(self, rows: cst.Subscript) -> cst.BaseExpression:
        """What the rows are chosen from: `x` of `x[mask]` and of `x.loc[mask]`."""
        return rows.value.value if isinstance(rows.value, cst.Attribute) and _is_located(rows) else rows.value

    def tables(self, column: Traced) -> Iterator[Traced]:
        """The table of which an expression takes a column, or iterates over the rows: `frame["path"].tolist()`, `frame.iterrows()`."""
        for leaf in self._flow.trace(column):
            node: cst.BaseExpression | None = leaf.node
            while (inner := _of_table(node)) is not None:
                node = inner
            if node is not None:
                yield from self._flow.trace(Traced(node, leaf.frame))

    def _is_mask(self, chosen: Traced, table: str) -> bool:
        return all(self._is_truth(leaf, table) for leaf in self._flow.trace(chosen))

    def _is_truth(self, leaf: Traced, table: str) -> bool:
        """Whether an expression is an array of truth values.

        Args:
            table: what rows are chosen from, as it is written; one of its own columns selects like a mask.
        """
        node, frame = leaf.node, leaf.frame
        if isinstance(node, cst.UnaryOperation):
            return isinstance(node.operator, cst.BitInvert) and self._is_mask(Traced(node.expression, frame), table)
        if isinstance(node, cst.BinaryOperation):
            joined = isinstance(node.operator, (cst.BitAnd, cst.BitOr))
            return joined and all(self._is_mask(Traced(side, frame), table) for side in (node.left, node.right))
        if isinstance(node, cst.Subscript):  # a table by one of its columns: `frame[frame["kept"]]`
            column = node.slice[0].slice
            named = isinstance(column, cst.Index) and isinstance(column.value, cst.SimpleString)
            return named and self._flow.tree.text(node.value) == table
        if isinstance(node, cst.Comparison):
            return all(isinstance(part.operator, _COMPARED) for part in node.comparisons)
        name = self._names.qualified(node.func) if isinstance(node, cst.Call) else None
        if isinstance(node, cst.Call) and name is None and isinstance(node.func, cst.Attribute):
            reduced = node.func.attr.value in ("all", "any")
            return reduced and self._is_mask(Traced(node.func.value, frame), table)
        return name in _TRUTHS


def _is_located(node: cst.Subscript) -> bool:
    return isinstance(node.value, cst.Attribute) and node.value.attr.value == "loc"


def _of_table(node: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """The table of a column, a method or an attribute."""
    if isinstance(node, cst.Subscript):
        return node.value if key_of(node) else None
    func = node.func if isinstance(node, cst.Call) else node
    return func.value if isinstance(func, cst.Attribute) and func.attr.value in _OF_TABLE else None
