"""The node of an expression, of whatever kind, with the brackets round it."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from seqlint.trees import nodes as make
from seqlint.trees.text import Unlike

if TYPE_CHECKING:
    import libcst as cst

    from seqlint.trees.text import Growth

Span = tuple[int, int]
_PLACED = frozenset({ast.Tuple, ast.GeneratorExp})
"""What says by itself where it stands: Python's tree counts its brackets in."""


def expression(growth: Growth, node: ast.expr, up: int) -> Any:
    """The node of an expression, with the brackets round it."""
    kind = node.__class__
    if node.lineno in growth.lines and kind not in _PLACED:
        return _perhaps_bracketed(growth, node, up)
    if kind is ast.Name and growth.plain:  # two of five
        return make.Name(growth, up, node, node.id)  # type: ignore[attr-defined]
    grow = growth.makers.get(kind)
    if grow is None:
        raise Unlike
    return grow(growth, node, up)


def _perhaps_bracketed(growth: Growth, node: ast.expr, up: int) -> Any:
    grow = growth.makers.get(type(node))
    if grow is None:
        raise Unlike
    here = len(growth.nodes)
    made = grow(growth, node, up)
    span = growth.place(node)
    if span in growth.brackets.round:
        bracket(growth, made, here, span)
    return made


def bracket(growth: Growth, node: cst.CSTNode, here: int, span: Span, count: int = 0) -> None:
    """Give a node the brackets that stand round it, besides those that it has."""
    round_it = growth.brackets.round
    while span in round_it:
        span, count = round_it[span], count + 1
    make.bracket(node, count)
    growth.bracketed[here] = span


def optional(growth: Growth, node: ast.expr | None, up: int) -> Any:
    """The node of an expression that need not be there."""
    return None if node is None else expression(growth, node, up)


def identifier(growth: Growth, spelled: str, start: int, up: int) -> Any:
    """The name that begins at a place, and is no expression of its own."""
    if growth.plain:
        return make.Name(growth, up, (start, start + len(spelled)), spelled)
    text = growth.data[start : start + 4 * len(spelled) + 40].decode(errors="ignore")
    found = re.match(r"\w+", text)
    if found is None:
        raise Unlike
    return make.Name(growth, up, (start, start + len(found[0].encode())), found[0])
