"""What is asked of a function: its parameters, and whether its body can matter."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.facts.project.summary import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef

_TELLING = (ast.Name, ast.Attribute, ast.Call, ast.IfExp, ast.BoolOp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def parameters(node: Function) -> tuple[Parameter, ...]:
    """The parameters in the order of the signature, with the texts of their defaults."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    found = [
        Parameter(
            argument.arg, "positional-only" if argument in arguments.posonlyargs else "positional", _text(default)
        )
        for argument, default in zip(positional, [*missing, *arguments.defaults], strict=True)
    ]
    if arguments.vararg is not None:
        found.append(Parameter(arguments.vararg.arg, "*"))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(Parameter(argument.arg, "keyword-only", _text(default)))
    if arguments.kwarg is not None:
        found.append(Parameter(arguments.kwarg.arg, "**"))
    return tuple(found)


def _text(node: ast.expr | None) -> str | None:
    if node is None:
        return None
    return repr(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)


def calls_init(node: Function) -> bool:
    """Whether any `__init__` is called in a function."""
    return any(
        isinstance(found, ast.Call) and isinstance(found.func, ast.Attribute) and found.func.attr == "__init__"
        for found in ast.walk(node)
    )


def rebound(tree: ast.Module) -> frozenset[str]:
    """The names that functions bind in scopes around them. When that happens can't be known."""
    outer = (found.names for found in ast.walk(tree) if isinstance(found, (ast.Global, ast.Nonlocal)))
    return frozenset(name for names in outer for name in names)


def worth_reading(node: Function, *, method: bool) -> bool:
    """Whether the body of a function can tell anything.

    It does if it defines a class, or returns nothing but names and calls. What a method returns is not asked for.
    """
    returned: list[ast.expr] = []
    for found in _statements(node.body):
        if isinstance(found, ast.ClassDef):
            return True
        if isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)) and worth_reading(found, method=True):
            return True
        if isinstance(found, ast.Return) and found.value is not None:
            returned.append(found.value)
    return not method and not node.decorator_list and bool(returned) and all(map(_tells, returned))


def _tells(node: ast.expr) -> bool:
    return isinstance(node, _TELLING) or (isinstance(node, ast.Constant) and node.value is None)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements under some; definitions, but not what is inside them; never an expression."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, _DEFINITIONS):
            continue
        for field in ("body", "orelse", "finalbody"):
            stack += getattr(node, field, ())
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            stack += part.body
