"""Rows that come class by class: how many of one class follow each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.domains.counts.counts import Counts
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Constant, Container, Result, Tuple, Value
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from seqlint.run import Object, Run

_KEEPS_ORDER = frozenset({"map", "cache", "prefetch", "with_options", "enumerate"})
_SAME = frozenset({"array", "asarray", "astype", "constant", "convert_to_tensor", "cast", "to_categorical", "list"})
_FILLED = {"zeros": 0, "ones": 1}


class ClassRuns:
    """The runs of equal labels in the datasets of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)
        self._counts = run.domain(Counts)

    def of(self, step: Result) -> int | None:
        """How many rows of one class surely follow each other in what a step gets; None where that is not known."""
        for each in self._pipelines.line(step)[1:]:
            if each.method == "concatenate":
                return self._of_sources(each)
            if each.method == "from_tensor_slices":
                parts = self._labels(each)
                found = [length for part in parts if (length := self._of_labels(part.only)) is not None]
                return min(found) if found else None
            if each.method not in _KEEPS_ORDER:
                return None
        return None

    def _of_sources(self, step: Result) -> int | None:
        """Datasets that are put one after the other, each with one label."""
        kinds: list[tuple[object, int]] = []
        for part in self._pipelines.parents(step):
            source = self._pipelines.line(part)[-1]
            same = [one for value in self._labels(source) if (one := self._filled(value.only)) is not None]
            if source.method != "from_tensor_slices" or len(same) != 1:
                return None
            kinds.append(same[0])
        return min(size for _, size in kinds) if len({kind for kind, _ in kinds}) > 1 else None

    def _labels(self, source: Result) -> list[Value]:
        """The parts of `from_tensor_slices((rows, labels))`."""
        only = source.args[0].only if source.args else None
        return list(only.items) if isinstance(only, Tuple) else []

    def _of_labels(self, found: Object | None) -> int | None:
        if isinstance(found, Container):
            return self._of_list(found)
        if not isinstance(found, Result):
            return None
        if found.op == "operator" and found.name == "+":
            return self._of_joined([value.only for value in found.args])
        if found.op != "call":
            return None
        if found.name == "numpy.repeat" and len(found.args) == 2:
            times = self._counts.whole(found.args[1])
            return times if times is not None and times > 1 else None
        if found.method in ("concatenate", "concat", "hstack"):
            items = self._run.items(found.args[0]) if found.args else None
            return self._of_joined([item.only for item in items or ()])
        source = found.receiver if found.receiver is not None else found.args[0].only if found.args else None
        return self._of_labels(source) if found.method in _SAME else None

    def _of_joined(self, parts: list[Object | None]) -> int | None:
        """Arrays of one value each, one after the other; sums of lists are nested."""
        flat: list[Object | None] = []
        for part in parts:
            nested = isinstance(part, Result) and part.op == "operator" and part.name == "+"
            flat += [value.only for value in part.args] if nested and isinstance(part, Result) else [part]
        found = [self._filled(part) for part in flat]
        kinds = [one for one in found if one is not None]
        if len(kinds) != len(found) or len({kind for kind, _ in kinds}) < 2:
            return None
        return min(size for _, size in kinds)

    def _filled(self, found: Object | None) -> tuple[object, int] | None:
        """The one value of an array or list, and how often it is there: `np.zeros(9)`, `[0] * 9`, `np.full(9, 2)`."""
        size = self._counts.rows(found)
        if not isinstance(found, Result) or size is None:
            return None
        if found.method in _FILLED:
            return (_FILLED[found.method], size) if self._is_flat(found) else None
        if found.method == "full" and len(found.args) > 1 and constant(found.args[1]) is not ...:
            return constant(found.args[1]), size
        if found.op == "operator" and found.name == "*" and isinstance(found.args[0].only, Container):
            items = self._run.items(found.args[0])
            value = constant(items[0]) if items and len(items) == 1 else ...
            return None if value is ... else (value, size)
        return None

    def _is_flat(self, found: Result) -> bool:
        """Whether an array of zeros or ones is one of labels: it has no more than one column."""
        shape = found.args[0].only if found.args else None
        if isinstance(shape, (Tuple, Container)):
            items = self._run.items(shape)
            return items is not None and all(constant(item) == 1 for item in items[1:])
        return True

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
