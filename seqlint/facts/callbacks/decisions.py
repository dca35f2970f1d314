"""Decisions of callbacks by the value of one replica, or in one process but not in the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.facts.callbacks.deciders import CHECKPOINT
from seqlint.facts.flow.lists import Item
from seqlint.facts.training.callback_lists import Listed

if TYPE_CHECKING:
    from collections.abc import Callable

    import libcst as cst

    from seqlint.facts.callbacks.deciders import Deciders, Stop
    from seqlint.facts.flow.lists import Condition
    from seqlint.facts.training.callback_lists import CallbackList
    from seqlint.facts.training.strategies import Strategies
    from seqlint.facts.training.workers import Workers

AVERAGE = "horovod.keras.callbacks.MetricAverageCallback"


@dataclass(frozen=True, eq=False)
class UnevenCallback:
    """A callback that is added only in some processes.

    Attributes:
        condition: what selects the processes.
        first: whether it is added on rank 0 or on the chief; else everywhere except there.
    """

    member: Listed
    condition: Condition
    first: bool


@dataclass(frozen=True, eq=False)
class LocalStop:
    """A callback that ends the training by a value that each process computes for itself.

    Attributes:
        source: the call that computes it.
    """

    owner: str
    stop: Stop
    source: cst.Call


@dataclass(frozen=True, eq=False)
class Unaveraged:
    """A callback that decides by the metrics of its own rank.

    Attributes:
        late: the MetricAverageCallback that comes after it, if there is one.
    """

    member: Listed
    late: Listed | None


class Decisions:
    """Where the callbacks of a fit decide separately in each process."""

    def __init__(
        self,
        deciders: Deciders,
        strategies: Strategies,
        workers: Workers,
        external: Callable[[str | None], tuple[str, ...]],
    ) -> None:
        """`external` gives the classes of other files that decide, by the name of a class or function."""
        self._deciders = deciders
        self._external = external
        self._strategies = strategies
        self._workers = workers

    def mirrored(self, callbacks: CallbackList) -> tuple[Listed, ...]:
        """The callbacks that decide under a strategy with several replicas in one process."""
        if not any(held is not None and held.mirrors for held in self._strategies.of_fit(callbacks.fit)):
            return ()
        found = [
            member for member in callbacks.members if self._deciders.decides(member) or self._external(member.name)
        ]
        if callbacks.given is None:
            return tuple(found)
        name, call = callbacks.given
        return (*found, *(Listed(Item(call), None, word) for word in self._external(name)))

    def uneven(self, callbacks: CallbackList) -> tuple[UnevenCallback, ...]:
        """The callbacks that decide, and are added only in some processes. ModelCheckpoint is allowed to be."""
        found = (self._uneven(callbacks, member) for member in callbacks.members)
        return tuple(one for one in found if one is not None)

    def _uneven(self, callbacks: CallbackList, member: Listed) -> UnevenCallback | None:
        condition = self._parts(member)
        if condition is None or _is_in_both(callbacks, member, condition):
            return None
        owner = member.owner
        stops = owner is not None and self._deciders.stops(owner) and not self._deciders.exchanges(owner)
        if not stops and not self._acts(member):
            return None
        return UnevenCallback(member, condition, self._workers.alone(condition) is True)

    def _parts(self, member: Listed) -> Condition | None:
        """The condition that adds a callback only in some processes."""
        return next((found for found in member.conditions if self._workers.alone(found) is not None), None)

    def _acts(self, member: Listed) -> bool:
        """Whether a callback decides for the training; a ModelCheckpoint on one rank decides what it writes."""
        return self._deciders.decides(member) and not (CHECKPOINT in member.bases and self._parts(member) is not None)

    def local(self, callbacks: CallbackList) -> tuple[LocalStop, ...]:
        """The callbacks of this file that end the training by a value of their own process."""
        found = (self._local(member) for member in callbacks.members)
        return tuple(one for one in found if one is not None)

    def _local(self, member: Listed) -> LocalStop | None:
        if member.owner is None or self._deciders.exchanges(member.owner):
            return None
        for stop in self._deciders.stops(member.owner):
            source = self._deciders.local_source(stop)
            if source is not None and not self._deciders.reads_logs(stop) and not self._deciders.evaluates(stop):
                return LocalStop(member.owner.name, stop, source)
        return None

    def unaveraged(self, callbacks: CallbackList) -> Unaveraged | None:
        """The first callback that decides with no MetricAverageCallback before it.

        A class that exchanges values itself counts as one, and so does everything unknown. Where one branch of a test averages, the other is
        for a training without Horovod.
        """
        averages = [other for other in callbacks.members if self._may_average(other)]
        for member in callbacks.members:
            if any(_are_alternatives(member, other) for other in averages):
                continue
            if self._acts(member) and not any(self._may_average(other) for other in callbacks.before(member)):
                late = (other for other in callbacks.after(member) if AVERAGE in other.bases)
                return Unaveraged(member, next(late, None))
        return None

    def _may_average(self, member: Listed) -> bool:
        if AVERAGE in member.bases or not member.known:
            return True
        if member.owner is not None:
            return self._deciders.exchanges(member.owner) or not member.owner.lineage_is_known
        return not (member.name or "").startswith(("keras.", "horovod."))


def _are_alternatives(one: Listed, other: Listed) -> bool:
    """Whether two callbacks are on two branches of one test."""
    return any(c.node is d.node and c.branch != d.branch for c in one.conditions for d in other.conditions)


def _is_in_both(callbacks: CallbackList, member: Listed, condition: Condition) -> bool:
    """Whether the other branch adds a callback of the same class."""
    same = (other for other in callbacks.members if other.bases == member.bases and other.owner is member.owner)
    return any(c.node is condition.node and c.branch != condition.branch for other in same for c in other.conditions)
