"""What the functions that round make of a quotient."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.facts.numbers.remainders import Division

Rounding = Literal["floor", "ceil", "true", "floor-plus-one", "nearest"]

TO_INT = frozenset({"builtins.int", "numpy.int", "numpy.int32", "numpy.int64"})
TO_FLOAT = frozenset({"builtins.float", "numpy.float32", "numpy.float64"})
_UP = ("math.ceil", "numpy.ceil", "tensorflow.math.ceil", "keras.ops.ceil")
_DOWN = (
    "math.floor",
    "math.trunc",
    "numpy.floor",
    "numpy.trunc",
    "numpy.fix",
    "tensorflow.math.floor",
    "keras.ops.floor",
)
NEAREST = ("builtins.round", "numpy.round", "numpy.rint", "numpy.around")
_ROUNDED: dict[str, Rounding] = {
    **dict.fromkeys(_UP, "ceil"), **dict.fromkeys(_DOWN, "floor"), **dict.fromkeys(NEAREST, "nearest"),
}  # fmt: skip
_GIVE_INT = ("math.ceil", "math.floor", "math.trunc", "builtins.round")


@dataclass(frozen=True, eq=False)
class Count:
    """A quotient, such as the batches in a set of samples.

    Attributes:
        kind: how it is rounded; "true" is not at all; "floor-plus-one" is `n // b + 1`, one too many where b divides n.
        numerator, denominator: what is divided by what, as written, without `int`, `float` and what only rounds.
        node: the expression that computes it.
        is_int: whether Python gives an int; `np.ceil` and `/` give a float.
        least: the number below which it can't fall: 1 for `max(1, n // b)`; None without such a bound.
    """

    kind: Rounding
    numerator: cst.BaseExpression
    denominator: cst.BaseExpression
    node: cst.BaseExpression
    is_int: bool
    least: int | float | None = None

    @property
    def division(self) -> Division:
        """What is divided by what."""
        return self.numerator, self.denominator


def converted(count: Count, name: str, call: cst.Call) -> Count | None:
    """What a function of one argument makes of a quotient; None if it is not known to round or convert.

    Args:
        name: the canonical name of the function.
    """
    if name in TO_INT:
        return as_int(count, call)
    if name in TO_FLOAT:
        return replace(count, node=call, is_int=False)
    if name not in _ROUNDED:
        return None
    kind = _ROUNDED[name] if count.kind == "true" else count.kind  # `math.ceil(n // b)` has nothing left to round
    return replace(count, kind=kind, node=call, is_int=name in _GIVE_INT)


def rounded_to(count: Count, digits: int | float, call: cst.Call) -> Count:
    """What `round(n / b, digits)` makes of a quotient: its type stays, so a float is still one."""
    kind: Rounding = "nearest" if count.kind == "true" and digits <= 0 else count.kind
    return replace(count, kind=kind, node=call)


def as_int(count: Count, call: cst.Call) -> Count:
    """A quotient as an int: what is behind the point is cut off."""
    return replace(count, kind="floor" if count.kind == "true" else count.kind, node=call, is_int=True)
