"""The report as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from seqlint.migrate.report.words import about, heading, headline, parts, title, told

if TYPE_CHECKING:
    from seqlint.migrate.values import Migration, Part, Row


def document(migration: Migration) -> str:
    """A table for each part."""
    blocks = [f"# {title(migration)}", f"{headline(migration)}."]
    for part, rows in parts(migration):
        blocks += [f"## {heading(part, migration)}", about(part), _table(part, rows)]
    return "\n\n".join(blocks) + "\n"


def _table(part: Part, rows: tuple[Row, ...]) -> str:
    last = "How" if part == "done" else "What to write there"
    lines = [f"| Where | What | {last} |", "| --- | --- | --- |"]
    for row in rows:
        todo = "; ".join(text for text in (row.todo, row.note and f"otherwise: {row.note}") if text)
        where = f"`{row.where}`" if row.where else ""
        lines.append(f"| {_cell(where)} | {_cell(told(row))} | {_cell(todo)} |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text that can't end its cell, and holds no markup but code."""
    parts = " ".join(text.split()).replace("|", "\\|").split("`")
    if len(parts) % 2 == 0:
        return re.sub(r"([<>*_`])", r"\\\1", "`".join(parts))
    plain = (
        re.sub(r"([<>*_])", r"\\\1", part) if number % 2 == 0 else f"`{part}`" for number, part in enumerate(parts)
    )
    return "".join(plain)
