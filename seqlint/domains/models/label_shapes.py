"""What joining, reducing and calculating does to the axes of labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.domains.models.target import Target

JOINS = frozenset({"concat", "concatenate", "hstack", "vstack", "column_stack", "stack", "append"})
"""Functions of TensorFlow, NumPy, Keras and pandas that make one array of several."""
REDUCES = frozenset({"sum", "mean", "max", "min", "prod", "std", "var", "median", "any", "all", "norm"})
"""The last words of what works out one number along an axis: `np.sum`, `tf.reduce_sum`, `x.sum`."""
ELEMENTWISE = frozenset(
    {
        "abs", "ceil", "clip", "clip_by_value", "cos", "exp", "expm1", "floor", "log", "log10", "log1p", "log2", "minimum", "maximum",
        "negative", "round", "sigmoid", "sign", "sin", "sqrt", "square", "tan", "tanh", "add", "subtract", "multiply", "divide", "power", "pow",
    }
)  # fmt: skip
"""Functions that work out each number for itself."""
OPERATORS = frozenset({"+", "-", "*", "/", "//", "%", "**"})
_TABLE = 2


class Axes(NamedTuple):
    """How many axes there are, and the size of the last one where there are several."""

    rank: int | None = None
    width: int | None = None


def axes_of(target: Target) -> Axes:
    """The axes of labels."""
    return Axes(target.rank, target.width)


def with_axes(target: Target, axes: Axes) -> Target:
    """The same labels with other axes; they are no column of a table any more."""
    return replace(target, rank=axes.rank, width=axes.width, is_column=False)


def joined(name: str, parts: Sequence[Axes], axis: object) -> Axes:
    """What several arrays are together.

    Args:
        name: of `JOINS`.
        axis: as it is given; None where it is left out.
    """
    ranks = {part.rank for part in parts}
    rank = ranks.pop() if len(ranks) == 1 else None
    if rank not in (1, _TABLE):
        return Axes()
    if name == "stack":
        return _stacked(rank, len(parts), axis)
    if name == "column_stack" or (name == "hstack" and rank == _TABLE):
        return _side_by_side(parts)
    if name == "vstack":
        return Axes(_TABLE, _common(parts) if rank == _TABLE else None)
    if name == "append" and axis is None:
        return Axes(1)
    if rank == 1:
        return Axes(1) if axis in (None, 0, -1) else Axes()
    if axis in (1, -1):
        return _side_by_side(parts)
    return Axes(_TABLE, _common(parts)) if axis in (None, 0, -2) else Axes()


def _stacked(rank: int, number: int, axis: object) -> Axes:
    if rank != 1:
        return Axes()
    if axis in (1, -1):
        return Axes(_TABLE, number)
    return Axes(_TABLE) if axis in (None, 0, -2) else Axes()


def _side_by_side(parts: Sequence[Axes]) -> Axes:
    widths = [1 if part.rank == 1 else part.width for part in parts]
    return Axes(_TABLE, sum(width for width in widths if width is not None) if None not in widths else None)


def _common(parts: Sequence[Axes]) -> int | None:
    widths = {part.width for part in parts}
    return widths.pop() if len(widths) == 1 else None


def reduced(inner: Axes, axis: object, *, keeps: bool | None) -> Axes:
    """What is left of labels after one number is worked out along an axis.

    Args:
        keeps: `keepdims`; None where it is not known.
    """
    if inner.rank is None or keeps is None or not isinstance(axis, int) or isinstance(axis, bool):
        return Axes()
    place = axis if axis >= 0 else axis + inner.rank
    if not 0 <= place < inner.rank:
        return Axes()
    if place != inner.rank - 1:
        return Axes(inner.rank, inner.width) if keeps else Axes(inner.rank - 1 or None)
    return Axes(inner.rank, 1 if inner.rank > 1 else None) if keeps else Axes(inner.rank - 1 or None)


def together(parts: Sequence[Axes]) -> Axes:
    """What a calculation with several arrays of one form gives; nothing where one could be repeated along the other."""
    return parts[0] if parts and all(part == parts[0] and part.rank is not None for part in parts) else Axes()


def with_new_axis(inner: Axes) -> Axes:
    """`labels[:, None]`."""
    return Axes(_TABLE, 1) if inner.rank == 1 else Axes()


def turned(inner: Axes, rows: int | None) -> Axes:
    """`table.T`: as many columns as the table had rows."""
    return Axes(1) if inner.rank == 1 else Axes(_TABLE, rows) if inner.rank == _TABLE else Axes()
