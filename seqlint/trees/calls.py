"""Attributes, calls, subscripts."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from seqlint.trees import nodes as make
from seqlint.trees.expressions import expression, identifier, optional
from seqlint.trees.text import Unlike

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.trees.text import Growth

Span = tuple[int, int]


_IDENTIFIER_END = re.compile(r"\w+$")


def _attribute(growth: Growth, node: ast.Attribute, up: int) -> Any:
    here = growth.open(up, node)
    value = expression(growth, node.value, here)
    end = growth.starts[node.end_lineno] + node.end_col_offset  # type: ignore[index, operator]
    name = node.attr
    start = end - len(name)
    if not growth.plain and growth.data[start:end] != name.encode():
        name = _last_name(growth, end)
        start = end - len(name.encode())
    return make.Attribute(growth, here, value, make.Name(growth, here, (start, end), name))


def _last_name(growth: Growth, end: int) -> str:
    """The name that ends at a place, where it is not ASCII, or Python's tree spells it in another way."""
    found = _IDENTIFIER_END.search(growth.data[max(0, end - 400) : end].decode(errors="ignore"))
    if found is None:
        raise Unlike
    return found[0]


def _call(growth: Growth, node: ast.Call, up: int) -> Any:
    here = growth.open(up, node)
    func = expression(growth, node.func, here)
    return make.Call(growth, here, func, arguments(growth, node.args, node.keywords, here))


def arguments(growth: Growth, args: list[ast.expr], keywords: list[ast.keyword], up: int) -> tuple[Any, ...]:
    """The arguments of a call or of a class, in the order of the text."""
    if not keywords:
        return tuple([_argument(growth, arg, up) for arg in args])
    if not any(type(arg) is ast.Starred for arg in args):
        return (*[_argument(growth, arg, up) for arg in args], *[keyword(growth, given, up) for given in keywords])
    both: list[ast.expr | ast.keyword] = [*args, *keywords]
    given = sorted(both, key=lambda arg: (arg.lineno, arg.col_offset))
    return tuple(
        [keyword(growth, arg, up) if isinstance(arg, ast.keyword) else _argument(growth, arg, up) for arg in given]
    )


def _argument(growth: Growth, node: ast.expr, up: int) -> Any:
    here = growth.open(up)
    if type(node) is ast.Starred:
        value = expression(growth, node.value, here)
        growth.spans[here] = growth.starts[node.lineno] + node.col_offset, growth.outer(here + 1)[1]
        return make.Arg(growth, here, value, None, "*")
    return make.Arg(growth, here, expression(growth, node, here), None, "")


def keyword(growth: Growth, node: ast.keyword, up: int) -> Any:
    """An argument that is given by keyword, or `**them`."""
    here = growth.open(up)
    start = growth.starts[node.lineno] + node.col_offset
    if node.arg is None:
        value = expression(growth, node.value, here)
        growth.spans[here] = start, growth.outer(here + 1)[1]
        return make.Arg(growth, here, value, None, "**")
    name = identifier(growth, node.arg, start, here)
    return make.Arg(growth, here, expression(growth, node.value, here), name, "")


def _subscript(growth: Growth, node: ast.Subscript, up: int) -> Any:
    here = growth.open(up, node)
    value = expression(growth, node.value, here)
    index = node.slice
    bare = type(index) is ast.Tuple and index.elts and growth.place(index) not in growth.brackets.inside
    parts = index.elts if bare else [index]  # type: ignore[attr-defined]
    return make.Subscript(growth, here, value, tuple([_part(growth, part, here) for part in parts]))


def _part(growth: Growth, node: ast.expr, up: int) -> Any:
    here = growth.open(up)
    below = growth.open(here)
    if type(node) is ast.Slice:
        growth.spans[below] = node
        made = make.Slice(
            growth, below, *[optional(growth, each, below) for each in (node.lower, node.upper, node.step)]
        )
    elif type(node) is ast.Starred:
        value = expression(growth, node.value, below)
        growth.spans[below] = growth.starts[node.lineno] + node.col_offset, growth.outer(below + 1)[1]
        made = make.Index(growth, below, value, "*")
    else:
        made = make.Index(growth, below, expression(growth, node, below), None)
    return make.SubscriptElement(growth, here, made)


MAKERS: dict[type[ast.AST], Callable[[Growth, Any, int], Any]] = {
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Subscript: _subscript,
}
"""What this module makes, by the kind of the node of Python's tree."""
