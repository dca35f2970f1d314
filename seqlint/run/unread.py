"""Cells of a notebook that Python does not read: code that may do anything with the names in them."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.sources import Source

_ASIDE = re.compile(r"#[^\n]*|\"\"\".*?\"\"\"|'''.*?'''|\"[^\"\n]*\"|'[^'\n]*'", re.DOTALL)
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_CHANGED = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*(?:\.|\[|=(?!=)|,[^()\n]*?[^=!<>(\n]=(?!=))")
_BOUND = re.compile(r"\b(?:def|class|for|as|del)\s+([A-Za-z_]\w*)")
_UNKNOWN = "__unread__"


def unread_cells(source: Source) -> list[tuple[int, int]]:
    """Where the cells are in the text, in bytes, that are blank there since Python does not read them."""
    notebook = source.notebook
    if notebook is None:
        return []
    places = [at for _, at, why in notebook.refused if not why.parses]
    return [(start, end) for start, end in notebook.spans if any(start <= at <= end for at in places)]


def with_unread_cells(tree: ast.Module, source: Source) -> ast.Module:
    """The program with a statement for each such cell: unknown code gets all names in it, and may have bound some of them anew."""
    cells = unread_cells(source)
    if not cells or source.notebook is None:
        return tree
    imported = {name for statement in tree.body for name in _imported(statement)}
    body = [*tree.body]
    for start, end in reversed(cells):
        text = source.notebook.written[start:end].decode("utf-8", "replace")
        line = bisect_right(source.line_starts, start)
        place = next((at for at, each in enumerate(body) if each.lineno > line), len(body))
        body[place:place] = _statements(text, imported, line)
    return ast.Module(body, tree.type_ignores)


def _statements(text: str, imported: set[str], line: int) -> list[ast.stmt]:
    plain = _ASIDE.sub(" ", text)
    skipped = imported | set(keyword.kwlist) | set(dir(builtins))
    names = [name for name in dict.fromkeys(_NAME.findall(plain)) if name not in skipped]
    changed = {*_CHANGED.findall(plain), *_BOUND.findall(plain)}
    if not names:
        return []
    given = ", ".join(names)
    # Each name gets something of its own: what is spelled alike would be one value.
    bound = "".join(f"{name} = {_UNKNOWN}{line}_{name}({given})\n" for name in names if name in changed)
    made = ast.parse(f"{_UNKNOWN}({given})\n{bound}").body
    for statement in made:
        for node in ast.walk(statement):
            if isinstance(node, (ast.stmt, ast.expr)):
                node.lineno = node.end_lineno = line
                node.col_offset = node.end_col_offset = 0
    return made


def _imported(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from ((each.asname or each.name).partition(".")[0] for each in statement.names)
