"""Models that read a generator for ever: nobody tells them how many batches there are in an epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.ends import inherits_end, may_be_stopped, steps_given, why_endless
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.domains.training.feeds import STEPS_OF, Feed, Feeds
from seqlint.domains.training.generator_ends import GeneratorEnds
from seqlint.run import Generator, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run


@dataclass(frozen=True, eq=False)
class NeverEnding:
    """A call that reads a generator for ever.

    Attributes:
        steps: the argument that would end it.
        dataset: the `from_generator` that the generator is read through; None where the model itself reads it.
    """

    feed: Feed
    steps: str
    dataset: Result | None = None


class NeverEndingGenerators:
    """Such calls of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._feeds = run.domain(Feeds)
        self._ends = run.domain(GeneratorEnds)
        self._pipelines = run.domain(Pipelines)

    @property
    def all(self) -> Iterator[NeverEnding]:
        """Every such call, those of generators first, each group in running order."""
        for feed in self._feeds.all:
            given = list(feed.value)
            endless = bool(given) and all(isinstance(each, Generator) and self._ends.of(each) == "no" for each in given)
            if endless and self._feeds.steps(feed) is None and not self._may_be_stopped(feed):
                yield NeverEnding(feed, STEPS_OF[feed.role])
        yield from self._through_datasets()

    def _may_be_stopped(self, feed: Feed) -> bool:
        return feed.role == "trained" and may_be_stopped(self._run, feed.call)

    def _through_datasets(self) -> Iterator[NeverEnding]:
        for reading in self._pipelines.readings:
            trainer, role = reading.trainer, reading.role
            if trainer is None or role not in STEPS_OF or steps_given(reading) is not False:
                continue
            source = self._endless_source(reading.dataset)
            feeds = [each for each in self._feeds.all if each.call is trainer and each.role == role]
            known = source is not None and len(feeds) == 1 and feeds[0].value.only is reading.dataset
            if known and not self._may_be_stopped(feeds[0]):
                yield NeverEnding(feeds[0], STEPS_OF[feeds[0].role], source)

    def _endless_source(self, dataset: Result) -> Result | None:
        """The `from_generator` of a dataset whose function gives a generator without an end, if nothing after it ends it."""
        line = self._pipelines.line(dataset)
        source = line[-1]
        if why_endless(self._pipelines, dataset) is not None:  # a `repeat` is the nearer cause
            return None
        if source.method != "from_generator" or not all(inherits_end(each) for each in line[:-1]):
            return None
        given: list[Object] = [each for value in self._run.returned(source) for each in value]
        return source if given and all(self._ends.of(each) == "no" for each in given) else None
