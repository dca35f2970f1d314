"""Generators that a model reads more often than they can be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.draws import contents
from seqlint.domains.training.feeds import Feed, Feeds, argument
from seqlint.domains.training.generator_ends import GeneratorEnds
from seqlint.run import Generator, Result, Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Object, Run, Value


@dataclass(frozen=True, eq=False)
class UsedUp:
    """A reader that gets nothing, or less, of a generator that ends.

    Attributes:
        epochs: how many it wants; None where that is not known.
        by_default: whether somebody outside can say otherwise.
        before: who has read all of it already; None where it is the epoch before.
    """

    feed: Feed
    epochs: int | None
    by_default: bool
    before: Feed | None = None


class UsedUpGenerators:
    """The readers of generators that end."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._feeds = run.domain(Feeds)
        self._ends = run.domain(GeneratorEnds)

    @property
    def all(self) -> Iterator[UsedUp]:
        """Readers that get nothing from some point on, in running order."""
        readers: dict[Object, list[Feed]] = {}
        for feed in self._feeds.all:
            only = feed.value.only
            if only is None or self._ends.of(only) != "yes":
                continue
            before = [each for each in readers.get(only, ()) if not each.call.context.excludes(feed.call.context)]
            readers.setdefault(only, []).append(feed)
            if any(self._feeds.steps(each) is None for each in before):
                yield UsedUp(feed, None, by_default=False, before=before[0])
            elif feed.role in ("trained", "validated") and self._wants_more(feed, only):
                given = argument(feed.call, "epochs")
                yield UsedUp(feed, self._feeds.epochs(feed.call), given is not None and isinstance(given.only, Setting))

    def _wants_more(self, feed: Feed, only: Object) -> bool:
        """Whether a later epoch surely finds nothing left, if there is one."""
        epochs = self._feeds.epochs(feed.call)
        if (epochs is not None and epochs < 2) or argument(feed.call, "initial_epoch") is not None:
            return False
        steps = self._feeds.steps(feed)
        if steps is None:
            return True
        return steps != "unknown" and epochs is not None and self._is_of_one_pass(steps, only)

    def _is_of_one_pass(self, steps: Value, only: Object) -> bool:
        """Whether the steps are counted as the one loop of the generator counts its rows."""
        loops = self._ends.loops(only) if isinstance(only, Generator) else ()
        if len(loops) != 1:
            return False
        gone_through = {term for value in loops[0][1] for term in self._sizes(value)}
        return not gone_through.isdisjoint(self._sizes(steps))

    def _sizes(self, value: Value) -> set[int]:
        """The terms of the lengths that a value is made of."""
        parts = (part for part in contents(self._run, value) if isinstance(part, Result))
        return {part.term for part in parts if part.name == "builtins.len" or part.method == "shape"}
