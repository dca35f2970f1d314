"""Numbers of steps that count samples, where the data come in batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.counts.counts import Counts
from seqlint.domains.pipelines.draws import contents
from seqlint.domains.pipelines.ends import why_endless
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.domains.training.feeds import STEPS_OF, Feed, Feeds
from seqlint.domains.training.generator_ends import GeneratorEnds
from seqlint.run import Container, Generator, Result, Tuple
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run, Value


@dataclass(frozen=True, eq=False)
class SampleCount:
    """A number of steps that is the number of samples.

    Attributes:
        name: the argument.
        size: how many samples a batch has, as a value.
        number: the same where it is known.
        exact: whether a pass has exactly the quotient, rounded up.
    """

    feed: Feed
    name: str
    size: Value
    number: int | None
    exact: bool


class SampleCounts:
    """Such numbers in a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._feeds = run.domain(Feeds)
        self._ends = run.domain(GeneratorEnds)
        self._pipelines = run.domain(Pipelines)
        self._counts = run.domain(Counts)

    @property
    def all(self) -> Iterator[SampleCount]:
        """Every such number, in running order."""
        for feed in self._feeds.all:
            steps = self._feeds.steps(feed)
            only, data = (steps.only if steps is not None and steps != "unknown" else None), feed.value.only
            if only is None or data is None or not _counts_rows(only):
                continue
            found = (
                self._of_generator(data, only, feed) if isinstance(data, Generator) else self._of_dataset(data, only)
            )
            size, exact = found if found is not None else (None, False)
            number = self._counts.whole(size)
            if size is not None and (number is None or number > 1):
                yield SampleCount(feed, STEPS_OF[feed.role], size, number, exact)

    def _of_generator(self, data: Generator, steps: Object, feed: Feed) -> tuple[Value, bool] | None:
        """The step of `for start in range(0, len(rows), size)`, where the steps are `len(rows)`."""
        for _, values in self._ends.loops(data, feed.call.result):
            for only in (value.only for value in values):
                divided = self._divided(only, steps)
                if divided is not None:
                    return divided, False
                if isinstance(only, Result) and only.name == "builtins.range" and len(only.args) == 3:
                    bound = only.args[1]
                    exact = _is_same(bound, steps) and constant(only.args[0]) == 0
                    if exact or self._holds(bound, steps):
                        return only.args[2], exact
        return None

    def _divided(self, iterable: Object | None, steps: Object) -> Value | None:
        """The size in `range(len(rows) // size)`, `np.array_split(rows, len(rows) // size)`."""
        named = isinstance(iterable, Result) and (iterable.name == "builtins.range" or iterable.method == "array_split")
        if not named or not isinstance(iterable, Result):
            return None
        for each in contents(self._run, iterable.args[-1]):
            if (
                isinstance(each, Result)
                and each.name in ("//", "/")
                and len(each.args) == 2
                and _is_same(each.args[0], steps)
            ):
                return each.args[1]
        return None

    def _holds(self, bound: Value, steps: Object) -> bool:
        """`range(0, len(rows) - size, size)`."""
        only = bound.only
        if not isinstance(only, Result) or only.op != "operator" or only.name not in ("-", "+"):
            return False
        return any(_is_same(value, steps) for value in only.args)

    def _of_dataset(self, data: Object, steps: Object) -> tuple[Value, bool] | None:
        """The size of the one `batch` of an endless dataset that is made of the rows which the steps count."""
        if not isinstance(data, Result) or not self._pipelines.is_dataset(data):
            return None
        line = self._pipelines.line(data)
        batches = [step for step in line if step.method in ("batch", "padded_batch")]
        plain = all(step.method in _PLAIN for step in line[:-1])
        if len(batches) != 1 or not plain or why_endless(self._pipelines, data) is None or not line[-1].args:
            return None
        size = self._pipelines.argument(batches[0], "batch_size")
        return (size, False) if size is not None and self._is_of(line[-1], steps) else None

    def _is_of(self, source: Result, steps: Object) -> bool:
        """Whether the steps count the rows of what a dataset is made of."""
        only = source.args[0].only
        parts = self._run.items(only) if isinstance(only, (Tuple, Container)) else [source.args[0]]
        terms = {part.term for part in parts or ()}
        return source.method == "from_tensor_slices" and _counted(steps) in terms


_PLAIN = frozenset({
    "batch", "padded_batch", "repeat", "shuffle", "prefetch", "cache", "map", "with_options",
})  # fmt: skip


def _counts_rows(found: Object) -> bool:
    """Whether a number is `len(rows)` or `rows.shape[0]`."""
    return _counted(found) is not None


def _is_same(value: Value, steps: Object) -> bool:
    """Whether two numbers count the same rows."""
    only = value.only
    return only is not None and (only.term == steps.term or (_counts_rows(only) and _counted(only) == _counted(steps)))


def _counted(found: Object) -> int | None:
    """The term of the rows that a number counts."""
    if not isinstance(found, Result):
        return None
    if found.name == "builtins.len" and found.args:
        return found.args[0].term
    shape = found.receiver
    first = found.op == "item" and found.args and constant(found.args[0]) == 0
    if first and isinstance(shape, Result) and shape.method == "shape" and shape.receiver is not None:
        return shape.receiver.term
    return None
