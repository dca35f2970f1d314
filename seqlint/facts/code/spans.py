"""Where nodes are, in bytes. To work it out costs more than the parse, so it is done for one top-level statement at a time."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.sources.syntax import syntax

if TYPE_CHECKING:
    import ast

    from seqlint.sources import Source

Span = tuple[int, int]
Known = dict[cst.CSTNode, tuple[dict[cst.CSTNode, Span], int]]
"""For statements of modules the spans of their nodes, as if each stood alone at the start of a file, and its length."""


class Spans:
    """The spans of the nodes of one file."""

    def __init__(self, source: Source, module: cst.Module, known: Known | None = None) -> None:
        self._source = source
        self._module = module
        self._known = {} if known is None else known
        self._found: dict[cst.CSTNode, dict[cst.CSTNode, Span]] = {}

    def below(self, statement: cst.CSTNode) -> dict[cst.CSTNode, Span]:
        """The spans of a statement of the module itself and of all nodes in it; for any other node those of the whole file."""
        if statement not in self._found:
            found = self._one(statement) if statement in self._starts else None
            self._found[statement] = self._whole if found is None else found
        return self._found[statement]

    @cached_property
    def _whole(self) -> dict[cst.CSTNode, Span]:
        return _resolved(self._module)

    def _one(self, statement: cst.CSTNode) -> dict[cst.CSTNode, Span] | None:
        """The spans of a statement alone; None if it does not fill the place where it should be."""
        start, end = self._starts[statement]
        if statement not in self._known:
            alone = self._module.with_changes(header=[], body=[statement], footer=[], has_trailing_newline=True)
            spans = _resolved(alone)
            _, length = spans.pop(alone)
            self._known[statement] = spans, length
        found, length = self._known[statement]
        if end is not None and length != end - start:
            return None
        return {node: (start + first, start + last) for node, (first, last) in found.items()}

    @cached_property
    def _starts(self) -> dict[cst.CSTNode, tuple[int, int | None]]:
        """Where each statement starts, with the empty lines and comments before it, and where the next one does.

        Python's own parser tells the lines at a tenth of what libcst takes; it sees two statements in a line `a; b`. Empty where
        it can't read the file.
        """
        body = self._module.body
        try:
            lines = [_first_line(node) for node in syntax(self._source.text).tree.body]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return {}
        sizes = [len(statement.body) if isinstance(statement, cst.SimpleStatementLine) else 1 for statement in body]
        if sum(sizes) != len(lines) or not body:
            return {}
        firsts = [lines[place] for place in accumulate(sizes[:-1], initial=0)]
        before = [len(statement.leading_lines) for statement in body]
        starts = [self._source.line_starts[line - 1 - above] for line, above in zip(firsts, before, strict=True)]
        return {s: (start, end) for s, start, end in zip(body, starts, (*starts[1:], None), strict=True)}


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(node.lineno, *(decorator.lineno for decorator in decorators)) if decorators else node.lineno


def _resolved(module: cst.Module) -> dict[cst.CSTNode, Span]:
    from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

    found = MetadataWrapper(module, unsafe_skip_copy=True).resolve(ByteSpanPositionProvider)
    return {node: (span.start, span.start + span.length) for node, span in found.items()}
