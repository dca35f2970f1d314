"""Rows that come class by class: how many of one class follow each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.counts.counts import Counts
from seqlint.domains.orders.labels import Labels
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Constant, Container, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.run import Object, Run

_KEEPS_ORDER = frozenset({"map", "cache", "prefetch", "with_options", "enumerate"})


class ClassRuns:
    """The runs of equal labels in the datasets of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)
        self._counts = run.domain(Counts)
        self._labels = run.domain(Labels)

    def of(self, step: Result) -> int | None:
        """How many rows of one class surely follow each other in what a step gets; None where that is not known."""
        for each in self._pipelines.line(step)[1:]:
            if each.method == "concatenate":
                return self._of_sources(each)
            if each.method == "from_tensor_slices":
                parts = self._labels.parts(each)
                found = [length for part in parts if (length := self._of_labels(part.only)) is not None]
                return min(found) if found else None
            if each.method not in _KEEPS_ORDER:
                return None
        return None

    def _of_sources(self, step: Result) -> int | None:
        """Datasets that are put one after the other, each with one label."""
        sources = [self._pipelines.line(part)[-1] for part in self._pipelines.parents(step)]
        labels = [[part.only for part in self._labels.parts(source) if self._filled(part.only)] for source in sources]
        return self._shortest([found[0] for found in labels]) if all(len(found) == 1 for found in labels) else None

    def _of_labels(self, found: Object | None) -> int | None:
        found = self._labels.plain(found)
        if isinstance(found, Container):
            return self._of_list(found)
        if isinstance(found, Result) and found.name == "numpy.repeat" and len(found.args) == 2:
            times = self._counts.whole(found.args[1])
            return times if times is not None and times > 1 else None
        return self._shortest(self._labels.joined(found))

    def _shortest(self, parts: Sequence[Object | None]) -> int | None:
        """The rows of the shortest of parts that have one label each, and not all the same; None for others."""
        found = [self._filled(part) for part in parts]
        kinds = [one for one in found if one is not None]
        if len(kinds) != len(found) or len({kind for kind, _ in kinds}) < 2:
            return None
        return min(size for _, size in kinds)

    def _filled(self, found: Object | None) -> tuple[str, int] | None:
        """The one value of an array or list, and how often it is there."""
        kind, size = self._labels.one(found), self._counts.rows(found)
        return (kind, size) if kind is not None and size is not None else None

    def _of_list(self, found: Container) -> int | None:
        """`[kind for kind in kinds for _ in range(9)]`."""
        lengths = set()
        values = set()
        for piece in self._run.pieces(found):
            only = piece.value.only
            size = self._counts.rounds(piece.loops[-1].iterable) if piece.loops else None
            if not isinstance(only, Constant) or size is None or piece.how != "append":
                return None
            lengths.add(size)
            values.add(only.value)
        return min(lengths) if lengths and len(values) > 1 else None
