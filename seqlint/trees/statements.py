"""The nodes of simple statements, of their lines, and of blocks."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

import libcst as cst

from seqlint.trees import nodes as make
from seqlint.trees.expressions import expression, identifier, optional
from seqlint.trees.imports import import_from, imported
from seqlint.trees.operations import between, from_item
from seqlint.trees.parameters import annotated
from seqlint.trees.text import Growth, Unlike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Span = tuple[int, int]

_NAME = re.compile(rb"[ \t\f\\\r\n,]*([\w\x80-\xff]+)")
_NEXT = re.compile(rb"[ \t\f]*(?:\\\r?\n[ \t\f]*)*;(?:[ \t\f]|\\\r?\n)*(?=[^\s#\\])")

SIMPLE = (
    ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Delete, ast.Assert, ast.Global,
    ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Pass, ast.Break, ast.Continue,
)  # fmt: skip


def lines(growth: Growth, body: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """The statements of a block, with those together that a semicolon joins on one line."""
    joined: list[ast.stmt] = []
    for statement in body:
        if joined and not (isinstance(statement, SIMPLE) and _goes_on(growth, joined[-1], statement)):
            yield joined
            joined = []
        joined.append(statement)
    if joined:
        yield joined


def _goes_on(growth: Growth, one: ast.stmt, following: ast.stmt) -> bool:
    if not isinstance(one, SIMPLE):
        return False
    end, start = growth.place(one)[1], growth.place(following)[0]
    found = _NEXT.match(growth.data, end, start + 1)
    return found is not None and found.end() == start


def line(growth: Growth, joined: Sequence[ast.stmt], up: int) -> Any:
    """The node of a compound statement, or of a line of simple ones."""
    first = joined[0]
    if not isinstance(first, SIMPLE):
        grow = growth.makers.get(type(first))
        if grow is None:
            raise Unlike
        return grow(growth, first, up)
    here = growth.open(up)
    made = make.SimpleStatementLine(tuple([_small(growth, each, here) for each in joined]))
    return growth.close(here, made, (growth.place(first)[0], growth.place(joined[-1])[1]))


def block(growth: Growth, body: Sequence[ast.stmt], up: int) -> Any:
    """The block of a compound statement: indented, or behind the colon."""
    here = growth.open(up)
    if _is_behind_colon(growth, body[0]):
        made = make.SimpleStatementSuite(tuple([_small(growth, each, here) for each in body]))
        return growth.close(here, made, (growth.place(body[0])[0], growth.place(body[-1])[1]))
    first = len(growth.nodes)
    statements, last = [], first
    for joined in lines(growth, body):
        last = len(growth.nodes)
        statements.append(line(growth, joined, here))
    span = growth.spans[first][0], growth.spans[last][1]  # type: ignore[index]
    return growth.close(here, make.IndentedBlock(tuple(statements)), span)


def _is_behind_colon(growth: Growth, first: ast.stmt) -> bool:
    if not isinstance(first, SIMPLE):
        return False
    start = growth.place(first)[0]
    line_start = growth.starts[first.lineno]
    if growth.data[line_start:start].strip():
        return True
    return growth.data[max(0, line_start - 3) : line_start].rstrip(b"\r\n").endswith(b"\\")


# -- simple statements --------------------------------------------------------------------------------------------------------------


def _small(growth: Growth, node: ast.stmt, up: int) -> Any:
    here = growth.open(up)
    made = _SMALL[type(node)](growth, node, here)
    return growth.close(here, made, growth.place(node))


def _expr(growth: Growth, node: ast.Expr, up: int) -> Any:
    return make.Expr(expression(growth, node.value, up))


def _assign(growth: Growth, node: ast.Assign, up: int) -> Any:
    value = expression(growth, node.value, up)
    return make.Assign(tuple([_target(growth, target, up) for target in node.targets]), value)


def _target(growth: Growth, node: ast.expr, up: int) -> Any:
    here = growth.open(up)
    target = expression(growth, node, here)
    return growth.close(here, make.AssignTarget(target), growth.outer(here + 1))


_AUGMENTED: dict[type[ast.operator], type[cst.CSTNode]] = {
    ast.Add: cst.AddAssign, ast.Sub: cst.SubtractAssign, ast.Mult: cst.MultiplyAssign, ast.Div: cst.DivideAssign,
    ast.FloorDiv: cst.FloorDivideAssign, ast.Mod: cst.ModuloAssign, ast.Pow: cst.PowerAssign,
    ast.MatMult: cst.MatrixMultiplyAssign, ast.LShift: cst.LeftShiftAssign, ast.RShift: cst.RightShiftAssign,
    ast.BitAnd: cst.BitAndAssign, ast.BitOr: cst.BitOrAssign, ast.BitXor: cst.BitXorAssign,
}  # fmt: skip
_OPERATORS = {kind: make.maker(cst_kind) for kind, cst_kind in _AUGMENTED.items()}


def _augment(growth: Growth, node: ast.AugAssign, up: int) -> Any:
    target = expression(growth, node.target, up)
    sign = growth.open(up)
    value = expression(growth, node.value, up)
    operator = growth.close(sign, _OPERATORS[type(node.op)](), between(growth, up + 1, sign + 1))
    growth.ends[sign] = sign + 1
    return make.AugAssign(target, operator, value)


def _annotate(growth: Growth, node: ast.AnnAssign, up: int) -> Any:
    target = expression(growth, node.target, up)
    annotation = annotated(growth, node.annotation, up)
    return make.AnnAssign(target, annotation, optional(growth, node.value, up))


def _return(growth: Growth, node: ast.Return, up: int) -> Any:
    return make.Return(optional(growth, node.value, up))


def _raise(growth: Growth, node: ast.Raise, up: int) -> Any:
    exc = optional(growth, node.exc, up)
    return make.Raise(exc, None if node.cause is None else from_item(growth, node.cause, up))


def _delete(growth: Growth, node: ast.Delete, up: int) -> Any:
    if len(node.targets) == 1:
        return make.Del(expression(growth, node.targets[0], up))
    here = growth.open(up)
    elements = []
    for target in node.targets:
        place = growth.open(here)
        value = expression(growth, target, place)
        elements.append(growth.close(place, make.Element(value, cst.MaybeSentinel.DEFAULT), growth.outer(place + 1)))
    span = growth.outer(here + 1)[0], growth.place(node)[1]
    return make.Del(growth.close(here, make.Tuple(tuple(elements), (), ()), span))


def _assert(growth: Growth, node: ast.Assert, up: int) -> Any:
    test = expression(growth, node.test, up)
    return make.Assert(test, optional(growth, node.msg, up))


def _elsewhere(growth: Growth, node: ast.Global | ast.Nonlocal, up: int) -> Any:
    maker, word = (make.Global, b"global") if isinstance(node, ast.Global) else (make.Nonlocal, b"nonlocal")
    place = growth.place(node)[0] + len(word)
    items = []
    for name in node.names:
        found = _NAME.match(growth.data, place)
        assert found is not None
        here = growth.open(up)
        item = make.NameItem(identifier(growth, name, found.start(1), here))
        items.append(growth.close(here, item, found.span(1)))
        place = found.end()
    return maker(tuple(items))


def _pass(growth: Growth, node: ast.stmt, up: int) -> Any:
    return make.Pass()


def _break(growth: Growth, node: ast.stmt, up: int) -> Any:
    return make.Break()


def _continue(growth: Growth, node: ast.stmt, up: int) -> Any:
    return make.Continue()


_SMALL: dict[type[ast.stmt], Callable[[Growth, Any, int], Any]] = {
    ast.Expr: _expr, ast.Assign: _assign, ast.AugAssign: _augment, ast.AnnAssign: _annotate, ast.Return: _return,
    ast.Raise: _raise, ast.Delete: _delete, ast.Assert: _assert, ast.Global: _elsewhere, ast.Nonlocal: _elsewhere,
    ast.Import: imported, ast.ImportFrom: import_from, ast.Pass: _pass, ast.Break: _break, ast.Continue: _continue,
}  # fmt: skip
