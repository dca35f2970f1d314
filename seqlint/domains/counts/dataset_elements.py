"""How many elements a dataset has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.knowledge.ranges import length
from seqlint.run import Container, Result, Tuple, Value
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from seqlint.domains.counts.counts import Counts
    from seqlint.domains.pipelines.pipelines import Pipelines
    from seqlint.run import Run

_KEEPS = frozenset({"map", "shuffle", "cache", "prefetch", "enumerate", "with_options", "snapshot", "scan"})
_BATCHES = frozenset({"batch", "padded_batch", "ragged_batch"})


class DatasetElements:
    """The numbers of elements of a run's datasets."""

    def __init__(self, run: Run, pipelines: Pipelines, counts: Counts) -> None:
        self._run = run
        self._pipelines = pipelines
        self._counts = counts

    def of(self, step: Result) -> int | None:
        """How many elements a dataset has, each batch as one; None where that is not known, or it never ends."""
        total: int | None = None
        for each in reversed(self._pipelines.line(step)):
            total = self._source(each) if each.receiver is None else self._after(each, total)
        return total

    def _source(self, step: Result) -> int | None:
        if self._pipelines.hides_arguments(step):
            return None
        if step.method == "from_tensor_slices":
            tensors = self._pipelines.argument(step, "tensors")
            return self._of_tensors(tensors) if tensors is not None else None
        if step.method == "from_tensors":
            return 1
        if step.method == "range":
            numbers = [self._counts.whole(value) for value in step.args]
            known = [number for number in numbers if number is not None]
            return length(range(*known)) if known and len(known) == len(numbers) and 0 not in known[2:] else None
        sizes = [self.of(each) for each in self._pipelines.parents(step)] if step.method == "zip" else []
        whole = [size for size in sizes if size is not None]
        return min(whole) if whole and len(whole) == len(sizes) else None

    def _of_tensors(self, value: Value) -> int | None:
        """The rows of what is sliced together; parts that are not known have as many as the others."""
        only = value.only
        parts = self._run.items(only) if isinstance(only, Tuple) else None
        if isinstance(only, Container) and only.kind == "dict":
            keys = self._run.items(only)
            found = [self._run.at_key(only, constant(key)) for key in keys] if keys else []
            parts = [part for part in found if part is not None]
        if parts is None:
            return self._counts.rows(only)
        sizes = {size for part in parts if (size := self._of_tensors(part)) is not None}
        return sizes.pop() if len(sizes) == 1 else None

    def _after(self, step: Result, before: int | None) -> int | None:
        if before is None or self._pipelines.hides_arguments(step):
            return None
        if step.method in _KEEPS:
            return before
        if step.method in _BATCHES:
            return self._batches(step, before)
        if step.method == "concatenate":
            others = [self.of(each) for each in self._pipelines.parents(step)[1:]]
            return before + sum(each or 0 for each in others) if others and None not in others else None
        count = self._argument(step, "count")
        if count is None:
            return None
        if step.method == "take":
            return min(before, count)
        if step.method == "skip":
            return max(before - count, 0)
        return before * count if step.method == "repeat" else None

    def _batches(self, step: Result, before: int) -> int | None:
        size, drops = self._argument(step, "batch_size"), self._pipelines.argument(step, "drop_remainder")
        if not size or (drops is not None and not isinstance(constant(drops), bool)):
            return None
        return before // size if drops is not None and constant(drops) is True else -(-before // size)

    def _argument(self, step: Result, name: str) -> int | None:
        """A count; None for `-1`, which means "all"."""
        given = self._counts.whole(self._pipelines.argument(step, name))
        return given if given is not None and given >= 0 else None
