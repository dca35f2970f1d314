"""Operators, conditions, and what waits or yields."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import libcst as cst

from seqlint.trees import nodes as make
from seqlint.trees.brackets import BLANK
from seqlint.trees.expressions import expression, optional

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.trees.text import Growth

Span = tuple[int, int]


_UNARY: dict[type[ast.unaryop], type[cst.CSTNode]] = {
    ast.Not: cst.Not, ast.USub: cst.Minus, ast.UAdd: cst.Plus, ast.Invert: cst.BitInvert,
}  # fmt: skip
_BINARY: dict[type[ast.operator], type[cst.CSTNode]] = {
    ast.Add: cst.Add, ast.Sub: cst.Subtract, ast.Mult: cst.Multiply, ast.Div: cst.Divide, ast.FloorDiv: cst.FloorDivide,
    ast.Mod: cst.Modulo, ast.Pow: cst.Power, ast.MatMult: cst.MatrixMultiply, ast.LShift: cst.LeftShift,
    ast.RShift: cst.RightShift, ast.BitAnd: cst.BitAnd, ast.BitOr: cst.BitOr, ast.BitXor: cst.BitXor,
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], type[cst.CSTNode]] = {
    ast.Lt: cst.LessThan, ast.LtE: cst.LessThanEqual, ast.Gt: cst.GreaterThan, ast.GtE: cst.GreaterThanEqual,
    ast.Eq: cst.Equal, ast.NotEq: cst.NotEqual, ast.In: cst.In, ast.NotIn: cst.NotIn, ast.Is: cst.Is, ast.IsNot: cst.IsNot,
}  # fmt: skip
_SIGNS: tuple[tuple[type[ast.AST], type[cst.CSTNode]], ...] = (*_UNARY.items(), *_BINARY.items(), *_COMPARED.items())
_OPERATORS = {kind: make.leaf(sign) for kind, sign in _SIGNS}
_JOINING = {ast.And: make.leaf(cst.And), ast.Or: make.leaf(cst.Or)}


def _binary(growth: Growth, node: ast.BinOp, up: int) -> Any:
    here = growth.open(up, node)
    left = expression(growth, node.left, here)
    sign = len(growth.nodes)
    operator = _OPERATORS[type(node.op)](growth, here, None)
    right = expression(growth, node.right, here)
    growth.spans[sign] = between(growth, here + 1, sign + 1)
    return make.BinaryOperation(growth, here, left, operator, right)


def _joined(growth: Growth, node: ast.BoolOp, up: int) -> Any:
    """`a and b and c` joins the first two, then these and the third; a hundred of them nest a hundred deep."""
    joints = []
    for _ in node.values[1:]:
        up = growth.open(up)
        joints.append(up)
    made = expression(growth, node.values[0], up)
    for here, value in zip(reversed(joints), node.values[1:], strict=True):
        sign = len(growth.nodes)
        operator = _JOINING[type(node.op)](growth, here, None)
        right = expression(growth, value, here)
        growth.spans[sign] = between(growth, here + 1, sign + 1)
        growth.spans[here] = growth.outer(here + 1)[0], growth.outer(sign + 1)[1]
        made = make.BooleanOperation(growth, here, made, operator, right)
    return made


def _unary(growth: Growth, node: ast.UnaryOp, up: int) -> Any:
    here = growth.open(up, node)
    start = growth.place(node)[0]
    length = 3 if type(node.op) is ast.Not else 1
    operator = _OPERATORS[type(node.op)](growth, here, (start, start + length))
    return make.UnaryOperation(growth, here, operator, expression(growth, node.operand, here))


def _comparison(growth: Growth, node: ast.Compare, up: int) -> Any:
    here = growth.open(up, node)
    before = here + 1
    left = expression(growth, node.left, here)
    comparisons = []
    for op, to in zip(node.ops, node.comparators, strict=True):
        place = len(growth.nodes)
        comparisons.append(_compared(growth, op, to, before, here))
        before = place + 2
    return make.Comparison(growth, here, left, tuple(comparisons))


def _compared(growth: Growth, op: ast.cmpop, to: ast.expr, before: int, up: int) -> Any:
    """An operator and what it compares with; it follows the operand with the number `before`."""
    here = growth.open(up)
    sign = here + 1
    unequal = type(op) is ast.NotEq
    operator = make.NotEqual(growth, here, None, "!=") if unequal else _OPERATORS[type(op)](growth, here, None)
    comparator = expression(growth, to, here)
    growth.spans[sign] = between(growth, before, sign + 1)
    return make.ComparisonTarget(growth, here, operator, comparator)


def between(growth: Growth, left: int, right: int) -> Span:
    """The bytes of an operator, by the numbers of what stands on both sides of it."""
    start = BLANK.match(growth.data, growth.outer(left)[1]).end()  # type: ignore[union-attr]
    return start, start + len(growth.data[start : growth.outer(right)[0]].rstrip())


def _if_exp(growth: Growth, node: ast.IfExp, up: int) -> Any:
    here = growth.open(up, node)
    test = expression(growth, node.test, here)
    body = expression(growth, node.body, here)
    return make.IfExp(growth, here, test, body, expression(growth, node.orelse, here))


def _named(growth: Growth, node: ast.NamedExpr, up: int) -> Any:
    here = growth.open(up, node)
    target = expression(growth, node.target, here)
    return make.NamedExpr(growth, here, target, expression(growth, node.value, here))


def _await(growth: Growth, node: ast.Await, up: int) -> Any:
    here = growth.open(up, node)
    return make.Await(growth, here, expression(growth, node.value, here))


def _yield(growth: Growth, node: ast.Yield, up: int) -> Any:
    here = growth.open(up, node)
    return make.Yield(growth, here, optional(growth, node.value, here))


def _yield_from(growth: Growth, node: ast.YieldFrom, up: int) -> Any:
    here = growth.open(up, node)
    return make.Yield(growth, here, from_item(growth, node.value, here))


def from_item(growth: Growth, node: ast.expr, up: int) -> Any:
    """The `from` of a `yield` or `raise`."""
    here = growth.open(up)
    made = make.From(growth, here, expression(growth, node, here))
    start, end = growth.outer(here + 1)
    growth.spans[here] = growth.data.rindex(b"from", 0, start), end
    return made


MAKERS: dict[type[ast.AST], Callable[[Growth, Any, int], Any]] = {
    ast.BinOp: _binary,
    ast.BoolOp: _joined,
    ast.UnaryOp: _unary,
    ast.Compare: _comparison,
    ast.IfExp: _if_exp,
    ast.NamedExpr: _named,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
"""What this module makes, by the kind of the node of Python's tree."""
