"""Scores of a single batch of a source that has many."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.domains.sources.flows import Flows
from seqlint.domains.sources.subsets import LOADERS
from seqlint.domains.training.feeds import argument
from seqlint.run import Generator, Result
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

_MOST = 64
"""A larger batch may well be all that there is."""
_BATCHES = ("batch", "padded_batch")
_DEFAULT = 32
_NEXT = ("next", "__next__")


@dataclass(frozen=True, eq=False)
class OneBatch:
    """A call that scores one batch.

    Attributes:
        size: how many rows that batch has at most; None for a batch of a generator of the program.
    """

    call: Call
    size: int | None


class OneBatches:
    """Such calls of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)

    @cached_property
    def all(self) -> tuple[OneBatch, ...]:
        """In running order; none in a loop that may go through all batches."""
        return tuple(self._all())

    def _all(self) -> Iterator[OneBatch]:
        calls = [*self._run.methods("evaluate")]
        rounds = Counter(call.node for call in calls)
        for call in calls:
            if rounds[call.node] > 1 and not call.context.loops:  # a loop of known length is run round by round
                continue
            given = argument(call, "x") or call.result.keyword("*")
            if given is None or not all(map(_is_short, call.context.loops)):
                continue
            batch = _whole(given)
            size = self._size(batch)
            if _is_of_generator(batch) or (size is not None and size <= _MOST):
                yield OneBatch(call, size)

    def _size(self, batch: Object | None) -> int | None:
        """How many rows one batch has; None where something else is meant."""
        source = self._source(batch)
        return self._rows(source) if source is not None else None

    def _source(self, found: Object | None) -> Result | None:
        """What one batch is taken from: `next(iter(rows))`, `rows.take(1)`, `flow[0]`, the one round of a loop over `rows.take(1)`."""
        if not isinstance(found, Result):
            return None
        if found.op == "each":
            found = found.receiver
            return found if _takes_one(found) and isinstance(found, Result) else None
        if _takes_one(found):
            return found
        if found.op == "item" and isinstance(found.receiver, Result) and isinstance(found.args[0].constant, int):
            return found.receiver if found.receiver in self._run.domain(Flows).all else None
        if found.op == "call" and found.method in _NEXT:
            inner = found.args[0].only if found.args else found.receiver
            while isinstance(inner, Result) and inner.method in ("iter", "as_numpy_iterator"):
                inner = inner.args[0].only if inner.args else inner.receiver
            return inner if isinstance(inner, Result) else None
        return None

    def _rows(self, source: Result) -> int | None:
        flow = self._run.domain(Flows).all.get(source)
        if flow is not None:
            size = flow.constant("batch_size", _DEFAULT) if not flow.is_hidden else None
            return size if isinstance(size, int) else None
        if not self._pipelines.is_dataset(source):
            return None
        for step in self._pipelines.line(source):
            if step.method == "unbatch":
                return None
            if step.method in _BATCHES or step.method in LOADERS:
                given = self._pipelines.argument(step, "batch_size")
                size = constant(given) if given is not None else _DEFAULT if step.method in LOADERS else None
                return size if isinstance(size, int) and not isinstance(size, bool) else None
        return None


def _whole(given: Value) -> Object | None:
    """The batch whose first part a value is, or the batch itself."""
    only = given.only
    is_part = isinstance(only, Result) and only.op == "item" and only.args[0].constant == 0
    return only.receiver if is_part and isinstance(only, Result) else only


def _is_of_generator(batch: Object | None) -> bool:
    """`next(batches())`, where the generator of the program gives batches in a loop."""
    if not isinstance(batch, Result) or batch.name != "builtins.next" or not batch.args:
        return False
    made = batch.args[0].only
    if not isinstance(made, Generator):
        return False
    loops = (each for each in ast.walk(made.function.node) if isinstance(each, (ast.For, ast.While)))
    return any(isinstance(each, ast.Yield) for loop in loops for each in ast.walk(loop))


def _takes_one(found: Object | None) -> bool:
    return isinstance(found, Result) and found.method == "take" and bool(found.args) and found.args[0].constant == 1


def _is_short(loop: object) -> bool:
    """Whether a loop goes through one batch."""
    iterable = getattr(loop, "iterable", None)
    return iterable is not None and _takes_one(iterable.only)
