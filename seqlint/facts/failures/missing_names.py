"""Names of NumPy on the way to a batch that no NumPy has, such as `np.zeroes` or `np.flatten`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.knowledge.numpy_names import GONE, METHODS, NAMES, nearest
from seqlint.knowledge.numpy_removed import REMOVED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.batches.batches import Batches, Maker

_SHORTEST = 4  # a shorter name is too near to others


@dataclass(frozen=True, eq=False)
class MissingName:
    """One place.

    Attributes:
        node: the name as it is written: `np.zeroes`.
        meant: the only name of NumPy that is close to it; empty for a method of arrays.
    """

    maker: Maker
    node: cst.Attribute
    meant: str


class MissingNames:
    """Those of one file. A name that is neither a method of arrays nor a typo may be of a later NumPy."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self._tree = batches.flow.tree
        self._names = batches.flow.names
        self._values = batches.flow.values

    @cached_property
    def all(self) -> tuple[MissingName, ...]:
        """Each place once, in reading order."""
        found: dict[cst.Attribute, MissingName] = {}
        for maker in self._batches.makers:
            for frame in self._batches.frames(maker):
                body = frame.function.body if frame.function is not None else None
                for node in self._tree.inside(body, cst.Attribute) if body is not None else ():
                    for missing in self._missing(maker, node):
                        found.setdefault(node, missing)
        return self._tree.order.sorted(found.values(), lambda missing: missing.node)

    def _missing(self, maker: Maker, node: cst.Attribute) -> Iterator[MissingName]:
        name = node.attr.value
        if name in NAMES or name in GONE or name in REMOVED or name.startswith("_"):
            return
        if self._names.origins(node.value) != {"numpy"}:
            return
        meant = nearest(name) if len(name) >= _SHORTEST and name not in METHODS else None
        if (meant is not None or name in METHODS) and not self._is_set(name):
            yield MissingName(maker, node, meant or "")

    def _is_set(self, name: str) -> bool:
        """Whether the file adds the name to NumPy, or may: `np.flatten = flatten`."""
        same = self._tree.attributes(name)
        text = (node for node in self._tree.all(cst.SimpleString) if node.evaluated_value == name)
        return any(self._values.stored(node) is not None for node in same) or any(True for _ in text)
