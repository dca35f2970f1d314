"""The code blocks of Markdown, by markdown-it-py: fences wherever CommonMark sees one, and indented code."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from seqlint.sources.pages.blocks import Numbered, block, is_python, unprompted, without_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from seqlint.sources.pages.blocks import Block

_FENCE = re.compile(r"\s*(?:```|~~~)")
_FENCED = re.compile(r"```|~~~")
_DIRECTIVE = re.compile(r"\{\s*([^}\s]*)[^}]*\}\s*(\S*)")
_WORD = re.compile(r"[\w+#-]*")
_FRONT = {"---": ("---", "..."), "+++": ("+++",)}
# Directives of MyST whose content is code: Python, or in the language that they name.
_EXECUTED = frozenset({"doctest", "jupyter-execute", "testcode", "testsetup"})
_CODE = frozenset({"code", "code-block", "code-cell", "sourcecode"})
_MARKDOWN = frozenset({"markdown", "md", "myst"})
_RULES = ["code", "fence", "blockquote", "hr", "list", "html_block", "heading", "lheading", "paragraph"]
_DEEPEST = 5


def markdown(page: Sequence[str]) -> Iterator[Block]:
    """The Python of a Markdown page, in its order."""
    for lines, marked in _found(_without_front_matter(page), _DEEPEST, indented=True):
        found = block(page, lines, marked=marked)
        if found is not None:
            yield found


def plain(page: Sequence[str]) -> Iterator[Block]:
    """The Python of a page of plain text: fences as in Markdown, and sessions of `>>>` between them."""
    whole = [(number, line.rstrip("\r\n")) for number, line in enumerate(page)]
    fences = [token for token in _tokens(whole) if token.type == "fence"] if any(map(_FENCED.search, page)) else []
    found = [item for token in fences for item in _fence(whole, token, _DEEPEST)]
    inside = {number for token in fences if token.map for number in range(*token.map)}
    found += [(lines, True) for lines in sessions([item for item in whole if item[0] not in inside])]
    for lines, marked in sorted(found, key=lambda item: item[0][0][0] if item[0] else -1):
        one = block(page, lines, marked=marked)
        if one is not None:
            yield one


def sessions(lines: Sequence[Numbered]) -> Iterator[list[Numbered]]:
    """The sessions among lines of text: from a `>>>` to the next empty line, or further where another follows at once."""
    here: list[Numbered] = []
    open_ = False
    for number, text in lines:
        starts = text.lstrip().startswith(">>> ")
        if not text.strip():
            open_ = False
        elif starts and (not here or open_ or _indent(here[0][1]) == _indent(text)):
            open_ = True
        elif not open_ and here:
            yield here
            here, open_ = [], starts
        if here or open_:
            here.append((number, text))
    if here:
        yield here


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _without_front_matter(page: Sequence[str]) -> list[Numbered]:
    lines = [(number, line.rstrip("\r\n")) for number, line in enumerate(page)]
    ends = _FRONT.get(lines[0][1].rstrip(), ()) if lines else ()
    end = next((number for number, text in lines[1:] if text.rstrip() in ends), None) if ends else None
    return lines if end is None else lines[end + 1 :]


def _found(lines: list[Numbered], depth: int, *, indented: bool) -> Iterator[tuple[list[Numbered], bool]]:
    for token in _tokens(lines):
        if token.type == "fence":
            yield from _fence(lines, token, depth)
        elif token.type == "code_block" and indented:
            content = _content(lines, token, 0)
            # What stands indented below an admonition of MkDocs is Markdown again.
            if depth and any(_FENCE.match(text) for _, text in content):
                yield from _found(content, depth - 1, indented=False)
            else:
                yield content, bool(unprompted(content))


def _fence(lines: list[Numbered], token: Token, depth: int) -> Iterator[tuple[list[Numbered], bool]]:
    info, content = token.info.strip(), _content(lines, token, 1)
    directive = _DIRECTIVE.match(info)
    if directive is None:
        word = _WORD.match(info)
        language = word[0] if word is not None else ""
        if language.lower() in _MARKDOWN and depth:
            yield from _found(content, depth - 1, indented=False)
        elif not info or is_python(language):
            yield content, bool(info)
        return
    name, language = directive[1].lstrip(".").lower(), directive[2]
    if is_python(name) or name in _EXECUTED:
        yield without_options(content), True
    elif name in _CODE:
        if not language or is_python(language):
            yield without_options(content), bool(language) or name == "code-cell"
    elif depth and not directive[1].startswith("."):
        yield from _found(content, depth - 1, indented=False)


def _content(lines: list[Numbered], token: Token, skip: int) -> list[Numbered]:
    """The lines of a block without what surrounds them, `skip` lines below its start."""
    first = (token.map[0] if token.map else 0) + skip
    texts = token.content.split("\n")
    return [(lines[first + place][0], text) for place, text in enumerate(texts) if first + place < len(lines)]


def _tokens(lines: Sequence[Numbered]) -> list[Token]:
    return _parser().parse("\n".join(text for _, text in lines))


@cache
def _parser() -> MarkdownIt:
    """The part of CommonMark that says where blocks are; what is in a paragraph is not looked at."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.enableOnly(_RULES)
    return parser
