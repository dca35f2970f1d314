"""Messages about texts: open, changed, saved, closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lsprotocol import types as lsp

    from seqlint.server.server import Server


def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    """A file is open."""
    ls.session.documents.open(params.text_document)
    ls.renew(params.text_document.uri)


def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    """A file has changed."""
    uri = params.text_document.uri
    ls.session.documents.change(params.text_document, params.content_changes)
    if ls.session.settings_of(uri).run == "onType":
        ls.renew(uri)


def saved(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    """A file is saved: what others inherit from it may be another."""
    ls.session.saved(params.text_document.uri)
    ls.renew_all()


def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    """A file is not open any more; what was said of it goes away."""
    uri = params.text_document.uri
    ls.session.documents.close(uri)
    ls.session.closed(uri)
    ls.clear([uri])


def notebook_opened(ls: Server, params: lsp.DidOpenNotebookDocumentParams) -> None:
    """A notebook is open."""
    ls.session.documents.open_notebook(params.notebook_document, params.cell_text_documents)
    ls.renew(params.notebook_document.uri)


def notebook_changed(ls: Server, params: lsp.DidChangeNotebookDocumentParams) -> None:
    """Cells have come, gone, moved or changed."""
    uri, documents = params.notebook_document.uri, ls.session.documents
    before = {text.uri for text in documents.texts(uri)}
    documents.change_notebook(uri, params.notebook_document.version, params.change)
    ls.clear(sorted(before - {text.uri for text in documents.texts(uri)}))
    if ls.session.settings_of(uri).run == "onType":
        ls.renew(uri)


def notebook_saved(ls: Server, params: lsp.DidSaveNotebookDocumentParams) -> None:
    """A notebook is saved."""
    ls.session.saved(params.notebook_document.uri)
    ls.renew_all()


def notebook_closed(ls: Server, params: lsp.DidCloseNotebookDocumentParams) -> None:
    """A notebook is not open any more."""
    uri = params.notebook_document.uri
    ls.session.documents.close_notebook(uri, params.cell_text_documents)
    ls.session.closed(uri)
    ls.clear([uri, *(cell.uri for cell in params.cell_text_documents)])
