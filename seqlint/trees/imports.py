"""The nodes of imports. Python's tree has their dotted names as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from seqlint.trees import nodes as make
from seqlint.trees.expressions import identifier
from seqlint.trees.text import Growth, Unlike

if TYPE_CHECKING:
    import ast

_BLANK = rb"(?:[ \t\r\n\f\\]|#[^\n]*)*"
_FROM = re.compile(rb"from\b" + _BLANK + rb"((?:\." + _BLANK + rb")*)")
_STEP = re.compile(_BLANK + rb"\." + _BLANK)
_AS = re.compile(_BLANK + rb"as\b" + _BLANK)


def imported(growth: Growth, node: ast.Import, up: int) -> Any:
    """`import a.b as c, d`."""
    here = growth.open(up, node)
    return make.Import(growth, here, tuple([_alias(growth, alias, here) for alias in node.names]))


def import_from(growth: Growth, node: ast.ImportFrom, up: int) -> Any:
    """`from ..a.b import (c as d, e)`."""
    start, end = growth.place(node)
    found = _FROM.match(growth.data, start)
    if found is None:
        raise Unlike
    here = growth.open(up, (start, end))
    module = _dotted(growth, node.module, found.end(), here) if node.module else None
    if node.names[0].name == "*":
        star = make.ImportStar(growth, here, node.names[0])
        return make.ImportFrom(growth, here, module, star, _dots(growth, node, here), None, None)
    names = tuple([_alias(growth, alias, here) for alias in node.names])
    pair = make.PAIR if growth.data[end - 1] == ord(")") else (None, None)
    return make.ImportFrom(growth, here, module, names, _dots(growth, node, here), *pair)


def _dots(growth: Growth, node: ast.ImportFrom, up: int) -> tuple[Any, ...]:
    return tuple([make.Dot(growth, up, None) for _ in range(node.level)])


def _alias(growth: Growth, node: ast.alias, up: int) -> Any:
    start, end = growth.place(node)
    here = growth.open(up, (start, end))
    name = _dotted(growth, node.name, start, here)
    asname = None
    if node.asname is not None:
        after = growth.outer(here + 1)[1]
        found = _AS.match(growth.data, after)
        if found is None:
            raise Unlike
        place = growth.open(here, (after, end))
        asname = make.AsName(growth, place, identifier(growth, node.asname, found.end(), place))
    return make.ImportAlias(growth, here, name, asname)


def _dotted(growth: Growth, name: str, start: int, up: int) -> Any:
    """`a.b.c` at a place: an attribute of an attribute."""
    parts = name.split(".")
    places, here = [], start
    for number, part in enumerate(parts):
        if number:
            found = _STEP.match(growth.data, here)
            if found is None:
                raise Unlike
            here = found.end()
        places.append(here)
        here += len(part.encode())
    return _chain(growth, parts, places, up)


def _chain(growth: Growth, parts: list[str], places: list[int], up: int) -> Any:
    if len(parts) == 1:
        return identifier(growth, parts[0], places[0], up)
    here = growth.open(up)
    value = _chain(growth, parts[:-1], places[:-1], here)
    return make.Attribute(growth, here, value, identifier(growth, parts[-1], places[-1], here))
