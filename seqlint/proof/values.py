"""The values that observations hold, and the distance of two of them."""

from __future__ import annotations

import base64
import math
import sys
from array import array
from dataclasses import dataclass, field
from typing import TypeGuard


@dataclass(frozen=True, slots=True)
class Vector:
    """An array of numbers: equal when the digests are.

    Attributes:
        encoded: base64 of little-endian float64; empty when only the digest was kept.
    """

    digest: str
    encoded: str = field(default="", compare=False, repr=False)

    @property
    def numbers(self) -> array[float]:
        """The numbers; none when only the digest was kept."""
        values = array("d", base64.b64decode(self.encoded))
        if sys.byteorder == "big":
            values.byteswap()
        return values

    def __str__(self) -> str:
        first = [f"{value:.6g}" for value in self.numbers[:4]]
        return f"[{', '.join(first)}{', …' if len(self.numbers) > 4 else ''}]" if first else f"digest {self.digest}"


Value = str | float | int | bool | None | Vector


def distance(one: Value, other: Value) -> float:
    """The distance of two values, relative to the larger; infinite when they are not numbers."""
    if same(one, other):
        return 0.0
    if isinstance(one, Vector) and isinstance(other, Vector):
        return _spread(one.numbers, other.numbers)
    if _is_number(one) and _is_number(other):
        return _spread(array("d", [one]), array("d", [other]))
    return math.inf


def same(one: Value, other: Value) -> bool:
    """Whether two values are equal; NaN is equal to itself here, and True is not 1."""
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other):
        return True
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _is_number(value: Value) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _spread(one: array[float], other: array[float]) -> float:
    if not one or len(one) != len(other) or not all(map(math.isfinite, (*one, *other))):
        return math.inf
    largest = max(max(map(abs, one)), max(map(abs, other)))
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) / largest if largest else 0.0
