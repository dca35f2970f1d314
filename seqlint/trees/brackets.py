"""The brackets that only group, such as those of `(a + b) * c`. Python's own tree leaves them out."""

from __future__ import annotations

import ast
import keyword
import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from seqlint.sources.syntax import Syntax

Span = tuple[int, int]

_TRIPLE = rb"\'\'\'(?:[^\\]|\\.)*?\'\'\'|\"\"\"(?:[^\\]|\\.)*?\"\"\""
_SINGLE = rb"'(?:[^\\'\n]|\\.)*'|\"(?:[^\\\"\n]|\\.)*\""
STRING = re.compile(rb"[a-zA-Z]{0,2}(?:" + _TRIPLE + b"|" + _SINGLE + b")", re.DOTALL)
_BRACKET = re.compile(rb"[()]|#[^\n]*")
_BRACKET_OR_STRING = re.compile(rb"[()]|#[^\n]*|" + _TRIPLE + b"|" + _SINGLE, re.DOTALL)
BLANK = re.compile(rb"(?:[ \t\r\n\f\\]|#[^\n]*)*")
"""What can stand between two words of one expression."""
_WORD = re.compile(rb"\w+$")
_OPENING, _CLOSING, _HASH = b"()#"
_SPACE = b" \t\r\n\f\\"
_KEYWORDS = frozenset(word.encode() for word in keyword.kwlist if word not in ("None", "True", "False"))
_FORMATTED = re.compile(rb"[fFtT][rR]?[\"']")
_QUOTES_NEST = sys.version_info >= (3, 12)
"""Whether a string can hold its own quotes, in what an f-string puts in."""


@dataclass
class Brackets:
    """The grouping brackets of a text, and those of tuples.

    Attributes:
        round: for the span of what stands between brackets that with the brackets.
        inside: the other way round.
    """

    round: dict[Span, Span] = field(default_factory=dict)
    inside: dict[Span, Span] = field(default_factory=dict)

    def outer(self, span: Span) -> Span:
        """A span with all brackets round it."""
        while span in self.round:
            span = self.round[span]
        return span


def brackets(data: bytes, syntax: Syntax, starts: Sequence[int], begin: int, end: int) -> Brackets:
    """Find the brackets of a part of a text in one pass.

    Args:
        data: the text, as UTF-8.
        starts: where each line begins, from index 1.
        begin, end: the part; it begins after a statement of the module, and ends before one.
    """
    if _QUOTES_NEST and _FORMATTED.search(data, begin, end):
        strings = (span for span in _strings(syntax.nodes, starts) if begin <= span[0] < end)
        return _matched(data, _outside_strings(data, strings, begin, end))
    return _matched(data, _BRACKET_OR_STRING.finditer(data, begin, end))


def _matched(data: bytes, words: Iterable[re.Match[bytes]]) -> Brackets:
    found = Brackets()
    comments: dict[int, int] = {}
    stack: list[tuple[int, bool]] = []
    for match in words:
        here = match.start()
        first = data[here]
        if first == _HASH:
            comments[match.end()] = here
        elif first == _OPENING:
            before = _end_before(data, here, comments)
            begins = not stack and _ends_line(data, before, here)
            stack.append((here, begins or _groups(data, before)))
        elif first == _CLOSING and stack:
            opening, groups = stack.pop()
            if groups:
                inner = BLANK.match(data, opening + 1).end(), _end_before(data, here, comments)  # type: ignore[union-attr]
                found.round[inner] = opening, here + 1
                found.inside[opening, here + 1] = inner
    return found


def _ends_line(data: bytes, end: int, here: int) -> bool:
    """Whether a statement ends between a word and a bracket that stands in no other one."""
    newline = data.find(b"\n", end, here)
    return newline >= 0 and not data[end:newline].rstrip(b"\r").endswith(b"\\")


def _groups(data: bytes, end: int) -> bool:
    """Whether a bracket after this place groups, and calls nothing and names no parameters."""
    if not end:
        return True
    last = data[end - 1]
    if last in b")]}\"'":
        return False
    if last < 128 and not (chr(last).isalnum() or last == 95):
        return last != 46 or data[end - 3 : end] != b"..."
    word = _WORD.search(data, max(0, end - 20), end)
    return word is not None and word[0] in _KEYWORDS


def _end_before(data: bytes, place: int, comments: dict[int, int]) -> int:
    """The end of the last word before a place."""
    while True:
        while place and data[place - 1] in _SPACE:
            place -= 1
        if place not in comments:
            return place
        place = comments[place]


def _strings(nodes: Iterable[ast.AST], starts: Sequence[int]) -> list[Span]:
    """The spans of string literals, in order; those of one f-string as one."""
    literals = (node for node in nodes if isinstance(node, (ast.JoinedStr, ast.Constant)))
    return sorted(
        (starts[node.lineno] + node.col_offset, starts[node.end_lineno or 0] + (node.end_col_offset or 0))
        for node in literals
        if isinstance(node, ast.JoinedStr) or isinstance(node.value, (str, bytes))
    )


def _outside_strings(data: bytes, strings: Iterable[Span], begin: int, stop: int) -> Iterator[re.Match[bytes]]:
    here = begin
    for start, end in strings:
        if start >= here:
            yield from _BRACKET.finditer(data, here, start)
        here = max(here, end)
    yield from _BRACKET.finditer(data, here, stop)
