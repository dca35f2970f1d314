"""In which order the nodes of a file are written: the one place that is asked what comes before what."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import libcst as cst

Found = TypeVar("Found")


class Order:
    """The order of one file.

    Of two statements of one block the first runs first, unless a loop comes back to it: `control_flow` and the frames of calls
    know of loops, branches and functions.
    """

    def __init__(self, places: Mapping[cst.CSTNode, int]) -> None:
        """`places` numbers the nodes of a file, each before what lies below it."""
        self._places = places

    def precedes(self, one: cst.CSTNode, other: cst.CSTNode) -> bool:
        """Whether a node starts before another one, which may lie inside it."""
        return self._places[one] < self._places[other]

    def since(self, node: cst.CSTNode, found: Sequence[cst.CSTNode]) -> Sequence[cst.CSTNode]:
        """Of nodes in reading order those that do not precede a node."""
        return found[bisect_left(found, self._places[node], key=self._places.__getitem__) :]

    def sorted(self, found: Iterable[Found], node: Callable[[Found], cst.CSTNode] | None = None) -> tuple[Found, ...]:
        """Nodes in reading order; anything else by the node that `node` gives for it."""
        return tuple(sorted(found, key=lambda each: self._places[node(each) if node is not None else each]))  # type: ignore[index]

    def first(self, found: Iterable[Found], node: Callable[[Found], cst.CSTNode] | None = None) -> Found | None:
        """The first in reading order; None of none."""
        return next(iter(self.sorted(found, node)), None)
