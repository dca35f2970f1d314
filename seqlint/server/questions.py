"""What an editor asks: the diagnostics of a text, what stands under the cursor, what can be done there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from seqlint.server import actions, pages
from seqlint.server.configured import resolves, versions
from seqlint.server.elsewhere import Held
from seqlint.server.server import Server  # noqa: TC001 - pygls reads the types of what a command takes

if TYPE_CHECKING:
    from seqlint.server.analysis import Analysis, Analyst


async def pulled(ls: Server, params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
    """The diagnostics of a file. Those of cells are sent without being asked for: not all editors ask."""
    uri, known = params.text_document.uri, params.previous_result_id
    if ls.session.documents.home(uri) != uri:
        return lsp.RelatedFullDocumentDiagnosticReport([])
    if known and ls.session.waits_for_save(uri):
        return lsp.RelatedUnchangedDocumentDiagnosticReport(known)
    analysis = await ls.session.analysis(uri)
    name = ls.session.result_id(uri)
    if name == known:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(name)
    return lsp.RelatedFullDocumentDiagnosticReport(ls.diagnostics_of(uri, analysis).get(uri, []), result_id=name)


async def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """The page of the rule whose finding, or whose code in a comment, is under the cursor; else what is known of a dataset there."""
    uri = params.text_document.uri
    analysis = await ls.session.analysis(ls.session.documents.home(uri))
    if analysis is None or not ls.session.settings_of(uri).hover:
        return None
    alone = ls.session.hover_alone
    told = pages.Told(message=not alone, notes=ls.shows.related and not alone)
    text = await ls.session.work(
        lambda analyst: (
            pages.hover(analysis, analyst.rules(analysis), uri, params.position, told)
            or _dataset(analyst, analysis, uri, params.position)
        )
    )
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None


def _dataset(analyst: Analyst, analysis: Analysis, uri: str, place: lsp.Position) -> str:
    offset = analysis.snapshot.offset(uri, place)
    known = analyst.dataset(analysis, offset) if offset is not None else None
    return pages.dataset(known) if known is not None else ""


async def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """What is offered at a place."""
    uri = params.text_document.uri
    analysis = await ls.session.analysis(ls.session.documents.home(uri))
    if analysis is None:
        return []
    where, only = params.range, params.context.only
    held = _held(ls)
    found = await ls.session.work(lambda analyst: actions.offers(analyst, analysis, held, uri, where, only))
    if resolves(ls.client_capabilities):
        return [offer.unresolved(analysis, params.context.diagnostics) for offer in found]
    versioned = versions(ls.client_capabilities)
    made = await ls.session.work(
        lambda analyst: [offer.resolved(analyst, analysis, held, versioned=versioned) for offer in found]
    )
    return [action for action in made if action is not None]


async def resolve(ls: Server, action: lsp.CodeAction) -> lsp.CodeAction:
    """An action that was offered, with its edits. One that can't be done any more comes back without."""
    analysis = await ls.session.analysis(actions.uri_of(action))
    if analysis is None:
        return action
    versioned = versions(ls.client_capabilities)
    offer = actions.offer_of(action, analysis)
    if offer is None:
        return action
    held = _held(ls)
    found = await ls.session.work(lambda analyst: offer.resolved(analyst, analysis, held, versioned=versioned))
    if found is not None:
        action.edit = found.edit
    return action


async def fix_all(ls: Server, uri: str) -> bool:
    """The command that applies all safe fixes of a file or notebook."""
    analysis = await ls.session.analysis(ls.session.documents.home(uri))
    if analysis is None:
        return False
    versioned = versions(ls.client_capabilities)
    held = _held(ls)
    edit = await ls.session.work(lambda analyst: actions.fix_all(analyst, analysis, held, versioned=versioned))
    if edit is None:
        return False
    answer = await ls.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit, "seqlint: fix all"))
    return answer.applied


def _held(ls: Server) -> Held:
    """The texts that are open now."""
    documents = ls.session.documents
    return Held(documents.encoding, documents.by_path())
