"""Pairs that are moved separately, as they stand in the text of a file."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.domains.misaligned import Misalignments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.domains.misaligned import Misalignment
    from seqlint.domains.rows import Move
    from seqlint.facts import Facts, Shuffle
    from seqlint.facts.training.training import TrainerCall

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


def misaligned(facts: Facts) -> Iterator[Misaligned]:
    """Each move at most once, in reading order."""
    found: dict[cst.CSTNode, Misaligned] = {}
    for each in facts.run.domain(Misalignments).all:
        made = _of(facts, each)
        if made is not None:
            found.setdefault((made.second or made.first).statement, made)
    yield from sorted(found.values(), key=lambda made: facts.tree.order[(made.second or made.first).statement])


def node_of(facts: Facts, node: ast.AST | None) -> cst.CSTNode | None:
    """The node of the text for one of the run."""
    kind = _KINDS.get(type(node)) if node is not None else None
    if kind is None or node is None:
        return None
    span = facts.run.span(node)
    return next((each for each in facts.tree.all(kind) if facts.tree.span(each) == span), None)


def _of(facts: Facts, found: Misalignment) -> Misaligned | None:
    fit = None
    if found.pair.fit is not None:
        call = node_of(facts, found.pair.fit.node)
        fit = next((each for each in facts.training.calls if each.node is call), None)
        if fit is None:
            return None
    one_place = found.places[0] is found.places[1]
    first = _shuffled(facts, found.first, found.places[0], found.names[0], shared=one_place)
    second = _shuffled(facts, found.second, found.places[1], found.names[1], shared=one_place) if found.second else None
    if first is None or (second is None and found.second is not None):
        return None
    return Misaligned(first, second, first.name if second is not None else found.names[1], fit, found.several)


def _shuffled(facts: Facts, move: Move, place: ast.AST | None, name: str, *, shared: bool) -> Shuffled | None:
    node = node_of(facts, place)
    if node is None or move.made is None or move.draw is None:
        return None
    parent = facts.tree.parents[node]
    statement = parent if isinstance(parent, cst.Assign) else node
    drawn = facts.shuffles.of(node_of(facts, move.draw.call.node) or node)
    subject = _subject(node)
    if shared or place is not move.made.node or subject is None:
        return Shuffled(name, None, statement, None)
    return Shuffled(facts.text(subject), subject, statement, drawn)


def _subject(node: cst.CSTNode) -> cst.Name | cst.Attribute | None:
    """The x of `shuffle(x)` and `x[order]`."""
    part = node.args[0].value if isinstance(node, cst.Call) and node.args else getattr(node, "value", None)
    return part if isinstance(part, (cst.Name, cst.Attribute)) else None
