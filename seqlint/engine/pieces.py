"""Trees of texts that differ little from one another: only the statements and methods that have changed are parsed.

For an editor, where a file is checked at each key. What comes out is equal to the tree of the whole text.
"""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seqlint.engine.parse import parse
from seqlint.sources.syntax import first_line, syntax

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import libcst as cst

    from seqlint.facts.code.spans import Known
    from seqlint.sources import Source

    _Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement

_MOST = 400_000  # characters of text whose trees are kept: a tree takes a hundred times its text
_LONG = 30  # lines from which a class is worth its parts
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True)
class _Key:
    """What the tree of a piece hangs on. No node may stand at two places, so equal keys never meet in one text.

    Attributes:
        before: what is parsed before it.
        owner: the long class that it is, or is a part of, with the number of its name in the file.
        again: how many equal pieces come before it.
    """

    text: str
    before: str
    owner: str
    again: int


@dataclass(frozen=True)
class _Layout:
    """How a file is written: its lines, and what libcst takes for usual, its first indentation and newline."""

    lines: Sequence[str]
    indent: str
    newline: str

    def text(self, start: int, end: int) -> str:
        """Some lines, counted from 0."""
        return "".join(self.lines[start:end])

    def before(self, inside: str = "") -> str:
        """What shows the parser the layout of the file, and opens a class with this indentation for the part of one."""
        shown = f"if 0:{self.newline}{self.indent}0{self.newline}"
        return f"{shown}class _:{self.newline}{inside}0{self.newline}" if inside else shown


@dataclass
class Pieces:
    """The trees of statements that were parsed before, and where their nodes are in them.

    Attributes:
        spans: for each statement the spans of its nodes, as `Spans` keeps them.
    """

    spans: Known = field(default_factory=dict)
    _trees: OrderedDict[_Key, cst.Module] = field(default_factory=OrderedDict)
    _kept: int = 0

    def parse(self, source: Source) -> cst.Module:
        """The libcst tree of a source.

        Raises:
            Unparsable: it is no Python, or nested too deep.
        """
        try:
            found = self._joined(source) if _has_plain_lines(source.text) else None
        except _UNREADABLE:
            found = None
        return found or parse(source)

    def _joined(self, source: Source) -> cst.Module | None:
        """The tree put together from pieces; None where a piece can't be parsed by itself."""
        import libcst as cst

        body, lines = syntax(source.text).tree.body, source.text.splitlines(keepends=True)
        layout = _Layout(lines, _first_indent(body, lines), source.newline)
        seen: Counter[str] = Counter()
        found: list[cst.Module] = []
        for start, end, statement in _cuts(body, layout, 0, len(lines)):
            tree = self._statement(layout, start, end, statement, seen)
            if tree is None or (tree.footer and end < len(lines)):
                return None
            found.append(tree)
        if not found:
            return None
        return cst.Module(
            [statement for tree in found for statement in tree.body], found[0].header, found[-1].footer,
            default_indent=layout.indent, default_newline=layout.newline,
            has_trailing_newline=lines[-1].endswith("\n"),
        )  # fmt: skip

    def _statement(
        self, layout: _Layout, start: int, end: int, statement: ast.stmt, seen: Counter[str]
    ) -> cst.Module | None:
        long = isinstance(statement, ast.ClassDef) and end - start >= _LONG
        owner = _numbered(getattr(statement, "name", ""), seen) if long else ""
        text = layout.text(start, end)
        key = _Key(text, layout.before() if start else "", owner, 0 if owner else _count(text, seen))
        if isinstance(statement, ast.ClassDef) and owner:
            return self._kept_or(key, lambda: self._class(layout, start, end, statement, key) or _parsed(key))
        return self._kept_or(key)

    def _class(self, layout: _Layout, start: int, end: int, statement: ast.ClassDef, key: _Key) -> cst.Module | None:
        """A long class, put together from its head and its members."""
        import libcst as cst

        first = first_line(statement.body[0]) - 1
        inside = layout.lines[first][: len(layout.lines[first]) - len(layout.lines[first].lstrip())]
        if first < statement.lineno or not inside:
            return None
        tree = _parsed(_Key(f"{layout.text(start, first)}{inside}pass{layout.newline}", key.before, "", 0))
        head = tree.body[0] if tree is not None else None
        if tree is None or not isinstance(head, cst.ClassDef) or not isinstance(head.body, cst.IndentedBlock):
            return None
        members, footer = self._members(layout, (first, end), statement, inside, key.owner)
        if not members:
            return None
        (placeholder,) = head.body.body
        assert isinstance(placeholder, cst.SimpleStatementLine)
        members[0] = members[0].with_changes(leading_lines=placeholder.leading_lines)
        return tree.with_changes(body=[head.with_changes(body=head.body.with_changes(body=members, footer=footer))])

    def _members(
        self, layout: _Layout, where: tuple[int, int], statement: ast.ClassDef, inside: str, owner: str
    ) -> tuple[list[_Statement], Sequence[cst.EmptyLine]]:
        """The members of a class, and the lines below the last; none where one can't be parsed by itself."""
        import libcst as cst

        seen: Counter[str] = Counter()
        found: list[_Statement] = []
        footer: Sequence[cst.EmptyLine] = ()
        for start, end, _ in _cuts(statement.body, layout, *where, inside):
            text = layout.text(start, end)
            key = _Key(text, layout.before(inside), owner, _count(text, seen))
            tree = self._kept_or(key)
            around = tree.body[-1] if tree is not None else None
            if footer or tree is None or tree.footer or not isinstance(around, cst.ClassDef):
                return [], ()
            assert isinstance(around.body, cst.IndentedBlock)
            found += around.body.body[1:]  # type: ignore[arg-type]
            footer = around.body.footer
        return found, footer

    def _kept_or(self, key: _Key, make: Callable[[], cst.Module | None] | None = None) -> cst.Module | None:
        tree = self._trees.get(key)
        if tree is None:
            tree = _parsed(key) if make is None else make()
            if tree is None:
                return None
            self._trees[key] = tree
            self._kept += len(key.text)
        self._trees.move_to_end(key)
        while self._kept > _MOST and len(self._trees) > 1:
            old, gone = self._trees.popitem(last=False)
            self._kept -= len(old.text)
            for statement in _statements(gone):
                self.spans.pop(statement, None)
        return tree


