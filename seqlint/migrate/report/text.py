"""The report for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint.migrate.report.words import heading, headline, parts, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.migrate.values import Migration, Row


def document(migration: Migration) -> str:
    """The parts, then the sum."""
    blocks = [
        "".join(
            f"{line}\n"
            for line in (heading(part, migration).replace("`", ""), *(line for row in rows for line in _row(part, row)))
        )
        for part, rows in parts(migration)
    ]
    return "\n".join((*blocks, f"{headline(migration)}\n"))


def _row(part: str, row: Row) -> Iterator[str]:
    where = f"{row.where}: " if row.where else ""
    if part == "done":
        yield f"  {where}{told(row)}{f' ({row.todo})' if row.todo else ''}"
        return
    yield f"  {where}{told(row)}"
    if row.note:
        yield f"      note: {row.note}"
    if row.todo:
        yield f"      do: {row.todo}"
