"""The names that a program has at its end, and those that its code reads: of a name that only appears, who reads it tells whether it counts."""

from __future__ import annotations

import ast
import symtable
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from .hooks import own

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .tape import Tape

_FINDS_GLOBALS = frozenset({"globals", "vars", "eval", "exec", ".__dict__"})
_FINDS_ATTRIBUTES = frozenset({"getattr", "hasattr", "vars", ".__dict__", "eval", "exec"})


def read_in(text: str) -> set[str]:
    """Names that code reads: of globals, of attributes with a point before them, and words in texts where it looks for such.

    Nothing where the text is no Python.
    """
    try:
        tree, table = ast.parse(text), symtable.symtable(text, "program", "exec")
    except (SyntaxError, ValueError):
        return set()
    attributes = {f".{node.attr}" for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}  # fmt: skip
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    words = {text for text in texts if text.isidentifier()}
    found = {*_globals(table), *attributes}
    as_globals = words if found & _FINDS_GLOBALS else set()
    return found | as_globals | {f".{word}" for word in words if found & _FINDS_ATTRIBUTES}


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    """Names that are read and, there, are those of the module."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _globals(child)


def of_script(tape: Tape) -> list[str]:
    """The names that the script reads; none of a notebook, whose cells are several texts."""
    if tape.job["kind"] == "notebook":
        return []
    return sorted(read_in(Path(tape.job["script"]).read_text("utf-8", "replace")))


def of_own_code(tape: Tape, kind: type) -> frozenset[str]:
    """The names that methods of the program's own classes mention, of a class and its bases: Keras keeps names of its own in the same object."""
    functions = [item for cls in kind.__mro__ if own(tape, cls.__module__) for item in vars(cls).values()]
    return frozenset(name for function in functions for name in _mentioned(_code(function)))


def _code(function: Any) -> CodeType | None:
    function = getattr(function, "fget", None) or getattr(function, "__func__", function)
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


def _mentioned(code: CodeType | None) -> Iterator[str]:
    if code is None:
        return
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _mentioned(constant)
