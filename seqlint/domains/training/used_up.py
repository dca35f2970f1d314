"""Generators that a model reads more often than they can be read."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.counts.counts import Counts
from seqlint.domains.pipelines.draws import contents
from seqlint.domains.training.feeds import Feed, Feeds, argument
from seqlint.domains.training.generator_ends import GeneratorEnds
from seqlint.run import Generator, Result, Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Function, Object, Run, Value


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
        self._counts = run.domain(Counts)

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
        if steps == "unknown" or epochs is None:
            return False
        number, batches = self._counts.whole(steps), self._batches(only, feed)
        if number is not None and batches is not None:
            return number * epochs > batches
        return self._is_of_one_pass(steps, only, feed)

    def _batches(self, only: Object, feed: Feed) -> int | None:
        """How many batches a generator with one loop, and one `yield` in it, gives, where that is known."""
        loops = self._ends.loops(only, feed.call.result) if isinstance(only, Generator) else ()
        if len(loops) != 1 or len(loops[0][1]) != 1 or not self._ends.is_plain(loops[0][0]):
            return None
        return self._rounds(loops[0][1][0])

    def _rounds(self, iterable: Value) -> int | None:
        found = iterable.only
        if isinstance(found, Result) and found.name == "builtins.range" and len(found.args) > 1:
            numbers = [self._counts.whole(value) for value in found.args]
            known = [number for number in numbers if number is not None]
            return len(range(*known)) if len(known) == len(numbers) and 0 not in known[2:] else None
        return self._counts.rounds(iterable)

    def _is_of_one_pass(self, steps: Value, only: Object, feed: Feed) -> bool:
        """Whether the steps are counted as the one loop of the generator counts its rows."""
        loops = self._ends.loops(only, feed.call.result) if isinstance(only, Generator) else ()
        if len(loops) != 1:
            return False
        gone_through = {term for value in loops[0][1] for term in self._sizes(value)}
        return not gone_through.isdisjoint(self._sizes(steps))

    def _sizes(self, value: Value) -> set[int]:
        """The terms of the lengths that a value is made of."""
        parts = (part for part in contents(self._run, value) if isinstance(part, Result))
        return {part.term for part in parts if part.name == "builtins.len" or part.method == "shape"}


def only_with_steps(run: Run, used: UsedUp) -> ast.FunctionDef | None:
    """The generator function of this file whose generators nobody reads but calls of models that say how many batches they want."""
    only = used.feed.value.only
    function = only.function if isinstance(only, Generator) else None
    if (
        function is None
        or not isinstance(function.node, ast.FunctionDef)
        or function.node.decorator_list
        or used.before is not None
    ):
        return None
    if function.node not in {*ast.walk(run.tree)}:
        return None
    feeds = [each for each in run.domain(Feeds).all if any(_is_of(found, function) for found in each.value)]
    counted = all(run.domain(Feeds).steps(each) not in (None, "unknown") for each in feeds)
    calls = {each.call.result for each in feeds}
    others = (
        value
        for call in run.calls
        if call.result not in calls
        for value in (*call.result.args, *(part for _, part in call.result.keywords))
    )
    read = any(_is_of(found, function) for each in run.reads for found in each.value)
    return (
        function.node
        if counted and not read and not any(_is_of(found, function) for value in others for found in value)
        else None
    )


def _is_of(found: Object, function: Function) -> bool:
    return isinstance(found, Generator) and found.function.node is function.node
