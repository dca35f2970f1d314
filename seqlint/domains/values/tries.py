"""Code that expects to fail: what stands in a `try` whose handlers catch the error."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Run


class Tries:
    """The `try` statements of the file that is looked at."""

    def __init__(self, run: Run) -> None:
        self._tree = run.machine.main.tree

    def cover(self, node: ast.AST, error: str) -> bool:
        """Whether a handler around a node catches an error of Python, by its name."""
        return any(caught is None or error in caught or "Exception" in caught for caught in self._around.get(node, ()))

    @cached_property
    def _around(self) -> dict[ast.AST, list[frozenset[str] | None]]:
        found: dict[ast.AST, list[frozenset[str] | None]] = {}
        for attempt in ast.walk(self._tree):
            if isinstance(attempt, ast.Try):
                caught = [_names(handler) for handler in attempt.handlers]
                for node in _inside(attempt.body):
                    found.setdefault(node, []).extend(caught)
        return found


def _names(handler: ast.ExceptHandler) -> frozenset[str] | None:
    """The errors that a handler names; None where it catches all."""
    if handler.type is None:
        return None
    return frozenset(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(handler.type)
        if isinstance(node, (ast.Name, ast.Attribute))
    )


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    for statement in body:
        yield from ast.walk(statement)
