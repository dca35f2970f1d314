"""What two texts of one file begin and end with grows once: the statements above and below the place where somebody types."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from seqlint.sources.syntax import first_line

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from seqlint.trees.text import Growth

Extent = tuple[type, int, int, int, int, int]

_BIGGEST = 200_000  # bytes; a tree takes a hundred times as much memory as its text, and these stay
_MOST = 3  # files: one that somebody types in, and neighbours that are read for it


@dataclass(frozen=True)
class Stage:
    """A tree as it was when a statement of the module had grown.

    Attributes:
        extent: of the Python statements on its lines, the kind of each and where it stands.
        nodes: how many nodes there were.
        body: how many statements the module had.
    """

    extent: tuple[Extent, ...]
    nodes: int
    body: int


_NOTHING = Stage((), 1, 0)  # but the module


@dataclass
class Kept:
    """The tree of a text, and the stages that it grows in.

    Attributes:
        growth: with nothing but the module in it at first.
        statements: those of the module, with those together that stand on one line.
        body: the nodes of the statements that have grown.
    """

    growth: Growth
    statements: Sequence[Sequence[ast.stmt]]
    body: list[Any] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    _earlier: Kept | None = None
    _below: int = 0

    def take_over(self, earlier: Kept) -> None:
        """Take over what an earlier text begins with, and see how much of its end will follow."""
        above = self._count_above(earlier)
        self._earlier, self._below = earlier, self._count_below(earlier, above)
        self._graft(earlier, 0, above)
        # What will follow brings its f-strings: none that grows before may be the same.
        start = (_NOTHING, *earlier.stages)[-self._below - 1].nodes
        coming = (each for each, number in earlier.growth.formatted.items() if number >= start)
        self.growth.formatted.update(dict.fromkeys(coming, 0))

    @property
    def missing(self) -> Sequence[Sequence[ast.stmt]]:
        """The statements that have to grow."""
        return self.statements[len(self.stages) : len(self.statements) - self._below]

    @property
    def gap(self) -> tuple[int, int]:
        """Where these stand in the text, with all that is round them."""
        growth, first, end = self.growth, len(self.stages), len(self.statements) - self._below
        start = growth.place(self.statements[first - 1][-1])[1] if first else 0
        return start, growth.first_byte(self.statements[end][0]) if self._below else len(growth.data)

    def grown(self, joined: Sequence[ast.stmt]) -> None:
        """Note that the statements on some lines have grown."""
        self.stages.append(Stage(_extent(joined), len(self.growth.nodes), len(self.body)))

    def end(self) -> None:
        """Put below what the earlier text ends with."""
        if self._earlier is not None:
            count = len(self._earlier.stages)
            self._graft(self._earlier, count - self._below, count)
            self._earlier = None

    def _count_above(self, earlier: Kept) -> int:
        growth, count = self.growth, 0
        same = _common(growth.data, earlier.growth.data)
        for stage, joined in zip(earlier.stages, self.statements, strict=False):
            # The end of a line decides whether a statement goes on.
            whole = growth.data.find(b"\n", growth.place(joined[-1])[1], same)
            if whole < 0 or stage.extent != _extent(joined):
                break
            count += 1
        return count

    def _count_below(self, earlier: Kept, above: int) -> int:
        growth, last, count = self.growth, earlier.growth, 0
        same = len(growth.data) - _common(growth.data[::-1], last.data[::-1])
        down = len(growth.starts) - len(last.starts)
        for stage, joined in zip(reversed(earlier.stages[above:]), reversed(self.statements[above:]), strict=False):
            if growth.first_byte(joined[0]) < same or stage.extent != _extent(joined, down):
                break
            count += 1
        return count

    def _graft(self, earlier: Kept, first: int, end: int) -> None:
        """Take statements of the earlier tree that come next in this text, too."""
        if first == end:
            return
        growth, last = self.growth, earlier.growth
        start, stop = (_NOTHING, *earlier.stages)[first], earlier.stages[end - 1]
        up, more = len(growth.nodes) - start.nodes, len(self.body) - start.body
        down = growth.place(self.statements[len(self.stages)][0])[0] - last.place(earlier.statements[first][0])[0]
        growth.graft(last, range(start.nodes, stop.nodes), up, down)
        self.body += earlier.body[start.body : stop.body]
        for stage in earlier.stages[first:end]:
            extent = _extent(self.statements[len(self.stages)])
            self.stages.append(Stage(extent, stage.nodes + up, stage.body + more))


class Regrowth:
    """The last trees that grew, for the next texts of their files. None are kept where each text is read once."""

    def __init__(self) -> None:
        self._most = 0
        self._kept: dict[str, Kept] = {}

    def remember(self) -> None:
        """Keep trees from now on: somebody types."""
        self._most = _MOST

    def drop(self, path: str) -> None:
        """Forget the tree of a file: it may have grown in part."""
        self._kept.pop(path, None)

    def begin(self, path: str, growth: Growth, statements: Sequence[Sequence[ast.stmt]]) -> Kept:
        """Take over what the last text of this file begins with, too.

        Args:
            growth: with nothing but the module in it.
            statements: those of the module, with those together that stand on one line.
        """
        kept, earlier = Kept(growth, statements), self._kept.pop(path, None)
        if not self._most:
            return kept
        if earlier is not None and len(earlier.stages) == len(earlier.statements):
            kept.take_over(earlier)
        if len(growth.data) <= _BIGGEST:
            self._kept[path] = kept
        for oldest in [*self._kept][: -self._most]:
            self._kept.pop(oldest, None)
        return kept

    def changed(self, path: str, data: bytes) -> tuple[int, int]:
        """The part of a text that holds all that is not as it was when it last grew, in whole statements of the module.

        It begins with one that is the same: that may go on. It is empty where no text of the file has grown.
        """
        earlier = self._kept.get(path)
        if earlier is None:
            return 0, 0
        last = earlier.growth
        more, same = len(data) - len(last.data), _common(data, last.data)
        starts = [last.first_byte(joined[0]) for joined in earlier.statements]
        begin = max([0, *(one for one, following in pairwise(starts) if following < same)])
        below = len(last.data) - min(_common(data[::-1], last.data[::-1]), len(data) - same)
        return begin, min([len(data), *(start + more for start in starts if start >= max(below, same))])


def _extent(joined: Sequence[ast.stmt], down: int = 0) -> tuple[Extent, ...]:
    """The kind and place of each statement; how far it has come down is left out."""
    return tuple(
        (
            type(each),
            first_line(each) - down,
            each.lineno - down,
            each.col_offset,
            (each.end_lineno or 0) - down,
            each.end_col_offset or 0,
        )
        for each in joined
    )


def _common(one: bytes, other: bytes) -> int:
    """The length of what two texts begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low
