"""The report of a migration: as text, Markdown, one page of HTML, or JSON."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.migrate.values import Migration

FORMATS = ("text", "markdown", "html", "json")

SUFFIXES = {
    ".txt": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
}
"""The format that a report has by the name of its file."""


def render(migration: Migration, form: str) -> str:
    """The report in a format.

    Args:
        migration: what there is to report.
        form: one of FORMATS.
    """
    text: str = import_module(f"seqlint.migrate.report.{form}").document(migration)
    return text
