"""Attributes of callbacks that decide when training ends, and that no training begins anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.callbacks.deciders import Deciders, Stop
    from seqlint.facts.classes.classes import ClassFacts
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.instances.attributes import Attributes, Touch
    from seqlint.facts.values.values import Values

_BEGINS = ("on_train_begin", "on_epoch_begin", "set_model", "set_params")
_COUNTS = (
    "on_epoch_end",
    "on_train_batch_end",
    "on_train_batch_begin",
    "on_batch_end",
    "on_batch_begin",
    "on_test_end",
    "on_test_batch_end",
)


@dataclass(frozen=True, eq=False)
class KeptState:
    """The attributes of one callback that are set when it is made, and changed in each training.

    Attributes:
        names: the attributes.
        starts: what `__init__` gives each of them.
        stop: what depends on the first.
    """

    owner: ClassFacts
    names: tuple[str, ...]
    starts: tuple[cst.Assign, ...]
    stop: Stop


class KeptStates:
    """The callbacks of a file."""

    def __init__(
        self,
        tree: Tree,
        values: Values,
        attributes: Attributes,
        deciders: Deciders,
        callbacks: tuple[ClassFacts, ...],
    ) -> None:
        self._tree = tree
        self._values = values
        self._attributes = attributes
        self._deciders = deciders
        self._callbacks = callbacks

    @property
    def all(self) -> Iterator[KeptState]:
        """In reading order, one for each class."""
        for owner in self._callbacks:
            if owner.lineage_is_known and "__init__" in owner.methods:
                found = tuple(self._of(owner))
                if found:
                    names, starts, stops = zip(*found, strict=True)
                    yield KeptState(owner, names, starts, stops[0])

    def _of(self, owner: ClassFacts) -> Iterator[tuple[str, cst.Assign, Stop]]:
        changed = self._attributes.assigned(owner, *_COUNTS)
        begun = self._attributes.assigned(owner, *_BEGINS) | self._attributes.mutated(owner, *_BEGINS)
        for touch in self._starts(owner):
            stops = self._deciders.stops(owner) if touch.name in changed - begun else ()
            stop = next((stop for stop in stops if self._depends(stop, touch.name)), None)
            start = self._tree.parents[self._tree.parents[touch.node]]
            if stop is not None and isinstance(start, cst.Assign) and not self._is_set_outside(owner, touch.name):
                yield touch.name, start, stop

    def _starts(self, owner: ClassFacts) -> Iterator[Touch]:
        """What `__init__` gives a value, each once."""
        found: dict[str, Touch] = {}
        for _, touch in self._attributes.on(owner, "__init__"):
            if touch.kind == "assign":
                found.setdefault(touch.name, touch)
        yield from found.values()

    def _depends(self, stop: Stop, name: str) -> bool:
        return any(
            isinstance(node, cst.Attribute)
            and node.attr.value == name
            and self._values.self_class(node.value) is not None
            for node in stop.depends_on
        )

    def _is_set_outside(self, owner: ClassFacts, name: str) -> bool:
        """Whether somebody outside of the class sets an attribute of the name."""
        nodes = [node for node in self._tree.attributes(name) if self._values.stored(node)]
        return any(not any(self._tree.holds(holder.node, node) for holder in owner.lineage) for node in nodes)
