"""What was found in a file as text that can be kept, and back: positions, levels, fixes with their edits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from seqlint.checked import Assumed
from seqlint.model import Cell, Contract, Diagnostic, Edit, Elsewhere, Fix, Position

if TYPE_CHECKING:
    from collections.abc import Iterable


_CLEAN = ",[]]"


def to_text(diagnostics: Iterable[Diagnostic], keras: Assumed | None) -> str:
    """Diagnostics of one file, without its path, and the Keras that it was checked for."""
    assumed = None if keras is None else [keras.lines, keras.range, keras.source]
    return json.dumps([assumed, [_diagnostic(one) for one in diagnostics]], separators=(",", ":"))


def is_clean(text: str) -> bool:
    """Whether a text that `to_text` gave holds no diagnostic."""
    return text.endswith(_CLEAN)


def from_text(text: str, path: str) -> tuple[tuple[Diagnostic, ...], Assumed | None]:
    """The diagnostics and the Keras that `to_text` was given.

    Args:
        text: what it gave.
        path: the file that they are of.

    Raises:
        ValueError, TypeError: it never gave this text.
    """
    assumed, found = json.loads(text)
    keras = None if assumed is None else Assumed(tuple(assumed[0]), str(assumed[1]), str(assumed[2]))
    return tuple(_made(fields, path) for fields in found), keras


def _diagnostic(one: Diagnostic) -> list[object]:
    start, end = _position(one.start), _position(one.end)
    texts = [one.message, one.note, one.help, one.no_fix, one.condition]
    return [
        one.code,
        one.name,
        one.level,
        texts,
        start,
        end,
        one.keras,
        [_fix(fix) for fix in one.fixes],
        one.migration,
    ]


def _position(at: Position | None) -> list[object] | None:
    if at is None:
        return None
    cell = None if at.cell is None else [at.cell.number, at.cell.lines, at.cell.offset]
    return [at.line, at.column, at.offset, cell, _position(at.page)]


def _fix(fix: Fix) -> list[object]:
    contract = fix.contract
    declared = (
        None if contract is None else [sorted(contract.changes), sorted(contract.repairs), sorted(contract.holds)]
    )
    return [fix.title, _edits(fix.edits), declared, fix.lines, [_elsewhere(each) for each in fix.elsewhere]]


def _edits(edits: Iterable[Edit]) -> list[object]:
    return [[edit.start, edit.end, edit.text] for edit in edits]


def _elsewhere(one: Elsewhere) -> list[object]:
    places = [[_position(start), _position(end)] for start, end in one.places]
    return [one.path, one.digest.hex(), _edits(one.edits), places]


def _made(fields: list[Any], path: str) -> Diagnostic:
    code, name, level, (message, note, help_text, no_fix, condition), start, end, keras, fixes, migration = fields
    first, last = _placed(start), _placed(end)
    made = tuple(map(_made_fix, fixes))
    return Diagnostic(
        code, name, level, message, path, first, last, tuple(keras), made, note, help_text, no_fix, condition, migration
    )


def _placed(fields: list[Any]) -> Position:
    line, column, offset, cell, page = fields
    return Position(
        line, column, offset, None if cell is None else Cell(*cell), None if page is None else _placed(page)
    )


def _made_fix(fields: list[Any]) -> Fix:
    title, edits, declared, lines, elsewhere = fields
    contract = None if declared is None else Contract(*map(frozenset, declared))
    made = tuple(map(_made_elsewhere, elsewhere))
    return Fix(title, tuple(Edit(*edit) for edit in edits), contract, tuple(lines), made)


def _made_elsewhere(fields: list[Any]) -> Elsewhere:
    path, digest, edits, places = fields
    spans = tuple((_placed(start), _placed(end)) for start, end in places)
    return Elsewhere(path, bytes.fromhex(digest), tuple(Edit(*edit) for edit in edits), spans)
