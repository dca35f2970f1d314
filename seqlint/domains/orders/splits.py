"""Datasets that are cut in parts, after a step that draws a new order at each reading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Literal

from seqlint.domains.orders.shuffles import Shuffles
from seqlint.domains.pipelines.loops import Loops
from seqlint.domains.pipelines.pipelines import Pipelines
from seqlint.run import Instance, constant
from seqlint.run.machine import frame_place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Result, Run

_CUTS = ("take", "skip", "shard", "filter")
_CLOSED = ("split_dataset", "apply", "snapshot", "save")
"""Steps that read all rows once, or that nobody knows."""
_HELD = frozenset({"validated", "evaluated", "predicted", "scored", "given", "kept"})
_MOST_WAYS, _MOST_TWINS = 24, 6
_NAMED = {"trained": re.compile("train|learn"), "kept": re.compile("val|test|hold|held|eval|dev")}

Relation = Literal["parts", "shared", "unknown"]


@dataclass(frozen=True, eq=False)
class Use:
    """A dataset with what it is used for, and when."""

    dataset: Result
    role: str
    clock: int
    place: object


@dataclass(frozen=True, eq=False)
class Leak:
    """Two parts of one dataset that share rows.

    Attributes:
        step: what draws a new order at each reading.
        cuts: what cuts the part that is trained on, and the other one.
    """

    step: Result
    cuts: tuple[Result, Result]


class Splits:
    """The parts of a run's datasets."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pipelines = run.domain(Pipelines)
        self._loops = run.domain(Loops)
        self._shuffles = run.domain(Shuffles)

    @cached_property
    def leaks(self) -> tuple[Leak, ...]:
        """Each step that draws a new order before a cut, with the first two parts that share rows."""
        if not any(step.method in _CUTS for step in self._pipelines.steps):
            return ()
        again = (step for step in self._pipelines.steps if self._shuffles.order(step) == "each reading")
        return tuple(leak for step in again if (leak := self._leak(step)) is not None)

    def _leak(self, step: Result) -> Leak | None:
        uses = self._uses_of(step)
        pairs = [(one, other) for one in uses for other in uses if _train_and_score(one, other)]
        for one, other in pairs[:_MOST_WAYS]:
            cuts = self._cuts((step, one), (step, other))
            if cuts is not None:
                return Leak(step, cuts)
        for twin in self._twins(step):
            pairs = [(one, other) for one in uses for other in self._uses_of(twin) if _train_and_score(one, other)]
            for one, other in pairs[:_MOST_WAYS]:
                cuts = self._cuts((step, one), (twin, other))
                if cuts is not None:
                    return Leak(step, cuts)
        return None

    def _uses_of(self, step: Result) -> list[Use]:
        down = {step, *self._pipelines.descendants(step)}
        return [use for use in self._uses if use.dataset in down]

    def _twins(self, step: Result) -> list[Result]:
        """The same step on the same rows, made again: a property or function that shuffles whenever it is asked, without a seed."""
        seed = self._pipelines.argument(step, "seed")
        if seed is not None and constant(seed) is not None:
            return []
        node = self._run.call_of[step].node
        return [
            other
            for other in self._pipelines.named(step.method)
            if other is not step and other.term == step.term and self._run.call_of[other].node is node
        ][:_MOST_TWINS]

    @cached_property
    def _uses(self) -> tuple[Use, ...]:
        read = [
            Use(reading.dataset, self._loops.role(reading), reading.context.clock, id(reading.node))
            for reading in self._pipelines.readings
        ]
        return (*read, *self._stored(), *self._named(read))

    def _stored(self) -> Iterator[Use]:
        """Datasets that an object keeps as attributes, for others to read."""
        for store in self._run.stores:
            found = store.value.only
            if isinstance(store.owner, Instance) and found in self._known:
                yield Use(found, "kept", store.context.clock, store.owner)  # type: ignore[arg-type]

    def _named(self, read: list[Use]) -> Iterator[Use]:
        """Datasets of a module that nobody reads here: their names tell what other files do with them."""
        if any(use.role == "trained" for use in read):
            return
        for name in sorted(self._run.machine.main.frame.own):
            value, _ = self._run.machine.read(frame_place(self._run.machine.main.frame, name))
            roles = [role for role, words in _NAMED.items() if words.search(name.lower())]
            if value.only in self._known and len(roles) == 1:
                yield Use(value.only, roles[0], self._run.call_of[value.only].context.clock, name)  # type: ignore[arg-type, index]

    @cached_property
    def _known(self) -> frozenset[object]:
        return frozenset(self._pipelines.steps)

    def _cuts(self, first: tuple[Result, Use], second: tuple[Result, Use]) -> tuple[Result, Result] | None:
        """What cuts two parts, where they are meant to share nothing."""
        found: tuple[Result, Result] | None = None
        (step, one), (twin, other) = first, second
        ways = product(self._pipelines.ways(step, one.dataset), self._pipelines.ways(twin, other.dataset))
        for left, right in ways:
            shared = _shared(left, right)
            if any(each.method in _CLOSED for each in (*left, *right)) or self._is_kept(shared, one, other):
                return None
            numbered = any(map(self._is_numbered, shared))
            cuts = _first_cut(left[len(shared) :], numbered), _first_cut(right[len(shared) :], numbered)
            if cuts[0] is None or cuts[1] is None or _is_same_part(cuts[0], cuts[1]):
                return None
            if _are_parts(left[len(shared) :], right[len(shared) :], cuts[0], cuts[1]):
                found = found or (cuts[0], cuts[1])
        return found

    def _is_numbered(self, step: Result) -> bool:
        """Whether a step gives each row its number: `enumerate`, and `zip` with a range."""
        parents = self._pipelines.parents(step) if step.method == "zip" else ()
        return step.method == "enumerate" or any(parent.method in ("range", "counter", "Counter") for parent in parents)

    def _is_kept(self, shared: tuple[Result, ...], one: Use, other: Use) -> bool:
        """Whether the rows are kept in the order of a first reading: in a cache that was read to its end before."""
        first = min(one.clock, other.clock)
        caches = [each for each in shared if each.method == "cache"]
        return any(use.clock < first and self._reads_all(cache, use) for cache in caches for use in self._uses)

    def _reads_all(self, cache: Result, use: Use) -> bool:
        if use.role in ("given", "kept", "looked at"):
            return False
        return any(
            not any(each.method in ("take", "take_while", "shard") for each in path)
            for path in self._pipelines.ways(cache, use.dataset)
        )


