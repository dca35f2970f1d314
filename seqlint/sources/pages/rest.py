"""The code blocks of reStructuredText, line by line: docutils does not say where the code of a directive starts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from seqlint.sources.pages.blocks import Numbered, block, is_python, without_options
from seqlint.sources.pages.markdown import sessions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from seqlint.sources.pages.blocks import Block

_DIRECTIVE = re.compile(r"(\s*(?:[-*+]\s+)*)\.\.\s+([\w:.+-]+?)::(?:\s+(.*))?$")
_COMMENT = re.compile(r"(\s*)\.\.(?:\s+(?!\[|_|\|).*)?$")
_BULLET = re.compile(r"\s*(?:(?:[-*+]|\(?(?:\d+|[a-zA-Z#])[.)])\s+)*")
# Directives whose content is code: Python, in the language that they name, or something else.
_EXECUTED = frozenset({"doctest", "jupyter-execute", "testcode", "testsetup"})
_CODE = frozenset({"code", "code-block", "ipython", "sourcecode"})
_OTHER = frozenset({"graphviz", "math", "mermaid", "parsed-literal", "productionlist", "prompt", "raw", "testoutput"})
_TAB = 8


def rest(page: Sequence[str]) -> Iterator[Block]:
    """The Python of a page, in its order."""
    for lines in _Reader([line.rstrip("\r\n") for line in page]).found():
        one = block(page, lines, marked=True)
        if one is not None:
            yield one


class _Marker(NamedTuple):
    """A line below which something is indented that is no text.

    Attributes:
        language: that of what is indented; empty: none that is known.
        indent: the column of the line.
        directive: whether options may come first.
    """

    language: str
    indent: int
    directive: bool


class _Reader:
    """Goes through a page once, from marker to marker; all other lines are text, in which there may be sessions."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._default = "python"
        self._text: list[Numbered] = []

    def found(self) -> Iterator[list[Numbered]]:
        """The lines of each block, without their indentation."""
        here = 0
        while here < len(self._lines):
            marker = self._marker(self._lines[here])
            if marker is None:
                self._text.append((here, self._lines[here]))
                here += 1
                continue
            yield from self._sessions()
            end = self._end(here + 1, marker.indent)
            if is_python(marker.language):
                inside = list(enumerate(self._lines[here + 1 : end], here + 1))
                yield _dedented(without_options(inside) if marker.directive else inside)
            here = end
        yield from self._sessions()

    def _sessions(self) -> Iterator[list[Numbered]]:
        yield from sessions(self._text)
        self._text = []

    def _marker(self, line: str) -> _Marker | None:
        if directive := _DIRECTIVE.match(line):
            language = self._language(directive[2].lower(), (directive[3] or "").strip())
            return None if language is None else _Marker(language, _width(directive[1]), True)
        if comment := _COMMENT.match(line):
            return _Marker("", _width(comment[1]), False)
        bullet = _BULLET.match(line)
        if line.rstrip().endswith("::") and bullet is not None:
            return _Marker(self._default, _width(bullet[0]), False)
        return None

    def _language(self, directive: str, argument: str) -> str | None:
        """The language of a directive's content; None where that is text."""
        if directive == "highlight":
            self._default = "python" if argument == "default" else argument
        if directive in _EXECUTED:
            return "python"
        if directive in _CODE:
            return argument or self._default
        return "" if directive in _OTHER else None

    def _end(self, start: int, indent: int) -> int:
        """The first line that is no deeper than a marker."""
        here = start
        while here < len(self._lines) and (not self._lines[here].strip() or _indent(self._lines[here]) > indent):
            here += 1
        return here


def _dedented(lines: list[Numbered]) -> list[Numbered]:
    full = [text for _, text in lines if text.strip()]
    width = min(map(_lead, full), key=len, default="")
    return [(number, text[len(width) :] if text.startswith(width) else text.lstrip()) for number, text in lines]


def _lead(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _indent(text: str) -> int:
    return _width(_lead(text))


def _width(lead: str) -> int:
    """The columns that the start of a line takes."""
    return len(lead.expandtabs(_TAB))
