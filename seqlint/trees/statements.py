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


def lines(growth: Growth, body: Sequence[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """The statements of a block, with those together that a semicolon joins on one line."""
    if not growth.joins:
        yield from ([statement] for statement in body)
        return
    joined: list[ast.stmt] = []
    for statement in body:
        if joined and not (type(statement) in _SMALL and _goes_on(growth, joined[-1], statement)):
            yield joined
            joined = []
        joined.append(statement)
    if joined:
        yield joined


def _goes_on(growth: Growth, one: ast.stmt, following: ast.stmt) -> bool:
    if type(one) not in _SMALL:
        return False
    end, start = growth.place(one)[1], growth.place(following)[0]
    found = _NEXT.match(growth.data, end, start + 1)
    return found is not None and found.end() == start


def line(growth: Growth, joined: Sequence[ast.stmt], up: int) -> Any:
    """The node of a compound statement, or of a line of simple ones."""
    first = joined[0]
    kind = type(first)
    if kind not in _SMALL:
        grow = growth.makers.get(kind)
        if grow is None:
            raise Unlike
        return grow(growth, first, up)
    here = growth.open(up)
    return make.SimpleStatementLine(growth, here, _smalls(growth, joined, here))


def _smalls(growth: Growth, joined: Sequence[ast.stmt], up: int) -> tuple[Any, ...]:
    if len(joined) == 1:
        return (_SMALL[type(joined[0])](growth, joined[0], up),)
    return tuple([_SMALL[type(each)](growth, each, up) for each in joined])


def block(growth: Growth, body: Sequence[ast.stmt], up: int) -> Any:
    """The block of a compound statement: indented, or after the colon."""
    here = growth.open(up)
    if _is_behind_colon(growth, body[0]):
        return make.SimpleStatementSuite(growth, here, _smalls(growth, body, here))
    return make.IndentedBlock(growth, here, tuple([line(growth, joined, here) for joined in lines(growth, body)]))


def _is_behind_colon(growth: Growth, first: ast.stmt) -> bool:
    if type(first) not in _SMALL:
        return False
    start = growth.place(first)[0]
    line_start = growth.starts[first.lineno]
    if growth.data[line_start:start].strip():
        return True
    return growth.data[max(0, line_start - 3) : line_start].rstrip(b"\r\n").endswith(b"\\")


# -- simple statements --------------------------------------------------------------------------------------------------------------


def _expr(growth: Growth, node: ast.Expr, up: int) -> Any:
    here = growth.open(up, node)
    return make.Expr(growth, here, expression(growth, node.value, here))


def _assign(growth: Growth, node: ast.Assign, up: int) -> Any:
    here = growth.open(up, node)
    value = expression(growth, node.value, here)
    targets = []
    for target in node.targets:
        place = growth.open(here)
        targets.append(make.AssignTarget(growth, place, expression(growth, target, place)))
    return make.Assign(growth, here, tuple(targets), value)


_AUGMENTED: dict[type[ast.operator], type[cst.CSTNode]] = {
    ast.Add: cst.AddAssign, ast.Sub: cst.SubtractAssign, ast.Mult: cst.MultiplyAssign, ast.Div: cst.DivideAssign,
    ast.FloorDiv: cst.FloorDivideAssign, ast.Mod: cst.ModuloAssign, ast.Pow: cst.PowerAssign,
    ast.MatMult: cst.MatrixMultiplyAssign, ast.LShift: cst.LeftShiftAssign, ast.RShift: cst.RightShiftAssign,
    ast.BitAnd: cst.BitAndAssign, ast.BitOr: cst.BitOrAssign, ast.BitXor: cst.BitXorAssign,
}  # fmt: skip
_OPERATORS = {kind: make.leaf(cst_kind) for kind, cst_kind in _AUGMENTED.items()}


def _augment(growth: Growth, node: ast.AugAssign, up: int) -> Any:
    here = growth.open(up, node)
    target = expression(growth, node.target, here)
    sign = len(growth.nodes)
    operator = _OPERATORS[type(node.op)](growth, here, None)
    value = expression(growth, node.value, here)
    growth.spans[sign] = between(growth, here + 1, sign + 1)
    return make.AugAssign(growth, here, target, operator, value)


def _annotate(growth: Growth, node: ast.AnnAssign, up: int) -> Any:
    """An annotated field of a class. Elsewhere `x: int = 1` binds as `x = 1` does, so it is told in the same way."""
    here = growth.open(up, node)
    if node.value is not None and not growth.fields:
        return _typed(growth, node, node.value, here)
    target = expression(growth, node.target, here)
    annotation = annotated(growth, node.annotation, here)
    return make.AnnAssign(growth, here, target, annotation, optional(growth, node.value, here))


def _typed(growth: Growth, node: ast.AnnAssign, given: ast.expr, here: int) -> Any:
    """An assignment. The annotation has its place below it, as what names may stand in; the node knows nothing of it."""
    annotated(growth, node.annotation, here)
    value = expression(growth, given, here)
    place = growth.open(here)
    target = make.AssignTarget(growth, place, expression(growth, node.target, place))
    return make.Assign(growth, here, (target,), value)


def _return(growth: Growth, node: ast.Return, up: int) -> Any:
    here = growth.open(up, node)
    return make.Return(growth, here, optional(growth, node.value, here))


def _raise(growth: Growth, node: ast.Raise, up: int) -> Any:
    here = growth.open(up, node)
    exc = optional(growth, node.exc, here)
    return make.Raise(growth, here, exc, None if node.cause is None else from_item(growth, node.cause, here))


def _delete(growth: Growth, node: ast.Delete, up: int) -> Any:
    here = growth.open(up, node)
    if len(node.targets) == 1:
        return make.Del(growth, here, expression(growth, node.targets[0], here))
    row = growth.open(here)
    elements = []
    for target in node.targets:
        place = growth.open(row)
        value = expression(growth, target, place)
        elements.append(make.Element(growth, place, value, cst.MaybeSentinel.DEFAULT))
    growth.spans[row] = growth.outer(row + 1)[0], growth.place(node)[1]
    return make.Del(growth, here, make.Tuple(growth, row, tuple(elements), (), ()))


def _assert(growth: Growth, node: ast.Assert, up: int) -> Any:
    here = growth.open(up, node)
    test = expression(growth, node.test, here)
    return make.Assert(growth, here, test, optional(growth, node.msg, here))


def _elsewhere(growth: Growth, node: ast.Global | ast.Nonlocal, up: int) -> Any:
    maker, word = (make.Global, b"global") if isinstance(node, ast.Global) else (make.Nonlocal, b"nonlocal")
    place = growth.place(node)[0] + len(word)
    here = growth.open(up, node)
    items = []
    for name in node.names:
        found = _NAME.match(growth.data, place)
        assert found is not None
        below = growth.open(here, found.span(1))
        items.append(make.NameItem(growth, below, identifier(growth, name, found.start(1), below)))
        place = found.end()
    return maker(growth, here, tuple(items))


def _pass(growth: Growth, node: ast.Pass, up: int) -> Any:
    return make.Pass(growth, up, node)


def _break(growth: Growth, node: ast.Break, up: int) -> Any:
    return make.Break(growth, up, node)


def _continue(growth: Growth, node: ast.Continue, up: int) -> Any:
    return make.Continue(growth, up, node)


_SMALL: dict[type[ast.stmt], Callable[[Growth, Any, int], Any]] = {
    ast.Expr: _expr, ast.Assign: _assign, ast.AugAssign: _augment, ast.AnnAssign: _annotate, ast.Return: _return,
    ast.Raise: _raise, ast.Delete: _delete, ast.Assert: _assert, ast.Global: _elsewhere, ast.Nonlocal: _elsewhere,
    ast.Import: imported, ast.ImportFrom: import_from, ast.Pass: _pass, ast.Break: _break, ast.Continue: _continue,
}  # fmt: skip
