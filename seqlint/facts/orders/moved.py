"""Variables that are brought into another order, by whichever call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.orders.shuffles import Shuffle, Shuffles
    from seqlint.facts.values.values import Values


Variable = tuple[object, str]
"""Where a variable lives, its scope or `SELF`, and its name."""
SELF = "self"


@dataclass(frozen=True, eq=False)
class Mixed:
    """A variable that is brought into an order of its own.

    Attributes:
        node: what is shuffled, as it is written in the call.
        statement: the whole of it: the call, or the assignment that takes its result.
        drawn: what draws the order: the shuffle itself, or that which makes the permutation.
    """

    variable: Variable
    node: cst.BaseExpression
    statement: cst.CSTNode
    drawn: Shuffle


class Moved:
    """The shuffled variables of one file."""

    def __init__(self, tree: Tree, names: Names, values: Values, shuffles: Shuffles) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._shuffles = shuffles

    @cached_property
    def all(self) -> tuple[Mixed, ...]:
        """In reading order."""
        found = (mixed for shuffle in self._shuffles.all for mixed in self._of_shuffle(shuffle))
        return tuple(sorted(found, key=lambda mixed: self._tree.order[mixed.statement]))

    def _of_shuffle(self, shuffle: Shuffle) -> Iterator[Mixed]:
        if shuffle.way == "in place":
            variable = self.variable(shuffle.subjects[0])
            if variable is not None and len(shuffle.node.args) == 1:  # `random.shuffle(x, draw)`: who knows
                yield Mixed(variable, shuffle.subjects[0], shuffle.node, shuffle)
        elif len(shuffle.subjects) == 1:
            yield from self._taken_back(shuffle, shuffle.node, shuffle.subjects[0])
        elif shuffle.way == "numbers":
            yield from self._through(shuffle)

    def _taken_back(self, shuffle: Shuffle, value: cst.CSTNode, subject: cst.BaseExpression) -> Iterator[Mixed]:
        """`x = np.random.permutation(x)`."""
        assign = self._tree.parents[value]
        variable = self.variable(subject)
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or variable is None:
            return
        if self.variable(assign.targets[0].target) == variable:
            yield Mixed(variable, subject, assign, shuffle)

    def _through(self, shuffle: Shuffle) -> Iterator[Mixed]:
        """`x = x[order]` for a permutation."""
        for part in self._tree.all(cst.Subscript):
            index = part.slice[0].slice
            if len(part.slice) != 1 or not isinstance(index, cst.Index):
                continue
            if self._values.only(index.value) is shuffle.node:
                yield from self._taken_back(shuffle, part, part.value)

    def variable(self, node: cst.BaseExpression) -> Variable | None:
        """The variable that an expression names: a name in its scope, or an attribute of `self`."""
        if isinstance(node, cst.Name):
            home = self._names.scope(node).home(node.value)
            return (home, node.value) if home is not None else None
        owner = self._values.self_class(node.value) if isinstance(node, cst.Attribute) else None
        return (SELF, node.attr.value) if owner is not None and isinstance(node, cst.Attribute) else None
