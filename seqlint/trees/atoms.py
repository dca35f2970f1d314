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

    from seqlint.trees.text import Formatted, Growth

Span = tuple[int, int]


_INSIDE_F = rb"\{([^\W\d]\w*(?:\.[^\W\d]\w*)*)(?::([^{}'\"\\\n]*))?\}"
_PLAIN_F = re.compile(
    rb"[fF](?:\"(?!\")(?:[^{}\"\\\n]|" + _INSIDE_F + rb")*\"|'(?!')(?:[^{}'\\\n]|" + _INSIDE_F + rb")*'|\"\"|'')"
)
_PIECE_OF_F = re.compile(rb"[^{}]+|" + _INSIDE_F)


def _name(growth: Growth, node: ast.Name, up: int) -> Any:
    name = node.id if growth.plain else growth.text(*growth.place(node))
    return make.Name(growth, up, node, name)


def _constant(growth: Growth, node: ast.Constant, up: int) -> Any:
    value = node.value
    if value is None or value is True or value is False:
        return make.Name(growth, up, node, str(value))
    if value is ...:
        return make.Dots(growth, up, node)
    span = growth.place(node)
    text = growth.text(*span)
    if isinstance(value, (str, bytes)):
        return _string(growth, text, span, up)
    if isinstance(value, int):
        return make.Integer(growth, up, span, text)
    return (make.Float if isinstance(value, float) else make.Imaginary)(growth, up, span, text)


def _string(growth: Growth, text: str, span: Span, up: int) -> Any:
    """A string literal, or several that stand one after the other."""
    quote = text[-1]
    if text[0] == quote and text.count(quote) == 2:  # most are one, without a prefix
        return make.SimpleString(growth, up, span, text)
    return _strings(growth, list(_pieces(growth.data, *span)), up)


def _strings(growth: Growth, pieces: list[Span], up: int) -> Any:
    """String literals that stand one after the other: the first together with all others."""
    joints, lefts = [], []
    for piece in pieces[:-1]:
        up = growth.open(up, (piece[0], pieces[-1][1]))
        joints.append(up)
        lefts.append(make.SimpleString(growth, up, piece, growth.text(*piece)))
    made = make.SimpleString(growth, up, pieces[-1], growth.text(*pieces[-1]))
    for here, left in zip(reversed(joints), reversed(lefts), strict=True):
        made = make.ConcatenatedString(growth, here, left, made)
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
    bracketed = (start, end) in growth.brackets.round  # which changes the node, so it must be of this tree alone
    here = len(growth.nodes)
    found = _read_formatted(text) if bracketed else _kept_formatted(*_another(growth, text, here))
    growth.strings[here] = start
    number(growth, found, up)
    growth.spans[here] = start, end
    return found


def _another(growth: Growth, text: str, here: int) -> Formatted:
    """An f-string of this text that is not in the tree yet, and is now."""
    which = growth.repeated.get(text, 0)
    while (text, which) in growth.formatted:
        which += 1
    growth.repeated[text] = which + 1
    growth.formatted[text, which] = here
    return text, which


@lru_cache(maxsize=512)
def _kept_formatted(text: str, which: int) -> cst.BaseExpression:
    """The first, second ... f-string of a text: in an editor the next tree takes it again."""
    return _read_formatted(text)


def _read_formatted(text: str) -> cst.BaseExpression:
    found = cst.parse_expression(f"({text})")
    make.bracket(found, 0)
    return found


def _plainly_formatted(growth: Growth, start: int, end: int, up: int) -> Any:
    """An f-string on one line that puts nothing in but names and attributes, as most do."""
    here = growth.open(up, (start, end))
    parts = []
    for found in _PIECE_OF_F.finditer(growth.data, start + 2, end - 1):
        if found[1] is None:
            parts.append(make.FormattedStringText(growth, here, found.span(), found[0].decode()))
            continue
        place = growth.open(here, found.span())
        expression = _reached(growth, found[1].decode(), found.start(1), place)
        form = found[2]
        spec = None if form is None else _format(growth, form.decode(), found.span(2), place)
        parts.append(make.FormattedStringExpression(growth, place, expression, spec))
    head = growth.text(start, start + 2)
    return make.FormattedString(growth, here, tuple(parts), head, head[1])


def _format(growth: Growth, form: str, span: Span, up: int) -> tuple[Any, ...]:
    return (make.FormattedStringText(growth, up, span, form),) if form else ()


def _reached(growth: Growth, name: str, start: int, up: int) -> Any:
    """`a.b.c`, written without a blank."""
    head, dot, last = name.rpartition(".")
    end = start + len(name.encode())
    if not dot:
        return make.Name(growth, up, (start, end), name)
    here = growth.open(up, (start, end))
    value = _reached(growth, head, start, here)
    attr = make.Name(growth, here, (end - len(last.encode()), end), last)
    return make.Attribute(growth, here, value, attr)


MAKERS: dict[type[ast.AST], Callable[[Growth, Any, int], Any]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.JoinedStr: _formatted,
}
"""What this module makes, by the kind of the node of Python's tree."""
