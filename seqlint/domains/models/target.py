"""What labels are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from seqlint.run import Result

Kind = Literal["classes", "one-hot", "several", "real", ""]
"""*classes*: the number of a class; *one-hot*: one place for each class; *several*: a place for each class, of which several can hold;
*real*: measurements; empty: not known."""


@dataclass(frozen=True, eq=False)
class Target:
    """Labels.

    Attributes:
        rank: how many axes they have; None: not known.
        width: the size of the last axis of labels with several; None: not known.
        made: the call that makes them what they are.
        is_column: whether they are a column of a pandas table, which subtracts in its own way.
    """

    kind: Kind
    rank: int | None = None
    width: int | None = None
    made: Result | None = None
    is_column: bool = False


UNKNOWN = Target("")