def _statements(tree: cst.Module) -> Iterator[cst.CSTNode]:
    """The statements of a module, and those in its classes."""
    import libcst as cst

    for statement in tree.body:
        yield statement
        if isinstance(statement, cst.ClassDef):
            yield from statement.body.body


def _has_plain_lines(text: str) -> bool:
    """Whether lines are what `splitlines` takes them for; form feeds and the like are rare."""
    return not any(mark in text for mark in "\v\f\x1c\x1d\x1e\x85\u2028\u2029") and "\r" not in text.replace("\r\n", "")


def _count(text: str, seen: Counter[str]) -> int:
    seen[text] += 1
    return seen[text]


def _numbered(name: str, seen: Counter[str]) -> str:
    return f"{name} {_count(f'class {name}', seen)}"


def _cuts(
    body: Sequence[ast.stmt], layout: _Layout, start: int, end: int, inside: str = ""
) -> Iterator[tuple[int, int, ast.stmt]]:
    """Where each statement starts and ends, in lines from 0, with the deeper lines below it; of a line `a; b` the first."""
    first = body[0] if body else None
    for number, statement in enumerate(body):
        last = statement.end_lineno or 0
        following = first_line(body[number + 1]) if number + 1 < len(body) else end + 1
        if following <= last:
            continue
        deeper = [line for line in range(last, following - 1) if _is_deeper(layout.lines[line], inside)]
        cut = end if number + 1 == len(body) else deeper[-1] + 1 if deeper else last
        yield start, cut, first or statement
        if number + 1 < len(body):
            start, first = cut, body[number + 1]


def _is_deeper(line: str, inside: str) -> bool:
    return line.startswith(inside) and line[len(inside) : len(inside) + 1] in (" ", "\t")


def _first_indent(body: Sequence[ast.stmt], lines: Sequence[str]) -> str:
    for statement in body:
        below = (node for node in ast.walk(statement) if isinstance(node, ast.stmt) and node is not statement)
        indented = [line for node in below if (line := lines[first_line(node) - 1])[:1] in (" ", "\t")]
        if indented:
            return min((line[: len(line) - len(line.lstrip(" \t"))] for line in indented), key=len)
    return "    "


def _parsed(key: _Key) -> cst.Module | None:
    """The tree of a piece; of a part of a class, with a class around it."""
    import libcst as cst

    try:
        tree = cst.parse_module(key.before + key.text)
    except (cst.ParserSyntaxError, *_UNREADABLE):
        return None
    return tree.with_changes(body=tree.body[1:]) if key.before else tree