def _train_and_score(one: Use, other: Use) -> bool:
    """Whether one use trains and the other scores, or may: both are kept or returned together."""
    if one.role == "trained":
        return other.role in _HELD
    together = one.role == other.role and one.role in ("given", "kept") and one.place == other.place
    return together and one.clock <= other.clock and one is not other


def _shared(left: tuple[Result, ...], right: tuple[Result, ...]) -> tuple[Result, ...]:
    """The steps that two ways begin with."""
    count = next(
        (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a is not b), min(len(left), len(right))
    )
    return left[:count]


def _first_cut(path: tuple[Result, ...], numbered: bool) -> Result | None:
    """The first step that takes a part of the rows by their places; a filter does so where rows have numbers."""
    for step in path:
        numbered = numbered or step.method == "enumerate"
        if step.method in _CUTS and (step.method != "filter" or numbered):
            return step
    return None


def _is_same_part(one: Result, other: Result) -> bool:
    """Whether two parts are meant to share rows: two beginnings, or one and the same step."""
    if one is other or (one.method == other.method and one.term == other.term):
        return True
    return one.method == other.method == "take"


def _are_parts(left: tuple[Result, ...], right: tuple[Result, ...], one: Result, other: Result) -> bool:
    """Whether two parts are meant to share nothing."""
    methods = {one.method, other.method}
    if methods == {"take", "skip"} or methods == {"filter"}:
        return True
    if methods == {"shard"}:
        return True
    if methods == {"skip"}:
        return any(step.method == "take" for step in (*left, *right))
    return False
