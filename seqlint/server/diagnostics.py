"""Findings as diagnostics of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from seqlint.output.links import page_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.model import Diagnostic, Level
    from seqlint.server.analysis import Analysis

SOURCE = "seqlint"
_SEVERITIES: Mapping[Level, lsp.DiagnosticSeverity] = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "advice": lsp.DiagnosticSeverity.Information,
}
_UNUSED = "SEQ003"
_UNPARSABLE = "SEQ001"


def by_text(analysis: Analysis, *, syntax_errors: bool, related: bool = False) -> dict[str, list[lsp.Diagnostic]]:
    """The diagnostics of each text of a snapshot: a list for every text, so that old ones go away.

    Args:
        syntax_errors: whether to report that a text can't be parsed; most editors have another tool for that.
        related: whether the editor shows related information; notes and help are told there.
    """
    found: dict[str, list[lsp.Diagnostic]] = {text.uri: [] for text in analysis.snapshot.texts}
    for diagnostic in analysis.diagnostics:
        if diagnostic.code == _UNPARSABLE and not syntax_errors:
            continue
        uri, where = analysis.snapshot.range(diagnostic.start.offset, diagnostic.end.offset)
        shown = _shown(diagnostic, where)
        if related:
            shown.related_information = _related(diagnostic, lsp.Location(uri, where)) or None
        found.setdefault(uri, []).append(shown)
    return found


def _shown(diagnostic: Diagnostic, where: lsp.Range) -> lsp.Diagnostic:
    page = page_of(diagnostic.code)
    return lsp.Diagnostic(
        where,
        diagnostic.sentence,
        _SEVERITIES[diagnostic.level],
        diagnostic.code,
        code_description=lsp.CodeDescription(page) if page else None,
        source=SOURCE,
        tags=[lsp.DiagnosticTag.Unnecessary] if diagnostic.code == _UNUSED else None,
    )


def _related(diagnostic: Diagnostic, place: lsp.Location) -> list[lsp.DiagnosticRelatedInformation]:
    """What happens and what to do, at the place of the finding itself."""
    texts = (diagnostic.note, diagnostic.help, diagnostic.no_fix and f"no fix: {diagnostic.no_fix}")
    return [lsp.DiagnosticRelatedInformation(place, text) for text in texts if text]
