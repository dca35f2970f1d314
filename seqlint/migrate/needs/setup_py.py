"""setup.py: the demands in literal lists. Nothing is run."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from seqlint.migrate.needs.spots import Spot, lines, of_requirement
from seqlint.sources.syntax import neighbour

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAMED = re.compile(r"require|dependenc|\bdeps|\breqs?\b|extras|install", re.IGNORECASE)
_PLAIN = re.compile(r"[uU]?([\"'])([^\"'\\\n]*)\1")


def of_setup_py(text: str) -> Iterator[Spot]:
    """The demands in lists that are called by what they are: `install_requires`, `extras_require`, `REQUIREMENTS`."""
    tree = neighbour(text)
    if tree is None:
        return
    starts = [*(start for start, _ in lines(text)), len(text)]
    seen = set()
    for value in _named_values(tree):
        for node in _items(value):
            spot = _spot(text, starts, node) if id(node) not in seen else None
            seen.add(id(node))
            if spot is not None:
                yield spot


def _named_values(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if (isinstance(node, ast.keyword) and _NAMED.search(node.arg or "")) or (
            isinstance(node, ast.Assign) and any(_NAMED.search(ast.unparse(target)) for target in node.targets)
        ):
            yield node.value


def _items(value: ast.expr) -> Iterator[ast.Constant]:
    for holder in ast.walk(value):
        if isinstance(holder, (ast.List, ast.Tuple, ast.Set)):
            yield from (one for one in holder.elts if isinstance(one, ast.Constant) and isinstance(one.value, str))


def _spot(text: str, starts: list[int], node: ast.Constant) -> Spot | None:
    """The demand that an item is, where it is written as one plain text."""
    first = starts[node.lineno - 1]
    line = text[first : starts[node.lineno]]
    start = first + len(line.encode()[: node.col_offset].decode(errors="replace"))
    found = _PLAIN.match(text, start)
    if found is None or found[2] != node.value:
        return None
    before = text[first:start]
    alone = re.compile(r"[ \t]*,?[ \t]*(?:#[^\n]*)?\r?\n").match(text, found.end())
    if not before.strip() and alone is not None:
        gone = first, alone.end()
    else:
        after = re.compile(r"[ \t]*,[ \t]*").match(text, found.end())
        earlier = re.search(r",[ \t]*$", before)
        end = after.end() if after is not None else found.end()
        gone = first + earlier.start() if after is None and earlier is not None else start, end
    return of_requirement(found[2], found.start(2), gone)
