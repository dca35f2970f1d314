"""Comments next to code. The tree has none: they are read from the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from seqlint.facts import Facts

_BEHIND = re.compile(rb"[ \t\f;]*(#[^\r\n]*)")
_HEAD = re.compile(rb"(?:[\s\\,()*/]|#[^\n]*)*:")


def comment_behind(facts: Facts, node: cst.CSTNode) -> str:
    """The comment after a statement on its last line; empty where there is none."""
    return _comment(facts, facts.span(node)[1])


def comment_behind_head(facts: Facts, function: cst.FunctionDef) -> str:
    """The comment after the colon of `def ...:`; empty where there is none."""
    return _comment(facts, _colon(facts, function))


def below_head(facts: Facts, function: cst.FunctionDef) -> int:
    """The offset of the line below that with the colon of `def ...:`."""
    text = facts.source.utf8
    return text.find(b"\n", _colon(facts, function)) + 1 or len(text)


def has_comment_above(facts: Facts, statement: cst.CSTNode) -> bool:
    """Whether a comment on a line of its own stands above a statement, with nothing but blank lines between."""
    text = facts.source.utf8
    start = text.rfind(b"\n", 0, facts.span(statement)[0]) + 1
    while start:
        above = text.rfind(b"\n", 0, start - 1) + 1
        line = text[above:start].strip()
        if line:
            return line.startswith(b"#")
        start = above
    return False


def _comment(facts: Facts, place: int) -> str:
    found = _BEHIND.match(facts.source.utf8, place)
    return found[1].decode().rstrip() if found is not None else ""


def _colon(facts: Facts, function: cst.FunctionDef) -> int:
    """The place after the colon."""
    parts = (*facts.tree.inside(function.params, cst.Param), *([function.returns] if function.returns else []))
    ends = [facts.span(function.name)[1]]
    for part in parts:
        ends += [
            facts.tree.outer_span(node)[1] for node in facts.tree.walk(part) if isinstance(node, cst.BaseExpression)
        ]
    found = _HEAD.match(facts.source.utf8, max(ends))
    assert found is not None
    return found.end()
