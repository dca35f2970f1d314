"""Switches of a generator or Sequence that say how a row is changed, and not which rows are read."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ENDS = (ast.Continue, ast.Break, ast.Return, ast.Yield, ast.YieldFrom, ast.Raise)


@lru_cache(maxsize=1_024)
def changes_rows_alone(node: ast.AST, name: str) -> bool:
    """Whether a parameter or attribute only decides about statements that change what was read: `if augment: picture = flipped(picture)`.

    Args:
        node: the function or class.
        name: the parameter, or the attribute of `self`.
    """
    if name not in _asked(node):
        return False
    uses = [each for each in ast.walk(node) if _names(each, name) and isinstance(each.ctx, ast.Load)]  # type: ignore[attr-defined]
    branches = [each for each in ast.walk(node) if isinstance(each, (ast.If, ast.IfExp))]
    own = [each for each in branches if any(_names(inner, name) for inner in ast.walk(each.test))]
    tested = {id(inner) for each in own for inner in ast.walk(each.test)}
    if not own or any(id(use) not in tested for use in uses):
        return False
    own_ifs = [each for each in own if isinstance(each, ast.If)]
    if len(own_ifs) < len(own):
        return False
    statements = [statement for branch in own_ifs for statement in (*branch.body, *branch.orelse)]
    inside = {id(each) for statement in statements for each in ast.walk(statement)}
    taking = set(_taking(each for each in ast.walk(node) if id(each) not in inside))
    return all(_is_change(each, taking) for each in statements)


@lru_cache(maxsize=256)
def _asked(node: ast.AST) -> frozenset[str]:
    """The names and attributes that conditions ask: hardly any of all, and only they are looked at closely."""
    tests = [each.test for each in ast.walk(node) if isinstance(each, ast.If)]
    inside = [inner for test in tests for inner in ast.walk(test)]
    attributes = {each.attr for each in inside if isinstance(each, ast.Attribute)}
    return frozenset(attributes | {each.id for each in inside if isinstance(each, ast.Name)})


def _names(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == name and isinstance(node.value, ast.Name) and node.value.id == "self"
    return isinstance(node, ast.Name) and node.id == name


def _taking(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that say which rows are read: what loops go through, what has an index, and the index."""
    for each in nodes:
        if isinstance(each, (ast.For, ast.comprehension)):
            inside = [each.iter]
        elif isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load):
            inside = [each]
        elif isinstance(each, ast.While):
            inside = [each.test]
        else:
            continue
        yield from (inner.id for part in inside for inner in ast.walk(part) if isinstance(inner, ast.Name))


def _is_change(statement: ast.stmt, taking: set[str]) -> bool:
    """Whether a statement gives names other values that say nothing of which rows are read."""
    inside = list(ast.walk(statement))
    if any(isinstance(each, _ENDS) for each in inside):
        return False
    if not all(isinstance(each, (ast.Assign, ast.AugAssign, ast.If)) for each in inside if isinstance(each, ast.stmt)):
        return False
    bound = {each.id for each in inside if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    stored = [each for each in inside if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)]
    return bool(bound) and not stored and bound.isdisjoint(taking)
