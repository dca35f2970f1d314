"""Which findings stand at a place of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lsprotocol import types as lsp

    from seqlint.model import Diagnostic
    from seqlint.server.analysis import Analysis


def at(analysis: Analysis, uri: str, where: lsp.Range) -> Iterator[Diagnostic]:
    """The findings that share a place with a range; the ends of both count."""
    for diagnostic in analysis.diagnostics:
        text, found = analysis.snapshot.range(diagnostic.start.offset, diagnostic.end.offset)
        if text == uri and _key(found.start) <= _key(where.end) and _key(where.start) <= _key(found.end):
            yield diagnostic


def _key(place: lsp.Position) -> tuple[int, int]:
    return place.line, place.character
