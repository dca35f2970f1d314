"""Pairs that are moved separately, as they stand in the text of a file."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.domains.rows.misaligned import Misalignments

if TYPE_CHECKING:
    from seqlint.domains.rows.misaligned import Misalignment
    from seqlint.domains.rows.steps import Move
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.orders.shuffles import Shuffle, Shuffles
    from seqlint.facts.training.training import TrainerCall, Training
    from seqlint.run import Run

_KINDS: dict[type[ast.AST], type[cst.CSTNode]] = {
    ast.Call: cst.Call, ast.Subscript: cst.Subscript, ast.Name: cst.Name, ast.Attribute: cst.Attribute, ast.ListComp: cst.ListComp,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Shuffled:
    """A move of rows in the text.

    Attributes:
        name: what is moved, as it is written there.
        node: the expression of that; None where a helper or a loop moves it.
        statement: the call, or the whole assignment of its result.
        drawn: what draws the order; None where that is elsewhere.
    """

    name: str
    node: cst.BaseExpression | None
    statement: cst.CSTNode
    drawn: Shuffle | None


@dataclass(frozen=True, eq=False)
class Misaligned:
    """Two collections of which only one is moved, or each in its own order.

    Attributes:
        first: the one that is moved.
        second: the move of the other; None where the other keeps its order.
        other: the name of the other.
        fit: the call that takes both, where that is what makes them a pair.
        several: whether more than these two belong together.
    """

    first: Shuffled
    second: Shuffled | None
    other: str
    fit: TrainerCall | None
    several: bool


class SeparateMoves:
    """The pairs of one file that are moved separately."""

    def __init__(self, tree: Tree, run: Run, training: Training, shuffles: Shuffles) -> None:
        self._tree = tree
        self._run = run
        self._training = training
        self._shuffles = shuffles

    @cached_property
    def all(self) -> tuple[Misaligned, ...]:
        """Each move at most once, in reading order."""
        found: dict[cst.CSTNode, Misaligned] = {}
        for each in self._run.domain(Misalignments).all:
            made = self._of(each)
            if made is not None:
                found.setdefault((made.second or made.first).statement, made)
        return self._tree.order.sorted(found.values(), lambda made: (made.second or made.first).statement)

    def _of(self, found: Misalignment) -> Misaligned | None:
        fit = None
        if found.pair.fit is not None:
            call = self._node(found.pair.fit.node)
            fit = next((each for each in self._training.calls if each.node is call), None)
            if fit is None:
                return None
        one_place = found.places[0] is found.places[1]
        first = self._shuffled(found.first, found.places[0], found.names[0], shared=one_place)
        if found.second is None:
            return Misaligned(first, None, found.names[1], fit, found.several) if first is not None else None
        second = self._shuffled(found.second, found.places[1], found.names[1], shared=one_place)
        if first is None or second is None:
            return None
        return Misaligned(first, second, first.name, fit, found.several)

    def _shuffled(self, move: Move, place: ast.AST | None, name: str, *, shared: bool) -> Shuffled | None:
        node = self._node(place)
        if node is None or move.made is None or move.draw is None:
            return None
        parent = self._tree.parents[node]
        statement = parent if isinstance(parent, cst.Assign) else node
        drawn = self._shuffles.of(self._node(move.draw.call.node) or node)
        subject = _subject(node)
        if shared or place is not move.made.node or subject is None:
            return Shuffled(name, None, statement, None)
        return Shuffled(self._tree.text(subject), subject, statement, drawn)

    def _node(self, node: ast.AST | None) -> cst.CSTNode | None:
        """The node of the text for one of the run; None where it is in another file."""
        kind = _KINDS.get(type(node)) if node is not None else None
        if kind is None or node is None or not self._run.is_own(node):
            return None
        span = self._run.span(node)
        return next((each for each in self._tree.all(kind) if self._tree.span(each) == span), None)


def _subject(node: cst.CSTNode) -> cst.Name | cst.Attribute | None:
    """The x of `shuffle(x)` and `x[order]`."""
    part = node.args[0].value if isinstance(node, cst.Call) and node.args else getattr(node, "value", None)
    return part if isinstance(part, (cst.Name, cst.Attribute)) else None
