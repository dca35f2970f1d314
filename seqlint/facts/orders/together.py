"""Which variables of a function or script belong together row by row: a call or tuple passes both on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.scopes import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.classes.classes import Classes
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.orders.row_permutations import RowPermutation, RowPermutations, Variable

Pair = tuple["Variable", "Variable"]

_TARGET = re.compile(
    r"(?i)^(?:y|ys)$|^y_|_y$|label|target|mask|truth|annot|(?:^|_)(?:classes|ages|heights|answers|scores|outputs)$"
)
_TUPLES = ("return", "yield", "from_tensor_slices", "train_test_split", "zip", "TensorDataset")


@dataclass(frozen=True)
class RowsOf:
    """`x[train]`: the rows of a variable that an index selects, as written; empty for all of them."""

    whole: cst.BaseExpression
    index: str


def rows_of(tree: Tree, node: cst.BaseExpression) -> RowsOf:
    """What an expression takes rows of."""
    if isinstance(node, cst.Subscript):
        return RowsOf(node.value, ", ".join(tree.text(part) for part in node.slice))
    return RowsOf(node, "")


def pairs_of(variables: set[Variable]) -> Iterator[Pair]:
    """Those of which one is named like a target, and the other is not."""
    for one, other in combinations(sorted(variables, key=lambda each: each[1]), 2):
        if bool(_TARGET.search(one[1])) is not bool(_TARGET.search(other[1])):
            yield one, other


class Together:
    """The calls and tuples of one file that pass on inputs with their targets."""

    def __init__(self, tree: Tree, names: Names, classes: Classes, moved: RowPermutations) -> None:
        self._tree = tree
        self._names = names
        self._classes = classes
        self._moved = moved

    def pairs(self, mixed: list[RowPermutation]) -> frozenset[Pair]:
        """The shuffled variables that are in one of them, all of each or the same rows, one named like a target."""
        found: set[Pair] = set()
        for one, other in combinations({each.variable for each in mixed}, 2):
            for held in self._held:
                if {one, other} <= held:
                    found.update(pairs_of({one, other}))
        return frozenset(found)

    @cached_property
    def _held(self) -> tuple[frozenset[Variable], ...]:
        """The variables of each tuple or call that are passed on with the same rows."""
        found: list[frozenset[Variable]] = []
        for holder in self._holders:
            by_index: dict[str, set[Variable]] = {}
            for part in _parts(holder):
                rows = rows_of(self._tree, part)
                variable = self._moved.variable(rows.whole)
                if variable is not None:
                    by_index.setdefault(rows.index, set()).add(variable)
            found += [frozenset(held) for held in by_index.values() if len(held) > 1]
        return tuple(found)

    @cached_property
    def _holders(self) -> tuple[cst.Tuple | cst.Call, ...]:
        found: list[cst.Tuple | cst.Call] = [*self._tree.all(cst.Tuple), *self._tree.all(cst.Call)]
        return tuple(node for node in found if self._hands_on(node))

    def _hands_on(self, node: cst.Tuple | cst.Call) -> bool:
        if isinstance(node, cst.Tuple):
            parent = self._tree.parents[node]
            if isinstance(parent, (cst.Return, cst.Yield)):
                return True
            node_ = self._tree.parents[parent] if isinstance(parent, cst.Arg) else None
            return isinstance(node_, cst.Call) and self._hands_on(node_)
        return dotted(node.func).rpartition(".")[2] in _TUPLES or self._makes_sequence(node)

    def _makes_sequence(self, call: cst.Call) -> bool:
        made = self._names.definition(call.func)
        return isinstance(made, cst.ClassDef) and self._classes.of(made).is_a("sequence") == "yes"


def _parts(holder: cst.Tuple | cst.Call) -> list[cst.BaseExpression]:
    if isinstance(holder, cst.Call):
        return [argument.value for argument in holder.args]
    return [element.value for element in holder.elements]
