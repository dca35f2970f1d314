"""Statements as whole lines: their comments go where they go, and the rest of the file stays as it is."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.tree import BLOCKS
from seqlint.model import Edit

if TYPE_CHECKING:
    from seqlint.facts import Facts

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
_NEWLINE = re.compile(r"\r\n?|\n")  # `splitlines` takes more for one, such as a form feed in a text
_COMMENT = re.compile(rb"[ \t]*#")


def replace(facts: Facts, node: cst.CSTNode, text: str) -> Edit:
    """Put other text in the place of a node; brackets round an expression stay."""
    start, end = facts.span(node)
    return Edit(start, end, _newlines(facts, text))


def lines_of(facts: Facts, statement: Statement) -> tuple[int, int]:
    """The bytes of a statement as whole lines: decorators, comment lines right above, a comment after it, the last newline."""
    text = facts.source.utf8
    start, end = facts.span(statement)
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)) and statement.decorators:
        start = min(start, facts.span(statement.decorators[0])[0])
    start = text.rfind(b"\n", 0, start) + 1
    while (
        start
        and _COMMENT.match(text, above := text.rfind(b"\n", 0, start - 1) + 1)
        and _same_indent(text, above, start)
    ):
        start = above
    return start, _line_end(text, max(end - 1, start))


def _same_indent(text: bytes, one: int, other: int) -> bool:
    return _lead(text, one) == _lead(text, other)


def _lead(text: bytes, start: int) -> bytes:
    line = text[start : _line_end(text, start)]
    return line[: len(line) - len(line.lstrip(b" \t"))]


def _line_end(text: bytes, offset: int) -> int:
    newline = text.find(b"\n", offset)
    return newline + 1 if newline >= 0 else len(text)


def indent_of(facts: Facts, statement: cst.CSTNode) -> str:
    """The white space in front of a statement."""
    text = facts.source.utf8
    return _lead(text, text.rfind(b"\n", 0, facts.span(statement)[0]) + 1).decode()


def indent_unit(facts: Facts) -> str:
    """One step of indentation, as the file has it."""
    steps = Counter(filter(None, (_step(facts, block) for block in facts.tree.all(cst.IndentedBlock))))
    return steps.most_common(1)[0][0] if steps else "    "


def _step(facts: Facts, block: cst.IndentedBlock) -> str:
    """The white space of a block in front of that of the block around it."""
    owner = facts.tree.parents[block]
    outer = indent_of(facts, owner)
    inner = indent_of(facts, block.body[0])
    return inner.removeprefix(outer) if inner.startswith(outer) else ""


def insert_before(facts: Facts, statement: Statement, text: str) -> Edit:
    """New statements above one, in its indentation. `text` is written without indentation."""
    start = lines_of(facts, statement)[0]
    return Edit(start, start, _block(facts, text, indent_of(facts, statement)))


def insert_after(facts: Facts, statement: Statement, text: str) -> Edit:
    """New statements below one, in its indentation. `text` is written without indentation; leading blank lines are kept."""
    end = lines_of(facts, statement)[1]
    block = _block(facts, text, indent_of(facts, statement))
    if not facts.source.utf8[:end].endswith(b"\n"):  # the file ends without a newline: keep it so
        block = facts.source.newline + block.rstrip("\r\n")
    return Edit(end, end, block)


def insert_definition(facts: Facts, text: str, after: cst.CSTNode | None, before: cst.CSTNode) -> Edit:
    """A new class or function at the top level: below the statement that holds `after`, else above the one of `before`.

    `text` is written without indentation. As many blank lines stand round it as round the class above, else two.
    """
    source = facts.source.utf8
    if after is None:
        start = lines_of(facts, _top_level(facts, before))[0]
        gap = "\n" * max(0, 2 - _blank_above(source, start)) if start else ""
        return Edit(start, start, _block(facts, f"{gap}{text}\n\n", ""))
    statement = _top_level(facts, after)
    start, end = lines_of(facts, statement)
    end = _after_comments(source, end)
    blank = (min(_blank_above(source, start), 2) or 2) if isinstance(statement, cst.BaseCompoundStatement) else 2
    if not source[:end].endswith(b"\n"):
        return Edit(end, end, facts.source.newline + _block(facts, "\n" * blank + text, "").rstrip("\r\n"))
    below = max(0, blank - _blank_below(source, end)) if source[end:].strip() else 0
    return Edit(end, end, _block(facts, "\n" * blank + text + "\n" * below, ""))


def _top_level(facts: Facts, node: cst.CSTNode) -> Statement:
    chain = (node, *facts.tree.ancestors(node))
    found = next(found for found in chain if facts.tree.parents.get(found) is facts.module)
    assert isinstance(found, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    return found


def _blank_above(source: bytes, start: int) -> int:
    lines = source[:start].split(b"\n")[:-1]
    return next((number for number, line in enumerate(reversed(lines)) if line.strip()), len(lines))


def _blank_below(source: bytes, end: int) -> int:
    lines = source[end:].split(b"\n")
    return next((number for number, line in enumerate(lines) if line.strip()), len(lines))


def _after_comments(source: bytes, end: int) -> int:
    """Behind the indented comment lines below a definition: they are part of it."""
    here = end
    while here < len(source):
        stop = _line_end(source, here)
        line = source[here:stop]
        if line.strip() and not (line[:1].isspace() and line.lstrip().startswith(b"#")):
            return end
        here, end = stop, stop if line.strip() else end
    return end


def insert_first(facts: Facts, function: cst.FunctionDef, text: str) -> Edit:
    """New statements at the top of a function, below its docstring."""
    body = function.body
    if not isinstance(body, cst.IndentedBlock):
        start, end = facts.span(body)
        head = len(facts.source.utf8[:start].rstrip(b" \t"))
        inner = indent_of(facts, function) + indent_unit(facts)
        kept = facts.source.slice(start, end).strip()
        return Edit(head, end, facts.source.newline + _block(facts, f"{text}\n{kept}", inner).rstrip("\r\n"))
    first = body.body[0]
    if function.get_docstring() is not None:
        return insert_after(facts, _statement(first), text)
    return insert_before(facts, _statement(first), text)


def insert_last(facts: Facts, function: cst.FunctionDef, text: str) -> Edit:
    """New statements at the end of a function whose body is a block, below its last comment."""
    source = facts.source.utf8
    last = _statement(function.body.body[-1])
    end = lines_of(facts, last)[1]
    indent = indent_of(facts, last)
    while end < len(source) and _COMMENT.match(source, end) and _lead(source, end) == indent.encode():
        end = _line_end(source, end)
    block = _block(facts, text, indent)
    if not source[:end].endswith(b"\n"):  # the file ends without a newline: keep it so
        block = facts.source.newline + block.rstrip("\r\n")
    return Edit(end, end, block)


def _statement(node: cst.BaseStatement | cst.BaseSmallStatement) -> Statement:
    assert isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    return node


def delete(facts: Facts, *statements: Statement) -> tuple[Edit, ...]:
    """Take statements out with their comments; a block that would be left empty gets `pass`."""
    edits = []
    for statement in statements:
        start, end = lines_of(facts, statement)
        block = facts.tree.parents[statement]
        siblings = block.body if isinstance(block, (*BLOCKS, cst.Module)) else ()
        left = [other for other in siblings if other not in statements]
        text = ""
        if not left and isinstance(block, BLOCKS) and statement is statements[-1]:
            text = f"{indent_of(facts, statement)}pass{facts.source.newline}"
        edits.append(Edit(start, end, text))
    return tuple(edits)


def move_last(facts: Facts, statement: Statement, function: cst.FunctionDef) -> tuple[Edit, ...]:
    """Take a statement of a function's body, with its comments, to the end of the body; of two gaps round it one is left."""
    source = facts.source.utf8
    start, end = lines_of(facts, statement)
    text = reindent(facts.source.slice(start, end), "").rstrip("\r\n")
    if source[:start].endswith((b"\n\n", b"\n\r\n")) and not source[end : _line_end(source, end)].strip():
        end = _line_end(source, end)
    return (Edit(start, end, ""), insert_last(facts, function, text))


def reindent(text: str, indent: str) -> str:
    """The lines of a block with another indentation; the least indented line gets exactly `indent`.

    Not for text with a multi-line string in it: its inner lines would move too.
    """
    lines = _NEWLINE.split(text)
    if not lines[-1]:
        lines.pop()
    leads = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    cut = min(leads, default=0)
    return "\n".join(indent + line[cut:] if line.strip() else "" for line in lines)


def _block(facts: Facts, text: str, indent: str) -> str:
    unit = indent_unit(facts)
    lines = []
    for line in text.split("\n"):
        stripped = line.lstrip(" ")
        steps = (len(line) - len(stripped)) // 4  # builders write four spaces a step
        lines.append(f"{indent}{unit * steps}{stripped}" if stripped else "")
    return _newlines(facts, "\n".join(lines) + "\n")


def _newlines(facts: Facts, text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", facts.source.newline)
