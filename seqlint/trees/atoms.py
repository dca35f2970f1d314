"""Names, numbers and strings."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import libcst as cst

from seqlint.trees import nodes as make
from seqlint.trees.brackets import BLANK, STRING
from seqlint.trees.planted import number
from seqlint.trees.text import Unlike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from seqlint.trees.text import Growth

Span = tuple[int, int]


_INSIDE_F = rb"\{([^\W\d]\w*(?:\.[^\W\d]\w*)*)(?::([^{}'\"\\\n]*))?\}"
_PLAIN_F = re.compile(
    rb"[fF](?:\"(?!\")(?:[^{}\"\\\n]|" + _INSIDE_F + rb")*\"|'(?!')(?:[^{}'\\\n]|" + _INSIDE_F + rb")*'|\"\"|'')"
)
_PIECE_OF_F = re.compile(rb"[^{}]+|" + _INSIDE_F)


def _name(growth: Growth, node: ast.Name, up: int) -> Any:
    name = node.id if growth.plain else growth.text(*growth.place(node))
    return growth.leaf(make.Name(name), up)


def _constant(growth: Growth, node: ast.Constant, up: int) -> Any:
    value = node.value
    if value is None or value is True or value is False:
        return growth.leaf(make.Name(str(value)), up)
    if value is ...:
        return growth.leaf(make.Dots(), up)
    span = growth.place(node)
    if isinstance(value, (str, bytes)):
        return _string(growth, span, up)
    text = growth.text(*span)
    if isinstance(value, int):
        return growth.leaf(make.Integer(text), up)
    return growth.leaf((make.Float if isinstance(value, float) else make.Imaginary)(text), up)


def _string(growth: Growth, span: Span, up: int) -> Any:
    """A string literal, or several that stand one after the other: the first beside all others."""
    pieces = list(_pieces(growth.data, *span))
    joints, lefts = [], []
    for piece in pieces[:-1]:
        up = growth.open(up)
        joints.append((up, (piece[0], span[1])))
        lefts.append(growth.leaf(make.SimpleString(growth.text(*piece)), up, piece))
    made = growth.leaf(make.SimpleString(growth.text(*pieces[-1])), up, pieces[-1])
    for (here, place), left in zip(reversed(joints), reversed(lefts), strict=True):
        made = growth.close(here, make.ConcatenatedString(left, made), place)
    return made


def _pieces(data: bytes, start: int, end: int) -> Iterator[Span]:
    while True:
        found = STRING.match(data, start)
        if found is None or found.end() > end:
            raise Unlike
        yield found.span()
        if found.end() == end:
            return
        start = BLANK.match(data, found.end()).end()  # type: ignore[union-attr]


def _formatted(growth: Growth, node: ast.JoinedStr, up: int) -> Any:
    """An f-string. libcst reads it: before Python 3.12 Python's tree has wrong places for its parts."""
    start, end = growth.place(node)
    if _PLAIN_F.fullmatch(growth.data, start, end) is not None:
        return _plainly_formatted(growth, start, end, up)
    text = growth.text(start, end)
    growth.seen[text] += 1
    bracketed = (start, end) in growth.brackets.round  # which changes the node, so it must be of this tree alone
    found = _read_formatted(text) if bracketed else _kept_formatted(text, growth.seen[text])
    here = len(growth.nodes)
    growth.strings[here] = start
    number(growth, found, up)
    return found


@lru_cache(maxsize=512)
def _kept_formatted(text: str, place: int) -> cst.BaseExpression:
    """The f-string that is the first, second ... of its text in a file: in an editor the next tree takes it again."""
    return _read_formatted(text)


def _read_formatted(text: str) -> cst.BaseExpression:
    found = cst.parse_expression(f"({text})")
    make.bracket(found, 0)
    return found


def _plainly_formatted(growth: Growth, start: int, end: int, up: int) -> Any:
    """An f-string on one line that puts nothing in but names and attributes, as most do."""
    here = growth.open(up)
    parts = []
    for found in _PIECE_OF_F.finditer(growth.data, start + 2, end - 1):
        if found[1] is None:
            parts.append(growth.leaf(make.FormattedStringText(found[0].decode()), here, found.span()))
            continue
        place = growth.open(here)
        expression = _reached(growth, found[1].decode(), found.start(1), place)
        form = found[2]
        spec = None if form is None else _format(growth, form.decode(), found.span(2), place)
        made = make.FormattedStringExpression(expression, spec)
        parts.append(growth.close(place, made, found.span()))
    head = growth.text(start, start + 2)
    return growth.close(here, make.FormattedString(tuple(parts), head, head[1]))


def _format(growth: Growth, form: str, span: Span, up: int) -> tuple[Any, ...]:
    return (growth.leaf(make.FormattedStringText(form), up, span),) if form else ()


def _reached(growth: Growth, name: str, start: int, up: int) -> Any:
    """`a.b.c`, written without a blank."""
    head, dot, last = name.rpartition(".")
    if not dot:
        return growth.leaf(make.Name(name), up, (start, start + len(name.encode())))
    here = growth.open(up)
    value = _reached(growth, head, start, here)
    end = start + len(name.encode())
    attr = growth.leaf(make.Name(last), here, (end - len(last.encode()), end))
    return growth.close(here, make.Attribute(value, attr), (start, end))


MAKERS: dict[type[ast.AST], Callable[[Growth, Any, int], Any]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.JoinedStr: _formatted,
}
"""What this module makes, by the kind of the node of Python's tree."""
