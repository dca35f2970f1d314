"""What is asked of a function: its parameters, and whether its body can matter."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from seqlint.facts.project.summary import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef

_TELLING = (ast.Name, ast.Attribute, ast.Call, ast.IfExp, ast.BoolOp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_OUTER = re.compile(rb"(?:^|[:;])[ \t]*(?:global|nonlocal)[ \t]+([^\n;#]+)", re.MULTILINE)
_LOOP = ("body", "orelse")
_PARTS: dict[type[ast.stmt], tuple[str, ...]] = {
    ast.AsyncFor: _LOOP,
    ast.AsyncWith: ("body",),
    ast.For: _LOOP,
    ast.If: _LOOP,
    ast.Match: ("cases",),
    ast.Try: ("body", "handlers", "orelse", "finalbody"),
    ast.While: _LOOP,
    ast.With: ("body",),
}
if hasattr(ast, "TryStar"):  # Python 3.11
    _PARTS[ast.TryStar] = _PARTS[ast.Try]


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


def rebound(text: bytes) -> frozenset[str]:
    """The names that functions may bind in scopes around them. When that happens can't be known."""
    names = b",".join(_OUTER.findall(text)).decode(errors="ignore")
    return frozenset(re.findall(r"\w+", names))


def holds_class(body: list[ast.stmt]) -> bool:
    """Whether a class is defined anywhere under some statements."""
    return any(
        isinstance(node, ast.ClassDef) or (isinstance(node, _DEFINITIONS) and holds_class(node.body))
        for node in _statements(body)
    )


def returns_names(node: Function) -> bool:
    """Whether a function returns something, and nothing but names, calls and None."""
    if node.decorator_list:
        return False
    returned = [
        found.value for found in _statements(node.body) if isinstance(found, ast.Return) and found.value is not None
    ]
    return bool(returned) and all(map(_tells, returned))


def yields(node: Function) -> bool:
    """Whether calling a function gives a generator."""
    if node.decorator_list or isinstance(node, ast.AsyncFunctionDef):
        return False
    stack: list[ast.AST] = list(node.body)
    while stack:
        found = stack.pop()
        if isinstance(found, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(found, (*_DEFINITIONS, ast.ClassDef, ast.Lambda)):
            stack += ast.iter_child_nodes(found)
    return False


def _tells(node: ast.expr) -> bool:
    return isinstance(node, _TELLING) or (isinstance(node, ast.Constant) and node.value is None)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements under some; definitions, but not what is inside them; never an expression."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        for field in _PARTS.get(type(node), ()):
            for part in getattr(node, field):
                if isinstance(part, (ast.ExceptHandler, ast.match_case)):
                    stack += part.body
                else:
                    stack.append(part)
