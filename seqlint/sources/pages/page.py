"""The programs of a page: each a source of its own, of which every line knows where it is on the page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from seqlint.sources.edits import apply
from seqlint.sources.pages.excerpt import Excerpt
from seqlint.sources.pages.lines import Line, Place
from seqlint.sources.pages.markdown import markdown, plain
from seqlint.sources.pages.rest import rest
from seqlint.sources.pages.shared import Shared
from seqlint.sources.pages.sharing import joined
from seqlint.sources.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from seqlint.sources.pages.blocks import Block

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_READERS = {".rst": rest, ".txt": plain}
# It stands between two blocks: what belongs to the end of one can't be taken for the start of the next.
_BETWEEN = "pass"


def programs(page: Source) -> tuple[Source, ...]:
    """The programs of a page, in the order in which they start. Blocks that are no Python are left out."""
    lines = _LINE.findall(page.text)
    suffix = page.path[page.path.rfind(".") :].lower()
    blocks = list(_READERS.get(suffix, markdown)(lines))
    codes = tuple(block.python for block in blocks)
    found = (Shared(codes, tuple(numbers)) for numbers in joined(codes))
    return tuple(_program(page, lines, [blocks[number] for number in shared.own], shared) for shared in found)


def with_programs(page: Source, changed: Iterable[Source]) -> Source:
    """The page with its programs as they are after fixes."""
    edits = [edit for program in changed if program.excerpt is not None for edit in program.excerpt.changes()]
    return page.edited(apply(page.utf8, edits), edits)


def amid(program: Source, fixed: Source) -> Source:
    """A program of a page after fixes of another one."""
    if program.excerpt is None or fixed.excerpt is None:
        return program
    shared = replace(program.excerpt.shared, codes=fixed.excerpt.shared.codes)
    return replace(program, excerpt=replace(program.excerpt, shared=shared))


def _program(page: Source, lines: Sequence[str], blocks: Sequence[Block], shared: Shared) -> Source:
    newline = page.newline
    python = f"{_BETWEEN}{newline}".join(block.python for block in blocks)
    written = f"{_BETWEEN}{newline}".join(block.written for block in blocks)
    found: list[Line] = []
    for number, block in enumerate(blocks):
        found += [Line(None)] if number else []
        found += _lines(lines, block, number)
    places = tuple(_place(page, lines, block) for block in blocks)
    excerpt = Excerpt(places, tuple(found), written.encode("utf-8"), shared)
    return Source(page.path, python, excerpt=excerpt)


def _lines(page: Sequence[str], block: Block, number: int) -> Iterator[Line]:
    below = block.lines[0][0]
    for line, lead in block.lines:
        yield Line(number, page[line][:lead], "".join(page[below:line]))
        below = line + 1


def _place(page: Source, lines: Sequence[str], block: Block) -> Place:
    first, last = block.lines[0][0], block.lines[-1][0] + 1
    end = page.line_starts[last] if last < len(page.line_starts) else len(page.utf8)
    answered = block.session and last < len(lines) and bool(lines[last].strip(" \t\r\n>"))
    return Place(page.line_starts[first], end, first, last, block.session, answered)
