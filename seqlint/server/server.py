"""The server of one editor: its session, and the diagnostics that it sends."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from seqlint.server import diagnostics, trusting
from seqlint.server.lifecycle import Lifecycle
from seqlint.server.session import Session
from seqlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from seqlint.server.analysis import Analysis

DEBOUNCE = 0.01
"""Seconds that a text must rest before it is checked: editors send one key as several changes."""

_NOTEBOOKS = lsp.NotebookDocumentFilterWithNotebook(
    notebook="jupyter-notebook", cells=[lsp.NotebookCellLanguage(language="python")]
)


class Server(LanguageServer):
    """The server of one editor.

    Attributes:
        session: its texts, settings and analyses.
        running: the processes of proofs that go on, by their ids.
        asked: the rule folders of which the user was told that they are not trusted.
    """

    def __init__(self) -> None:
        cells = lsp.NotebookDocumentSyncOptions([_NOTEBOOKS], save=True)
        super().__init__("seqlint", __version__, notebook_document_sync=cells, protocol_cls=Lifecycle)
        self.session = Session()
        self.running: set[int] = set()
        self.asked: set[Path] = set()
        self._published: dict[str, tuple[int, ...]] = {}
        self._pushing: Counter[str] = Counter()
        self._told: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def pulls(self) -> bool:
        """Whether the editor asks for diagnostics itself: to send them as well would show each of them twice."""
        of_text = self.client_capabilities.text_document
        return of_text is not None and of_text.diagnostic is not None

    def tell(self, problem: str) -> None:
        """Say what is wrong, once."""
        if problem and problem not in self._told:
            self._told.add(problem)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, f"seqlint: {problem}"))

    def later(self, work: Coroutine[None, None, None]) -> None:
        """Do something while other work goes on."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def renew(self, uri: str) -> None:
        """Check a file or notebook once it rests, and send its diagnostics where the editor does not ask for them."""
        if not self.pulls or self.session.documents.is_notebook(uri):
            self.later(self._push(uri))

    def renew_all(self) -> None:
        """The same for all that is open: something around it has changed."""
        self._told.clear()
        self._published.clear()
        for uri in self.session.documents:
            self.renew(uri)
        of_workspace = self.client_capabilities.workspace
        if self.pulls and of_workspace is not None and of_workspace.diagnostics is not None:
            self.workspace_diagnostic_refresh(None)

    def clear(self, texts: list[str]) -> None:
        """Take back what was said of texts."""
        for text in texts:
            self._published.pop(text, None)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(text, []))

    def diagnostics_of(self, uri: str, analysis: Analysis | None) -> dict[str, list[lsp.Diagnostic]]:
        """The diagnostics of each text of a file or notebook; without an analysis there are none."""
        if analysis is None:
            return {text.uri: [] for text in self.session.documents.texts(uri)}
        self.tell(analysis.problem)
        for folder in analysis.untrusted:
            if folder not in self.asked:
                self.asked.add(folder)
                self.later(trusting.ask(self, folder))
        errors = self.session.settings_of(uri).show_syntax_errors
        return diagnostics.by_text(analysis, syntax_errors=errors, shows=self.shows)

    @property
    def shows(self) -> diagnostics.Abilities:
        """What the editor shows of a diagnostic."""
        return diagnostics.Abilities.of(self.client_capabilities)

    async def _push(self, uri: str) -> None:
        documents = self.session.documents
        version = documents.version(uri)
        if self._pushing[uri]:  # keys come faster than answers; after a pause the first is answered at once
            await asyncio.sleep(DEBOUNCE)
            if documents.version(uri) != version:
                return
        self._pushing[uri] += 1
        try:
            analysis = await self.session.analysis(uri)
        finally:
            self._pushing[uri] -= 1
        version = documents.version(uri)
        if not version or self._published.get(uri) == version:
            return
        self._published[uri] = version
        for text, found in self.diagnostics_of(uri, analysis).items():
            document = documents.text(text)
            number = document.version if document is not None else None
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(text, found, number))
