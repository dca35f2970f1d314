"""Findings as diagnostics of the protocol."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Abilities:
    """What an editor says that it shows of a diagnostic.

    Attributes:
        related: related information; notes and help are told there.
        links: the address of a page, under the code.
    """

    related: bool = False
    links: bool = False

    @classmethod
    def of(cls, capabilities: lsp.ClientCapabilities) -> Abilities:
        """Those of the editor, whether diagnostics are sent to it or it asks for them."""
        texts = capabilities.text_document
        kinds = () if texts is None else (texts.publish_diagnostics, texts.diagnostic)
        return cls(
            any(kind is not None and bool(kind.related_information) for kind in kinds),
            any(kind is not None and bool(kind.code_description_support) for kind in kinds),
        )


def by_text(
    analysis: Analysis, *, syntax_errors: bool, shows: Abilities = Abilities()
) -> dict[str, list[lsp.Diagnostic]]:
    """The diagnostics of each text of a snapshot: a list for every text, so that old ones go away.

    Args:
        syntax_errors: whether to report that a text can't be parsed; most editors have another tool for that.
        shows: what the editor shows of a diagnostic.
    """
    found: dict[str, list[lsp.Diagnostic]] = {text.uri: [] for text in analysis.snapshot.texts}
    for diagnostic in analysis.diagnostics:
        if diagnostic.code == _UNPARSABLE and not syntax_errors:
            continue
        uri, where = analysis.snapshot.range(diagnostic.start.offset, diagnostic.end.offset)
        shown = _shown(diagnostic, where, links=shows.links, known=diagnostic in analysis.known)
        if shows.related:
            shown.related_information = _related(diagnostic, lsp.Location(uri, where)) or None
        found.setdefault(uri, []).append(shown)
    return found


def _shown(diagnostic: Diagnostic, where: lsp.Range, *, links: bool, known: bool) -> lsp.Diagnostic:
    """A finding; one that the baseline holds is a hint, and faint."""
    page = page_of(diagnostic.code) if links else ""
    return lsp.Diagnostic(
        where,
        diagnostic.sentence,
        lsp.DiagnosticSeverity.Hint if known else _SEVERITIES[diagnostic.level],
        diagnostic.code,
        code_description=lsp.CodeDescription(page) if page else None,
        source=SOURCE,
        tags=[lsp.DiagnosticTag.Unnecessary] if known or diagnostic.code == _UNUSED else None,
    )


def _related(diagnostic: Diagnostic, place: lsp.Location) -> list[lsp.DiagnosticRelatedInformation]:
    """What happens and what to do, at the place of the finding itself."""
    return [lsp.DiagnosticRelatedInformation(place, text) for text in diagnostic.notes]
