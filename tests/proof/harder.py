"""The same program as its user might have it: it prints what came out, its optimizer keeps a state, its data are fractions."""

from __future__ import annotations

import ast
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN = {"fit": "{}.history", "evaluate": "{}", "predict": "{}"}
_SCOPES = (ast.FunctionDef, ast.ClassDef, ast.Lambda)


def harder(text: str) -> str:
    """A program that does the same with other numbers, and shows more of it."""
    tree = ast.parse(text)
    _Scaled().visit(tree)
    _Stateful().visit(tree)
    names = (f"shown_{number}" for number in count(1))
    for node in list(ast.walk(tree)):
        for block in (getattr(node, field, None) for field in ("body", "orelse", "finalbody")):
            if isinstance(block, list):
                block[:] = [part for statement in block for part in _shown(statement, names)]
    return ast.unparse(ast.fix_missing_locations(tree))


class _Scaled(ast.NodeTransformer):
    """Arrays of ones, and floats that count up, which the script makes: rows of fractions, no two of them alike."""

    def __init__(self) -> None:
        self._seeds = count(1)

    def visit(self, node: ast.AST) -> ast.AST:
        return node if isinstance(node, _SCOPES) else super().visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name, dtype = ast.unparse(node.func), _dtype(node)
        if name == "np.ones" and "int" not in dtype:
            drawn = f"np.random.default_rng({next(self._seeds)}).normal(size={ast.unparse(node.args[0])})"
            return ast.parse(f"{drawn}.astype({dtype or repr('float64')})", mode="eval").body
        if name == "np.arange" and "float" in dtype:
            return ast.parse(f"{ast.unparse(node)} / 7.3", mode="eval").body
        return node


def _dtype(call: ast.Call) -> str:
    given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "dtype")]
    return ast.unparse(given[-1]) if given and len(call.args) < 3 else ""


class _Stateful(ast.NodeTransformer):
    """Adam in the place of plain SGD: a step without samples, or one more, changes what comes after it."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        plain = ast.unparse(node.func).endswith("optimizers.SGD") and not node.keywords
        if plain and isinstance(node.func, ast.Attribute):
            node.func.attr = "Adam"
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant("adam") if node.value == "sgd" else node


def _shown(statement: ast.stmt, names: Iterator[str]) -> list[ast.stmt]:
    """A statement that fits or predicts, and a line that prints what that gave."""
    value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
    way = _SHOWN.get(value.func.attr) if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else None
    if way is None or value is None:
        return [statement]
    if isinstance(statement, ast.Expr):
        name = next(names)
        statement = ast.Assign([ast.Name(name, ast.Store())], value)
    else:
        assert isinstance(statement, ast.Assign)
        target = statement.targets[0]
        if not isinstance(target, ast.Name):
            return [statement]
        name = target.id
    return [statement, *ast.parse(f"print({way.format(name)})").body]
