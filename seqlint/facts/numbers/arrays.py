"""What is known of an array, and of one that can be several."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.facts.numbers import axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.facts.numbers.axes import Shape


@dataclass(frozen=True)
class Array:
    """What is known of an array.

    Attributes:
        shape: the size of each axis, None where it is unknown; None as a whole if not even the rank is known.
        dtype: NumPy's name of the type; None if unknown.
    """

    shape: Shape | None = None
    dtype: str | None = None

    def __post_init__(self) -> None:
        if self.shape is not None and any(size is not None and size < 0 for size in self.shape):
            object.__setattr__(self, "shape", None)  # NumPy makes no such array

    @property
    def rank(self) -> int | None:
        """The number of axes."""
        return None if self.shape is None else len(self.shape)


UNKNOWN = Array()


def agreed(found: Sequence[Array]) -> Array:
    """What holds for all."""
    return Array(axes.merged([each.shape for each in found]), axes.agreed([each.dtype for each in found]))


def rows(many: int | None, item: Array) -> Array:
    """An array of so many items of one kind."""
    return replace(item, shape=None if item.shape is None else (many, *item.shape))


def turned(whole: Array) -> Array:
    """The transposed array."""
    return replace(whole, shape=None if whole.shape is None else whole.shape[::-1])


def number(value: int | float) -> Array:
    """A number as an array without axes."""
    return Array((), "float64" if isinstance(value, float) else "int64")
