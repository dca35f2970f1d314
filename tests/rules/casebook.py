"""Reads the pages of `cases/`: programs that a rule must find, and look-alikes that it must not."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

FOLDER = Path(__file__).parent / "cases"
_MARK = re.compile(r"#.*?\b(SEQ\d{3}\b.*)$")
_CODE = re.compile(r"(SEQ\d{3})(?: (error|warning|advice))?,?( no fix)?")
_COMMENT = re.compile(r"[ \t]*# SEQ\d{3}\b.*$", re.MULTILINE)


@dataclass(frozen=True, order=True)
class Mark:
    """A place where a rule must point; `level` is empty where the page leaves it open, and so is whether there is a fix."""

    line: int
    code: str
    level: str = ""
    no_fix: bool = False


@dataclass(frozen=True)
class Case:
    """One program of a page.

    Attributes:
        code: the rule that the page is about.
        found: whether it stands under "Found".
        title: the sentence above it.
        keras: the range that its project declares; empty if none.
        others: the other files of its project.
        fixed: what the fixes of the rule make of `plain`; empty where the page leaves it open.
    """

    code: str
    found: bool
    title: str
    text: str
    line: int
    keras: str = ""
    others: tuple[tuple[str, str], ...] = ()
    fixed: str = ""

    @property
    def plain(self) -> str:
        """The program without the marks."""
        return _COMMENT.sub("", self.text)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Where findings must be, in reading order."""
        return tuple(_marks(self.text))

    def __str__(self) -> str:
        return f"{self.code}, line {self.line}"


@dataclass
class _Page:
    code: str
    part: str = ""
    title: str = ""
    others: list[tuple[str, str]] = field(default_factory=list)


@cache
def pages() -> tuple[tuple[Case, ...], ...]:
    """The cases of each page."""
    return tuple(tuple(_cases(path)) for path in sorted(FOLDER.glob("seq*.md")))


def codes(page: Sequence[Case]) -> frozenset[str]:
    """The rules that a page is about: its own, and those that it names."""
    return frozenset({case.code for case in page} | {mark.code for case in page for mark in case.marks})


def _cases(path: Path) -> list[Case]:
    page = _Page(path.stem.upper())
    cases: list[Case] = []
    tokens = MarkdownIt().parse(path.read_text(encoding="utf-8"))
    for number, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            page.part = tokens[number + 1].content
        elif token.type == "paragraph_open":
            page.title = tokens[number + 1].content
        elif token.type == "fence" and "fixed" in token.info.split():
            assert cases[-1].found, f"{page.code}: there is nothing to fix in '{page.title}'"
            cases[-1] = replace(cases[-1], fixed=token.content)
        elif token.type == "fence":
            cases += _case(page, token)
    return cases


def _case(page: _Page, token: Token) -> Iterator[Case]:
    settings = dict(part.split("=", 1) for part in shlex.split(token.info)[1:])
    if "file" in settings:
        page.others.append((settings["file"], token.content))
        return
    assert page.part in ("Found", "Silent"), f"{page.code}: a program stands under '{page.part}'"
    assert token.map is not None
    line, others = token.map[0] + 1, tuple(page.others)
    page.others.clear()
    yield Case(page.code, page.part == "Found", page.title, token.content, line, settings.get("keras", ""), others)


def _marks(text: str) -> Iterator[Mark]:
    for number, line in enumerate(text.split("\n"), 1):
        found = _MARK.search(line)
        for code, level, no_fix in _CODE.findall(found[1]) if found is not None else ():
            yield Mark(number, code, level, bool(no_fix))
