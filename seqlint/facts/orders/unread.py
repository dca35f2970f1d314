"""Epoch hooks that shuffle what no batch uses, as they stand in the text of a file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.domains.unread import UnreadOrders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.unread import Unread
    from seqlint.facts.classes.classes import Classes, ClassFacts
    from seqlint.facts.classes.hook import Hook
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.hooks.hooks import EpochHooks
    from seqlint.run import Run


@dataclass(frozen=True, eq=False)
class UnusedShuffle:
    """A shuffle of an epoch hook that changes no batch.

    Attributes:
        node: the call that shuffles, or that leads to it in another file.
        owner: the class that makes the batches.
        name: what is shuffled, such as "self.indexes".
        attribute: its name without `self`; None for a local variable of the hook.
        through_cycle: whether the batches come from an `itertools.cycle` over it.
        others: whether another method shuffles something, so that batches may change all the same.
    """

    hook: Hook
    owner: ClassFacts
    node: cst.Call
    name: str
    attribute: str | None
    through_cycle: bool
    others: bool


class UnusedShuffles:
    """The shuffles of one file that change no batch."""

    def __init__(self, tree: Tree, run: Run, classes: Classes, hooks: EpochHooks) -> None:
        self._tree = tree
        self._run = run
        self._classes = classes
        self._hooks = hooks

    @cached_property
    def all(self) -> tuple[UnusedShuffle, ...]:
        """One for each hook whose shuffles all have no effect."""
        found = self._run.domain(UnreadOrders).all if self._hooks.all else ()
        return tuple(made for each in found for made in self._of(each))

    def _of(self, found: Unread) -> Iterator[UnusedShuffle]:
        own = found.name.removeprefix("self.")
        attribute = own if own != found.name else None
        owner = next((each for each in self._classes.all if each.name == found.source.cls.name), None)
        method = owner.method(found.hook) if owner is not None else None
        hook = next((each for each in self._hooks.all if method is not None and each.node is method[1]), None)
        span = self._run.span(found.place)
        node = next((each for each in self._tree.all(cst.Call) if self._tree.span(each) == span), None)
        if owner is not None and hook is not None and node is not None:
            yield UnusedShuffle(hook, owner, node, found.name, attribute, found.through_cycle, found.others)
