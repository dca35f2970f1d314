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
    from collections.abc import Callable, Sequence

    from seqlint.trees.text import Growth

_BETWEEN = rb"(?:[ \t\r\n\f\\;]|#[^\n]*)*"
_ELSE = re.compile(_BETWEEN + rb"(else)\b")
_FINALLY = re.compile(_BETWEEN + rb"(finally)\b")
_DEFINED = re.compile(rb"(?:async\b[ \t\f\\\r\n]*)?(?:def|class)\b[ \t\f\\\r\n]*")
_AS = re.compile(rb"(?:[ \t\r\n\f\\)]|#[^\n]*)*\bas\b(?:[ \t\r\n\f\\]|#[^\n]*)*")


def _decorators(growth: Growth, nodes: list[ast.expr], up: int) -> tuple[Any, ...]:
    found = []
    for node in nodes:
        here = growth.open(up)
        found.append(make.Decorator(growth, here, expression(growth, node, here)))
        start, end = growth.outer(here + 1)
        growth.spans[here] = growth.data.rindex(b"@", 0, start), end
    return tuple(found)


def _defined_name(growth: Growth, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, up: int) -> Any:
    if getattr(node, "type_params", None):
        raise Unlike
    found = _DEFINED.match(growth.data, growth.place(node)[0])
    assert found is not None
    return identifier(growth, node.name, found.end(), up)


def _function(growth: Growth, node: ast.FunctionDef | ast.AsyncFunctionDef, up: int) -> Any:
    here = growth.open(up, node)
    decorators = _decorators(growth, node.decorator_list, here)
    name = _defined_name(growth, node, here)
    params = parameters(growth, node.args, here)
    returns = None if node.returns is None else annotated(growth, node.returns, here)
    asynchronous = _asynchronous(growth, here) if isinstance(node, ast.AsyncFunctionDef) else None
    body = _body(growth, node.body, here, fields=False)
    return make.FunctionDef(growth, here, name, params, body, decorators, returns, asynchronous)


def _body(growth: Growth, body: Sequence[ast.stmt], up: int, *, fields: bool) -> Any:
    outer, growth.fields = growth.fields, fields
    made = block(growth, body, up)
    growth.fields = outer
    return made


def _asynchronous(growth: Growth, up: int) -> Any:
    return make.Asynchronous(growth, up, None)


def _class(growth: Growth, node: ast.ClassDef, up: int) -> Any:
    here = growth.open(up, node)
    decorators = _decorators(growth, node.decorator_list, here)
    name = _defined_name(growth, node, here)
    given = arguments(growth, node.bases, node.keywords, here)
    bases = tuple([arg for arg in given if arg.keyword is None and arg.star != "**"])
    keywords = tuple([arg for arg in given if arg.keyword is not None or arg.star == "**"])
    body = _body(growth, node.body, here, fields=True)
    return make.ClassDef(growth, here, name, body, bases, keywords, decorators)


def _if(growth: Growth, node: ast.If, up: int) -> Any:
    here = growth.open(up, node)
    test = expression(growth, node.test, here)
    after = len(growth.nodes)
    body = block(growth, node.body, here)
    orelse = None
    if node.orelse:
        first = node.orelse[0]
        chained = isinstance(first, ast.If) and growth.data.startswith(b"elif", growth.place(first)[0])
        orelse = _if(growth, first, here) if chained else _else(growth, node.orelse, after, here)  # type: ignore[arg-type]
    return make.If(growth, here, test, body, orelse)


def _else(growth: Growth, body: list[ast.stmt], after: int, up: int) -> Any:
    return _headed(growth, make.Else, _ELSE, body, after, up)


def _headed(
    growth: Growth, maker: Callable[..., Any], head: re.Pattern[bytes], body: list[ast.stmt], after: int, up: int
) -> Any:
    """An `else` or `finally`, which Python's tree does not have: it follows the block with this number."""
    found = head.match(growth.data, growth.span(after)[1])
    if found is None:
        raise Unlike
    here = growth.open(up)
    made = maker(growth, here, block(growth, body, here))
    growth.spans[here] = found.start(1), growth.span(here + 1)[1]
    return made


