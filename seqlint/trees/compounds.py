"""The nodes of compound statements: definitions, branches, loops, `try`, `with`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from seqlint.trees import nodes as make
from seqlint.trees.calls import arguments
from seqlint.trees.expressions import expression, identifier, optional
from seqlint.trees.parameters import annotated, parameters
from seqlint.trees.statements import block
from seqlint.trees.text import Unlike

if TYPE_CHECKING:
    from collections.abc import Callable

    import libcst as cst

    from seqlint.trees.text import Growth

_BETWEEN = rb"(?:[ \t\r\n\f\\;]|#[^\n]*)*"
_ELSE = re.compile(_BETWEEN + rb"(else)\b")
_FINALLY = re.compile(_BETWEEN + rb"(finally)\b")
_DEFINED = re.compile(rb"(?:async\b[ \t\f\\\r\n]*)?(?:def|class)\b[ \t\f\\\r\n]*")
_AS = re.compile(rb"(?:[ \t\r\n\f\\)]|#[^\n]*)*\bas\b(?:[ \t\r\n\f\\]|#[^\n]*)*")


def _ended(growth: Growth, here: int, node: cst.CSTNode, start: int, last: int) -> Any:
    """A compound statement: it ends where its last block does."""
    return growth.close(here, node, (start, growth.spans[last][1]))  # type: ignore[index]


def _decorators(growth: Growth, nodes: list[ast.expr], up: int) -> tuple[Any, ...]:
    found = []
    for node in nodes:
        here = growth.open(up)
        made = make.Decorator(expression(growth, node, here))
        start, end = growth.outer(here + 1)
        found.append(growth.close(here, made, (growth.data.rindex(b"@", 0, start), end)))
    return tuple(found)


def _defined_name(growth: Growth, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, up: int) -> Any:
    if getattr(node, "type_params", None):
        raise Unlike
    found = _DEFINED.match(growth.data, growth.place(node)[0])
    assert found is not None
    return identifier(growth, node.name, found.end(), up)


def _function(growth: Growth, node: ast.FunctionDef | ast.AsyncFunctionDef, up: int) -> Any:
    here = growth.open(up)
    decorators = _decorators(growth, node.decorator_list, here)
    name = _defined_name(growth, node, here)
    params = parameters(growth, node.args, here)
    returns = None if node.returns is None else annotated(growth, node.returns, here)
    asynchronous = growth.leaf(make.Asynchronous(), here) if isinstance(node, ast.AsyncFunctionDef) else None
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    made = make.FunctionDef(name, params, body, decorators, returns, asynchronous)
    return _ended(growth, here, made, growth.place(node)[0], last)


def _class(growth: Growth, node: ast.ClassDef, up: int) -> Any:
    here = growth.open(up)
    decorators = _decorators(growth, node.decorator_list, here)
    name = _defined_name(growth, node, here)
    given = arguments(growth, node.bases, node.keywords, here)
    bases = tuple([arg for arg in given if arg.keyword is None and arg.star != "**"])
    keywords = tuple([arg for arg in given if arg.keyword is not None or arg.star == "**"])
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    made = make.ClassDef(name, body, bases, keywords, decorators)
    return _ended(growth, here, made, growth.place(node)[0], last)


def _if(growth: Growth, node: ast.If, up: int) -> Any:
    here = growth.open(up)
    test = expression(growth, node.test, here)
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    orelse = None
    if node.orelse:
        behind, last = last, len(growth.nodes)
        first = node.orelse[0]
        chained = isinstance(first, ast.If) and growth.data.startswith(b"elif", growth.place(first)[0])
        orelse = _if(growth, first, here) if chained else _else(growth, node.orelse, behind, here)  # type: ignore[arg-type]
    return _ended(growth, here, make.If(test, body, orelse), growth.place(node)[0], last)


def _else(growth: Growth, body: list[ast.stmt], behind: int, up: int) -> Any:
    return _headed(growth, make.Else, _ELSE, body, behind, up)


def _headed(
    growth: Growth, maker: Callable[..., Any], head: re.Pattern[bytes], body: list[ast.stmt], behind: int, up: int
) -> Any:
    """An `else` or `finally`, which Python's tree does not have: it stands behind the block with this number."""
    here = growth.open(up)
    made = maker(block(growth, body, here))
    found = head.match(growth.data, growth.spans[behind][1])  # type: ignore[index]
    if found is None:
        raise Unlike
    return _ended(growth, here, made, found.start(1), here + 1)


