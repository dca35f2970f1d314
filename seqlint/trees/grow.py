"""The tree of a text, statement by statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.sources.syntax import Syntax, syntax
from seqlint.trees import atoms, calls, compounds, displays, operations, parameters
from seqlint.trees.brackets import brackets
from seqlint.trees.grown import Grown
from seqlint.trees.patterns import refuse_deep
from seqlint.trees.planted import plant
from seqlint.trees.regrown import Regrowth
from seqlint.trees.statements import line, lines
from seqlint.trees.text import Growth, Unlike

if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence

    from seqlint.sources import Source

_MAKERS = {
    **compounds.MAKERS,
    **atoms.MAKERS,
    **calls.MAKERS,
    **displays.MAKERS,
    **operations.MAKERS,
    **parameters.MAKERS,
}

_regrowth = Regrowth()
remember = _regrowth.remember
"""Keep the trees of the last files, for an editor: what stands above an edit does not grow again."""


drop = _regrowth.drop


def grow(source: Source) -> Grown:
    """The tree of a source.

    Raises:
        libcst.ParserSyntaxError, ValueError, RecursionError: it is no Python, or nested too deep.
    """
    try:
        found = syntax(source.text)
    except (SyntaxError, ValueError):  # newer or older than the Python that runs, or none at all
        _refuse(source)
        return _planted(source)
    return _grown(source, found)


def _refuse(source: Source) -> None:
    """Spare libcst's parser the whole text where it does not read what has changed since the last one: somebody types.

    Raises:
        libcst.ParserSyntaxError: it does not.
    """
    begin, end = _regrowth.changed(source.path, source.utf8)
    if begin == end:
        return
    part = source.utf8[begin:end].decode()
    refuse_deep(part)
    try:
        cst.parse_module(part)
    except cst.ParserSyntaxError as error:
        lines, above = part.splitlines(keepends=True), source.position(begin).line - 1
        # What is at fault at the end of the part may go on below it.
        if error.raw_line < len(lines):
            raise cst.ParserSyntaxError(
                error.message, lines=lines, raw_line=above + error.raw_line, raw_column=error.raw_column
            ) from None


def _planted(source: Source) -> Grown:
    """The tree as libcst's parser makes it."""
    grown = Grown()
    refuse_deep(source.text)
    module = cst.parse_module(source.text)
    here = grown.open(-1, (0, len(source.utf8)))
    plant(grown, module, 0, here)
    grown.close(here, module)
    return grown


def _grown(source: Source, found: Syntax) -> Grown:
    data = source.utf8
    growth = Growth(
        data=data, starts=(0, *source.line_starts), plain=source.text.isascii(), joins=b";" in data, makers=_MAKERS
    )
    here = growth.open(-1, (0, len(data)))
    kept = _regrowth.begin(source.path, growth, list(lines(growth, found.tree.body)))
    growth.group(brackets(data, found, growth.starts, *kept.gap))
    for joined in kept.missing:
        place = len(growth.nodes)
        try:
            kept.body.append(line(growth, joined, here))
        except Unlike:
            growth.cut(place)
            growth.fields = False
            kept.body += _read(growth, joined, here)
        kept.grown(joined)
    kept.end()
    module = cst.Module(kept.body, default_newline=source.newline)
    growth.close(here, module)
    return growth


def _read(growth: Growth, joined: Sequence[ast.stmt], up: int) -> list[cst.CSTNode]:
    """What libcst's parser makes of the lines of a statement."""
    start, end = growth.first_byte(joined[0]), growth.place(joined[-1])[1]
    text = growth.text(start, end)
    refuse_deep(text)
    module = cst.parse_module(text)
    plant(growth, module, start, up)
    return list(module.body)