def _or_else(growth: Growth, body: list[ast.stmt], after: int, up: int) -> tuple[Any, int]:
    """The `else` of a loop or `try`, and the number of the block that comes last."""
    if not body:
        return None, after
    here = len(growth.nodes)
    return _else(growth, body, after, up), here


def _for(growth: Growth, node: ast.For | ast.AsyncFor, up: int) -> Any:
    here = growth.open(up, node)
    target = expression(growth, node.target, here)
    iterable = expression(growth, node.iter, here)
    asynchronous = _asynchronous(growth, here) if isinstance(node, ast.AsyncFor) else None
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    orelse, _ = _or_else(growth, node.orelse, last, here)
    return make.For(growth, here, target, iterable, body, orelse, asynchronous)


def _while(growth: Growth, node: ast.While, up: int) -> Any:
    here = growth.open(up, node)
    test = expression(growth, node.test, here)
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    orelse, _ = _or_else(growth, node.orelse, last, here)
    return make.While(growth, here, test, body, orelse)


def _try(growth: Growth, node: ast.Try, up: int) -> Any:
    starred = type(node) is not ast.Try
    here = growth.open(up, node)
    last = len(growth.nodes)
    body = block(growth, node.body, here)
    handlers = []
    for handler in node.handlers:
        last = len(growth.nodes)
        handlers.append(_handler(growth, handler, starred, here))
    orelse, last = _or_else(growth, node.orelse, last, here)
    finalbody = None
    if node.finalbody:
        finalbody = _headed(growth, make.Finally, _FINALLY, node.finalbody, last, here)
    return (make.TryStar if starred else make.Try)(growth, here, body, tuple(handlers), orelse, finalbody)


def _handler(growth: Growth, node: ast.ExceptHandler, starred: bool, up: int) -> Any:
    here = growth.open(up, node)
    kind = optional(growth, node.type, here)
    name = None
    if node.name is not None:
        end = growth.brackets.outer(growth.place(node.type))[1]
        name = _as_name(growth, node.name, end, here)
    body = block(growth, node.body, here)
    return (make.ExceptStarHandler if starred else make.ExceptHandler)(growth, here, body, kind, name)


def _as_name(growth: Growth, spelled: str, end: int, up: int) -> Any:
    found = _AS.match(growth.data, end)
    if found is None:
        raise Unlike
    here = growth.open(up)
    made = make.AsName(growth, here, identifier(growth, spelled, found.end(), here))
    growth.spans[here] = end, growth.span(here + 1)[1]
    return made


def _with(growth: Growth, node: ast.With | ast.AsyncWith, up: int) -> Any:
    here = growth.open(up, node)
    items = tuple([_with_item(growth, item, here) for item in node.items])
    asynchronous = _asynchronous(growth, here) if isinstance(node, ast.AsyncWith) else None
    return make.With(growth, here, items, block(growth, node.body, here), asynchronous)


def _with_item(growth: Growth, node: ast.withitem, up: int) -> Any:
    here = growth.open(up)
    item = expression(growth, node.context_expr, here)
    asname = None
    if node.optional_vars is not None:
        place = growth.open(here)
        asname = make.AsName(growth, place, expression(growth, node.optional_vars, place))
        growth.spans[place] = growth.outer(here + 1)[1], growth.outer(place + 1)[1]
    return make.WithItem(growth, here, item, asname)


MAKERS: dict[type[ast.AST], Callable[[Growth, Any, int], Any]] = {
    ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class, ast.If: _if, ast.For: _for,
    ast.AsyncFor: _for, ast.While: _while, ast.Try: _try, ast.With: _with, ast.AsyncWith: _with,
}  # fmt: skip
if hasattr(ast, "TryStar"):
    MAKERS[ast.TryStar] = _try