def _or_else(growth: Growth, body: list[ast.stmt], behind: int, up: int) -> tuple[Any, int]:
    """The `else` of a loop or `try`, and the number of the block that comes last."""
    if not body:
        return None, behind
    here = len(growth.nodes)
    return _else(growth, body, behind, up), here


def _for(growth: Growth, node: ast.For | ast.AsyncFor, up: int) -> Any:
    here = growth.open(up)
    target = expression(growth, node.target, here)
    iterable = expression(growth, node.iter, here)
    asynchronous = growth.leaf(make.Asynchronous(), here) if isinstance(node, ast.AsyncFor) else None
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    orelse, last = _or_else(growth, node.orelse, last, here)
    return _ended(growth, here, make.For(target, iterable, body, orelse, asynchronous), growth.place(node)[0], last)


def _while(growth: Growth, node: ast.While, up: int) -> Any:
    here = growth.open(up)
    test = expression(growth, node.test, here)
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    orelse, last = _or_else(growth, node.orelse, last, here)
    return _ended(growth, here, make.While(test, body, orelse), growth.place(node)[0], last)


def _try(growth: Growth, node: ast.Try, up: int) -> Any:
    starred = type(node) is not ast.Try
    here = growth.open(up)
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    handlers = []
    for handler in node.handlers:
        last = len(growth.nodes)
        handlers.append(_handler(growth, handler, starred, here))
    orelse, last = _or_else(growth, node.orelse, last, here)
    finalbody = None
    if node.finalbody:
        behind, last = last, len(growth.nodes)
        finalbody = _headed(growth, make.Finally, _FINALLY, node.finalbody, behind, here)
    made = (make.TryStar if starred else make.Try)(body, tuple(handlers), orelse, finalbody)
    return _ended(growth, here, made, growth.place(node)[0], last)


def _handler(growth: Growth, node: ast.ExceptHandler, starred: bool, up: int) -> Any:
    here = growth.open(up)
    kind = optional(growth, node.type, here)
    name = None
    if node.name is not None:
        end = growth.brackets.outer(growth.place(node.type))[1]
        name = _as_name(growth, node.name, end, here)
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    made = (make.ExceptStarHandler if starred else make.ExceptHandler)(body, kind, name)
    return _ended(growth, here, made, growth.place(node)[0], last)


def _as_name(growth: Growth, spelled: str, end: int, up: int) -> Any:
    found = _AS.match(growth.data, end)
    if found is None:
        raise Unlike
    here = growth.open(up)
    name = identifier(growth, spelled, found.end(), here)
    return growth.close(here, make.AsName(name), (end, growth.outer(here + 1)[1]))


def _with(growth: Growth, node: ast.With | ast.AsyncWith, up: int) -> Any:
    here = growth.open(up)
    items = tuple([_with_item(growth, item, here) for item in node.items])
    asynchronous = growth.leaf(make.Asynchronous(), here) if isinstance(node, ast.AsyncWith) else None
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    return _ended(growth, here, make.With(items, body, asynchronous), growth.place(node)[0], last)


def _with_item(growth: Growth, node: ast.withitem, up: int) -> Any:
    here = growth.open(up)
    item = expression(growth, node.context_expr, here)
    start, end = growth.outer(here + 1)
    asname = None
    if node.optional_vars is not None:
        place = growth.open(here)
        target = expression(growth, node.optional_vars, place)
        asname = growth.close(place, make.AsName(target), (end, growth.outer(place + 1)[1]))
        end = growth.outer(place + 1)[1]
    return growth.close(here, make.WithItem(item, asname), (start, end))


MAKERS: dict[type[ast.AST], Callable[[Growth, Any, int], Any]] = {
    ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class, ast.If: _if, ast.For: _for,
    ast.AsyncFor: _for, ast.While: _while, ast.Try: _try, ast.With: _with, ast.AsyncWith: _with,
}  # fmt: skip
if hasattr(ast, "TryStar"):
    MAKERS[ast.TryStar] = _try
