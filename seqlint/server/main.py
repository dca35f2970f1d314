"""The whole server: which message goes where."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from seqlint.server import actions, configured, proofs, questions, texts
from seqlint.server.server import Server
from seqlint.server.verification import end

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MESSAGES: Mapping[str, Callable[..., Any]] = {
    lsp.INITIALIZED: configured.initialized,
    lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: configured.changed,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: configured.touched,
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: configured.moved,
    lsp.TEXT_DOCUMENT_DID_OPEN: texts.opened,
    lsp.TEXT_DOCUMENT_DID_CHANGE: texts.changed,
    lsp.TEXT_DOCUMENT_DID_SAVE: texts.saved,
    lsp.TEXT_DOCUMENT_DID_CLOSE: texts.closed,
    lsp.NOTEBOOK_DOCUMENT_DID_OPEN: texts.notebook_opened,
    lsp.NOTEBOOK_DOCUMENT_DID_CHANGE: texts.notebook_changed,
    lsp.NOTEBOOK_DOCUMENT_DID_SAVE: texts.notebook_saved,
    lsp.NOTEBOOK_DOCUMENT_DID_CLOSE: texts.notebook_closed,
    lsp.TEXT_DOCUMENT_HOVER: questions.hover,
    lsp.CODE_ACTION_RESOLVE: questions.resolve,
}
_COMMANDS: Mapping[str, Callable[..., Any]] = {
    "seqlint.explain": proofs.explain,
    "seqlint.fixAll": questions.fix_all,
    "seqlint.verifyFix": proofs.verify_fix,
}


def make() -> Server:
    """A server that knows all its messages."""
    server = Server()
    for method, answer in _MESSAGES.items():
        server.feature(method)(answer)
    options = lsp.CodeActionOptions(code_action_kinds=list(actions.KINDS), resolve_provider=True)
    server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)(questions.code_action)
    server.feature(lsp.INITIALIZE)(_initialize)
    server.feature(lsp.SHUTDOWN)(_shutdown)
    for name, command in _COMMANDS.items():
        server.command(name)(command)
    return server


def main() -> None:
    """Serve an editor over standard input and output, until it goes."""
    gc.disable()  # it would run in the middle of a check; `Analyst.rest` does it between two
    server = make()
    try:
        server.start_io()
    finally:
        end(server.running)


def _initialize(ls: Server, params: lsp.InitializeParams) -> None:
    configured.initialize(ls, params)
    if ls.pulls:  # said to others as well, it would make some of them ask
        options = lsp.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="seqlint")
        ls.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, options)(questions.pulled)


def _shutdown(ls: Server, params: Any) -> None:
    end(ls.running)
    ls.session.stop()
