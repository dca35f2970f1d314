"""What two texts of one file begin with grows once: the statements above the place where somebody types."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ast
    from collections import Counter
    from collections.abc import Sequence

    from seqlint.trees.text import Growth

Extent = tuple[type, int, int, int, int]

_BIGGEST = 200_000  # bytes; a tree takes a hundred times as much memory as its text, and these stay
_MOST = 3  # files: one that somebody types in, and neighbours that are read for it


@dataclass(frozen=True)
class Stage:
    """A tree as it was when a statement of the module had grown.

    Attributes:
        extent: of the Python statements on its lines, the kind of each and where it stands.
        nodes: how many nodes there were.
        body: how many statements the module had.
        seen: how many f-strings of a text there were.
    """

    extent: tuple[Extent, ...]
    nodes: int
    body: int
    seen: Counter[str]


@dataclass
class Kept:
    """The tree of a text, and the stages that it grew in."""

    growth: Growth
    body: list[Any]
    stages: list[Stage] = field(default_factory=list)

    def grown(self, joined: Sequence[ast.stmt]) -> None:
        """Note that the statements on some lines have grown."""
        last = self.stages[-1].seen if self.stages else None
        seen = last if last == self.growth.seen else self.growth.seen.copy()
        self.stages.append(Stage(_extent(joined), len(self.growth.nodes), len(self.body), seen))


class Regrowth:
    """The last trees that grew, for the next texts of their files. None are kept where each text is read once."""

    def __init__(self) -> None:
        self._most = 0
        self._kept: dict[str, Kept] = {}

    def remember(self) -> None:
        """Keep trees from now on: somebody types."""
        self._most = _MOST

    def begin(self, path: str, growth: Growth, statements: Sequence[Sequence[ast.stmt]]) -> Kept:
        """Take over what the last text of this file begins with, too.

        Args:
            growth: with nothing but the module in it.
            statements: those of the module, with those together that stand on one line.
        """
        kept, earlier = Kept(growth, []), self._kept.pop(path, None)
        if not self._most:
            return kept
        if earlier is not None:
            _take_over(kept, earlier, statements)
        if len(growth.data) <= _BIGGEST:
            self._kept[path] = kept
        for oldest in [*self._kept][: -self._most]:
            self._kept.pop(oldest, None)
        return kept


def _take_over(kept: Kept, earlier: Kept, statements: Sequence[Sequence[ast.stmt]]) -> None:
    growth, last = kept.growth, earlier.growth
    same = _common(growth.data, last.data)
    for stage, joined in zip(earlier.stages, statements, strict=False):
        # The end of a line decides whether a statement goes on.
        whole = growth.data.find(b"\n", growth.place(joined[-1])[1], same)
        if whole < 0 or stage.extent != _extent(joined):
            break
        kept.stages.append(stage)
    if not kept.stages:
        return
    stage = kept.stages[-1]
    kept.body += earlier.body[: stage.body]
    growth.nodes += last.nodes[1 : stage.nodes]
    growth.above += last.above[1 : stage.nodes]
    growth.ends += last.ends[1 : stage.nodes]
    growth.spans += last.spans[1 : stage.nodes]
    growth.bracketed = {number: span for number, span in last.bracketed.items() if number < stage.nodes}
    growth.strings = {number: start for number, start in last.strings.items() if number < stage.nodes}
    growth.seen = stage.seen.copy()


def _extent(joined: Sequence[ast.stmt]) -> tuple[Extent, ...]:
    return tuple(
        (type(each), each.lineno, each.col_offset, each.end_lineno or 0, each.end_col_offset or 0) for each in joined
    )


def _common(one: bytes, other: bytes) -> int:
    """The length of what two texts begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low
