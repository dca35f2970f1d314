"""Sums whose terms are a number and one less or more, such as `n + b - 1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.numbers.numbers import Numbers
    from seqlint.facts.numbers.remainders import Remainders


class Sums:
    """The sums of one file."""

    def __init__(self, numbers: Numbers, remainders: Remainders) -> None:
        self._numbers = numbers
        self._remainders = remainders

    def one_less(self, parts: list[tuple[int, cst.BaseExpression]], divisor: cst.BaseExpression) -> bool:
        """Whether a sum is one less than the divisor."""
        known, total = self._numbers.value(divisor), 0.0
        for sign, term in parts:
            value = self._numbers.value(term)
            if value is None and (sign < 0 or not self._remainders.same(term, divisor)):
                return False
            total += sign * value if value is not None else 0
        if known is not None:
            return total == known - 1
        return total == -1 and sum(self._remainders.same(term, divisor) for _, term in parts) == 1

    def less_one(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """The n of `n - 1`."""
        parts = list(terms(node))
        if len(parts) != 2:
            return None
        for (sign, term), (other_sign, other) in (parts, parts[::-1]):
            value = self._numbers.value(other)
            if sign > 0 and value is not None and other_sign * value == -1:
                return term
        return None


def terms(node: cst.BaseExpression, sign: int = 1) -> Iterator[tuple[int, cst.BaseExpression]]:
    """The terms of a sum with their signs."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Add, cst.Subtract)):
        yield from terms(node.left, sign)
        yield from terms(node.right, sign if isinstance(node.operator, cst.Add) else -sign)
    else:
        yield sign, node
