"""Findings as diagnostics of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.model import Level
    from seqlint.server.analysis import Analysis

SOURCE = "seqlint"
_SEVERITIES: Mapping[Level, lsp.DiagnosticSeverity] = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "advice": lsp.DiagnosticSeverity.Information,
}
_UNUSED = "SEQ003"
_UNPARSABLE = "SEQ001"


def by_text(analysis: Analysis, *, syntax_errors: bool) -> dict[str, list[lsp.Diagnostic]]:
    """The diagnostics of each text of a snapshot: a list for every text, so that old ones go away."""
    found: dict[str, list[lsp.Diagnostic]] = {text.uri: [] for text in analysis.snapshot.texts}
    for diagnostic in analysis.diagnostics:
        if diagnostic.code == _UNPARSABLE and not syntax_errors:
            continue
        uri, where = analysis.snapshot.range(diagnostic.start.offset, diagnostic.end.offset)
        tags = [lsp.DiagnosticTag.Unnecessary] if diagnostic.code == _UNUSED else None
        found.setdefault(uri, []).append(
            lsp.Diagnostic(
                where, diagnostic.message, _SEVERITIES[diagnostic.level], diagnostic.code, source=SOURCE, tags=tags
            )
        )
    return found
