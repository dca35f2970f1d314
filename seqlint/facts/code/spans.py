"""Where nodes are, in bytes. To work it out costs more than the parse, so it is done for one statement or method at a time."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.sources.syntax import first_line, syntax

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Sequence

    from seqlint.sources import Source

Span = tuple[int, int]
Known = dict[cst.CSTNode, tuple[dict[cst.CSTNode, Span], int]]
"""For statements the spans of their nodes, as if each stood alone at the start of a file, and its length."""

_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


class Spans:
    """The spans of the nodes of one file."""

    def __init__(self, source: Source, module: cst.Module, known: Known | None = None) -> None:
        self._source = source
        self._module = module
        self._known = {} if known is None else known
        self._found: dict[cst.CSTNode, dict[cst.CSTNode, Span]] = {}
        self._members: dict[cst.CSTNode, dict[cst.CSTNode, Span] | None] = {}

    def below(self, statement: cst.CSTNode) -> dict[cst.CSTNode, Span]:
        """The spans of a statement of the module itself and of all nodes in it; for any other node those of the whole file."""
        if statement not in self._found:
            found = None
            if statement in self._starts:
                alone = self._module.with_changes(header=[], body=[statement], footer=[], has_trailing_newline=True)
                found = self._moved(statement, alone, 0, self._starts[statement])
            self._found[statement] = self._whole if found is None else found
        return self._found[statement]

    def below_member(self, member: cst.CSTNode, owner: cst.ClassDef) -> dict[cst.CSTNode, Span]:
        """The spans of one statement in the body of a class of the module itself."""
        if member not in self._members:
            self._members[member] = self._of_member(member, owner)
        found = self._members[member]
        return self.below(owner) if found is None else found

    @cached_property
    def _whole(self) -> dict[cst.CSTNode, Span]:
        return _resolved(self._module)

    def _of_member(self, member: cst.CSTNode, owner: cst.ClassDef) -> dict[cst.CSTNode, Span] | None:
        place = self._member_starts(owner).get(member)
        if place is None or not isinstance(owner.body, cst.IndentedBlock):
            return None
        head = cst.ClassDef(cst.Name("_"), cst.IndentedBlock([member], indent=owner.body.indent))  # type: ignore[list-item]
        alone = self._module.with_changes(header=[], body=[head], footer=[], has_trailing_newline=True)
        return self._moved(member, alone, len(f"class _:{self._module.default_newline}"), place)

    def _moved(
        self, statement: cst.CSTNode, alone: cst.Module, above: int, place: tuple[int, int | None]
    ) -> dict[cst.CSTNode, Span] | None:
        """The spans of a statement, as they are in a module with it alone; None if it does not fill the place where it should be.

        Args:
            statement: the statement.
            alone: a module that holds it and nothing else.
            above: the bytes before it there.
            place: where it starts in the file, and where the next one does.
        """
        start, end = place
        if statement not in self._known:
            spans = _resolved(alone)
            _, length = spans.pop(alone)
            self._known[statement] = spans, length - above
        found, length = self._known[statement]
        if end is not None and length != end - start:
            return None
        by = start - above
        return {node: (by + first, by + last) for node, (first, last) in found.items()}

    @cached_property
    def _starts(self) -> dict[cst.CSTNode, tuple[int, int | None]]:
        """Where each statement starts, with the empty lines and comments before it, and where the next one does."""
        return dict(self._placed(self._module.body, self._body))

    @cached_property
    def _body(self) -> Sequence[ast.stmt]:
        """The statements as Python's own parser sees them, at a tenth of what libcst takes; none where it can't read the file."""
        try:
            return syntax(self._source.text).tree.body
        except _UNREADABLE:
            return ()

    def _member_starts(self, owner: cst.ClassDef) -> dict[cst.CSTNode, tuple[int, int | None]]:
        """The same of the statements in the body of a class."""
        place = self._starts.get(owner)
        if place is None:
            return {}
        above = self._source.line_starts.index(place[0]) + 1
        found = (node for node in self._body if node.lineno >= above and getattr(node, "name", "") == owner.name.value)
        node = next(found, None)
        return dict(self._placed(owner.body.body, node.body)) if node is not None and hasattr(node, "body") else {}

    def _placed(
        self, body: Sequence[cst.BaseStatement | cst.BaseSmallStatement], nodes: Sequence[ast.stmt]
    ) -> Iterator[tuple[cst.CSTNode, tuple[int, int | None]]]:
        """The statements of a body with their places; Python sees two statements in a line `a; b`."""
        statements = [s for s in body if isinstance(s, (cst.SimpleStatementLine, cst.BaseCompoundStatement))]
        sizes = [len(s.body) if isinstance(s, cst.SimpleStatementLine) else 1 for s in statements]
        if sum(sizes) != len(nodes) or not statements or len(statements) != len(body):
            return
        firsts = [first_line(nodes[place]) for place in accumulate(sizes[:-1], initial=0)]
        above = [len(statement.leading_lines) for statement in statements]
        starts = [self._source.line_starts[line - 1 - up] for line, up in zip(firsts, above, strict=True)]
        yield from zip(statements, zip(starts, (*starts[1:], None), strict=True), strict=True)


def _resolved(module: cst.Module) -> dict[cst.CSTNode, Span]:
    from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

    found = MetadataWrapper(module, unsafe_skip_copy=True).resolve(ByteSpanPositionProvider)
    return {node: (span.start, span.start + span.length) for node, span in found.items()}
