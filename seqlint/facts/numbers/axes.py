"""Arithmetic with shapes: each size is a number, or None where it is unknown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

Shape = tuple[int | None, ...]
Known = TypeVar("Known")


def agreed(found: Sequence[Known | None]) -> Known | None:
    """What all say; None if they differ."""
    return found[0] if found and all(each == found[0] for each in found) else None


def merged(shapes: Sequence[Shape | None]) -> Shape | None:
    """The shape that is one of several: a size on which they differ is unknown, and so is all if the ranks differ."""
    known = [shape for shape in shapes if shape is not None]
    if len(known) != len(shapes) or len({len(shape) for shape in known}) != 1:
        return None
    return tuple(agreed(sizes) for sizes in zip(*known, strict=True))


def broadcast(one: Shape | None, other: Shape | None) -> Shape | None:
    """The shape of an operation on two arrays, if it works at all."""
    if one is None or other is None:
        return None
    rank = max(len(one), len(other))
    wide = [(1,) * (rank - len(shape)) + shape for shape in (one, other)]
    return tuple(_widest(left, right) for left, right in zip(*wide, strict=True))


def _widest(one: int | None, other: int | None) -> int | None:
    if one == 1 or other == 1:
        return other if one == 1 else one
    return one if other is None else other


def reshaped(shape: Shape | None, wanted: Shape | None) -> Shape | None:
    """The shape after `reshape`; one wanted size may be -1."""
    if wanted is None or -1 not in wanted:
        return wanted
    if wanted.count(-1) > 1:
        return None
    rest = [size for size in wanted if size != -1]
    if shape is None or None in shape or None in rest:
        return tuple(None if size == -1 else size for size in wanted)
    whole, part = math.prod(size or 0 for size in shape), math.prod(size or 0 for size in rest)
    free = whole // part if part and whole % part == 0 else None
    return tuple(free if size == -1 else size for size in wanted)


def joined(shapes: Sequence[Shape | None]) -> Shape | None:
    """The shape of arrays put behind each other along the first axis."""
    whole = merged([shape[1:] if shape else None for shape in shapes])
    if whole is None:
        return None
    firsts = [shape[0] for shape in shapes if shape]
    return (None if None in firsts else sum(first or 0 for first in firsts), *whole)


def sliced(size: int | None, start: int | None, stop: int | None, step: int | None, *, known: bool) -> int | None:
    """The size of a slice of an axis.

    Args:
        known: whether the bounds are literals or absent; if not the size is unknown.
    """
    if not known or step == 0:
        return None
    if start is None and stop is None and step is None:
        return size
    return None if size is None else len(range(*slice(start, stop, step).indices(size)))
