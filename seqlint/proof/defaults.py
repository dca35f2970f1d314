"""Defaults of parameters that a change gives another value: they have an effect only where a call leaves the argument out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.proof.recorder.marks import defaults_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def changed(before: str, after: str) -> tuple[str, ...]:
    """The parameters, as "Class.method.parameter", that both programs have with different defaults; none where one is no Python."""
    try:
        old, new = (dict(_defaults(ast.parse(text), "")) for text in (before, after))
    except (SyntaxError, ValueError):
        return ()
    return tuple(sorted(name for name in old.keys() & new.keys() if old[name] != new[name]))


def _defaults(node: ast.AST, above: str) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        name = f"{above}{child.name}." if isinstance(child, _DEFINES) else above
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from ((f"{name}{argument.arg}", ast.dump(value)) for argument, value in defaults_of(child.args))
        yield from _defaults(child, name)
