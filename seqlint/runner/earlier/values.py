"""What was found in a file as text that can be kept, and back: positions, levels, fixes with their edits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from seqlint.model import Cell, Contract, Diagnostic, Edit, Fix, Position

if TYPE_CHECKING:
    from collections.abc import Iterable


def to_text(diagnostics: Iterable[Diagnostic]) -> str:
    """Diagnostics of one file, without its path."""
    return json.dumps([_diagnostic(one) for one in diagnostics], separators=(",", ":"))


def from_text(text: str, path: str) -> tuple[Diagnostic, ...]:
    """The diagnostics that `to_text` was given.

    Args:
        text: what it gave.
        path: the file that they are of.

    Raises:
        ValueError, TypeError: it never gave this text.
    """
    return tuple(_made(fields, path) for fields in json.loads(text))


def _diagnostic(one: Diagnostic) -> list[object]:
    start, end = _position(one.start), _position(one.end)
    return [one.code, one.name, one.level, one.message, start, end, one.keras, [_fix(fix) for fix in one.fixes]]


def _position(at: Position | None) -> list[object] | None:
    if at is None:
        return None
    cell = None if at.cell is None else [at.cell.number, at.cell.lines, at.cell.offset]
    return [at.line, at.column, at.offset, cell, _position(at.page)]


def _fix(fix: Fix) -> list[object]:
    contract = fix.contract
    declared = None if contract is None else [sorted(contract.changes), sorted(contract.repairs)]
    return [fix.title, [[edit.start, edit.end, edit.text] for edit in fix.edits], declared, fix.lines]


def _made(fields: list[Any], path: str) -> Diagnostic:
    code, name, level, message, start, end, keras, fixes = fields
    first, last = _placed(start), _placed(end)
    return Diagnostic(code, name, level, message, path, first, last, tuple(keras), tuple(map(_made_fix, fixes)))


def _placed(fields: list[Any]) -> Position:
    line, column, offset, cell, page = fields
    return Position(
        line, column, offset, None if cell is None else Cell(*cell), None if page is None else _placed(page)
    )


def _made_fix(fields: list[Any]) -> Fix:
    title, edits, declared, lines = fields
    contract = None if declared is None else Contract(frozenset(declared[0]), frozenset(declared[1]))
    return Fix(title, tuple(Edit(*edit) for edit in edits), contract, tuple(lines))
