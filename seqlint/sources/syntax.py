"""Python's own tree of a text. Several parts ask for it, and it is made and walked once."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property, lru_cache


@dataclass(frozen=True)
class Syntax:
    """The tree of a text. Whoever asks must leave it as it is."""

    tree: ast.Module

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes but operators, those near the root first."""
        return tuple(node for level in self._levels for node in level)

    @property
    def depth(self) -> int:
        """How many levels of nodes there are."""
        return len(self._levels)

    @cached_property
    def _levels(self) -> list[list[ast.AST]]:
        levels: list[list[ast.AST]] = [[self.tree]]
        while levels[-1]:
            levels.append([child for node in levels[-1] for child in parts(node)])
        return levels[:-1]


def syntax(text: str) -> Syntax:
    """The tree of a text.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `ast.parse` does.
    """
    found = _syntax(text)
    if isinstance(found, Syntax):
        return found
    raise found.with_traceback(None)


DEEP = 200
"""The levels of a file that is read on the way to another: who walks through it has no stack of its own for more."""


def neighbour(data: bytes | str) -> ast.Module | None:
    """The tree of a file that lies near another; None where it is no Python, or nested deeper than a person writes.

    Whoever asks must leave it as it is.
    """
    try:
        tree = parsed(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if _is_deep(tree) else tree


_MOST_KEPT = 200_000  # bytes


def parsed(data: bytes | str) -> ast.Module:
    """One tree of a text for all that read it: a module is summarised, then run for the file that imports it.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `ast.parse` does.
    """
    return _kept(data) if len(data) <= _MOST_KEPT else ast.parse(data)


@lru_cache(maxsize=32)
def _kept(data: bytes | str) -> ast.Module:
    return ast.parse(data)


def _is_deep(tree: ast.Module) -> bool:
    """Whether a tree has more than `DEEP` levels. What takes few characters can't be deep, so few nodes are walked through."""
    waiting: list[tuple[ast.AST, int]] = [(tree, 1)]
    while waiting:
        here, level = waiting.pop()
        if level > DEEP:
            return True
        if level < DEEP // 2 and _is_short(here):
            continue
        waiting += [(each, level + 1) for each in parts(here)]
    return False


def _is_short(node: ast.AST) -> bool:
    """Whether a node is on one line that has no room for a hundred levels: each takes a character at least."""
    last, end = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    if last is None or end is None or hasattr(node, "decorator_list"):  # decorators stand above the first line
        return False
    first, start = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    return bool(last == first and end - start < DEEP // 2)


@lru_cache(maxsize=4)
def _syntax(text: str) -> Syntax | SyntaxError | ValueError:
    """The tree, or why there is none; how deep a tree may be is another matter at each place."""
    try:
        return Syntax(ast.parse(text))
    except (SyntaxError, ValueError) as error:
        return error


def uncompiled(tree: ast.Module, flags: int = 0) -> SyntaxError | None:
    """Why Python does not run what it has parsed: `return` outside of a function, `nonlocal` at the top, an argument twice.

    Args:
        flags: those of `compile`, such as `ast.PyCF_ALLOW_TOP_LEVEL_AWAIT`.
    """
    try:
        compile(tree, "<unknown>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        return error.with_traceback(None)
    except (ValueError, RecursionError, MemoryError):  # of a tree that is too deep for this stack
        return None
    return None


def first_line(statement: ast.stmt) -> int:
    """The line, from 1, where a statement starts: that of its first decorator, if it has any."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


_NO_PARTS = frozenset({
    "ctx", "op", "ops", "type_comment", "kind", "id", "attr", "arg", "asname", "module", "level", "conversion", "simple",
})  # fmt: skip


def _fields_of(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields that may hold nodes."""
    return () if kind is ast.Constant else tuple(name for name in kind._fields if name not in _NO_PARTS)


_fields: dict[type[ast.AST], tuple[str, ...]] = {}


def parts(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one; operators, and whether something is loaded or stored, are left out."""
    kind = type(node)
    fields = _fields.get(kind)
    if fields is None:
        fields = _fields[kind] = _fields_of(kind)
    found: list[ast.AST] = []
    for name in fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found
