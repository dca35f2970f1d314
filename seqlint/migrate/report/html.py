"""The report as one page that needs nothing else: no script, no network, no font."""

from __future__ import annotations

from importlib.resources import files as resources
from typing import TYPE_CHECKING

from seqlint.migrate.report.words import about, heading, headline, parts, title, told
from seqlint.proof.report.tags import NOTHING, Html, element, prose
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.migrate.values import Migration, Part, Row


def document(migration: Migration) -> str:
    """A section for each part, and the diff of each file."""
    head = element(
        "head",
        Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html('<meta name="color-scheme" content="light dark">'),
        element("title", f"seqlint: {title(migration)}"),
        element("style", Html(resources("seqlint.proof.report").joinpath("page.css").read_text("utf-8"))),
    )
    header = element(
        "header",
        element("p", "seqlint migrate", class_="eyebrow"),
        element("h1", f"{title(migration)}."),
        element("p", f"{headline(migration)}."),
    )
    sections = [_section(part, rows, migration) for part, rows in parts(migration)]
    diffs = [element("details", element("summary", one.path), element("pre", one.diff)) for one in migration.changed]
    changes = element("section", element("h2", "The changes"), *diffs) if diffs else NOTHING
    footer = element("footer", element("p", f"seqlint {__version__}"))
    body = element("body", header, element("main", *sections, changes), footer)
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _section(part: Part, rows: tuple[Row, ...], migration: Migration) -> Html:
    last = "How" if part == "done" else "What to write there"
    top = element("tr", *(element("th", text) for text in ("Where", "What", last)))
    table = element("table", element("thead", top), element("tbody", *(_row(row) for row in rows)))
    return element("section", element("h2", prose(heading(part, migration))), element("p", about(part)), table)


def _row(row: Row) -> Html:
    where = element("code", row.where) if row.where else NOTHING
    return element("tr", element("td", where), element("td", prose(told(row))), element("td", *_todo(row)))


def _todo(row: Row) -> Iterator[Html]:
    yield prose(row.todo)
    if row.note:
        yield element("p", prose(f"Otherwise: {row.note}."))
