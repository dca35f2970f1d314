"""An editor without a window: it speaks the protocol as VS Code, Neovim or Emacs do, and applies edits to its texts."""

from __future__ import annotations

import asyncio
import atexit
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from lsprotocol.converters import get_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features

from seqlint.server.documents import index

ROOT = Path(__file__).parents[2]
PROFILES = ("visual_studio_code", "visual_studio_code that pulls", "neovim", "emacs")
PATIENCE = 60


def capabilities(profile: str) -> lsp.ClientCapabilities:
    """What an editor says that it can."""
    name, _, pulls = profile.partition(" that ")
    found = client_capabilities(name)
    assert found.text_document is not None
    assert found.workspace is not None
    if pulls:
        found.text_document.diagnostic = lsp.DiagnosticClientCapabilities(dynamic_registration=True)
        synchronised = lsp.NotebookDocumentSyncClientCapabilities(dynamic_registration=True)
        found.notebook_document = lsp.NotebookDocumentClientCapabilities(synchronised)
        found.workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    return found


def converter() -> Any:
    """The library's own takes every action with a command for a bare command."""
    found = get_converter()

    def either(value: Any, _: type) -> lsp.Command | lsp.CodeAction:
        if isinstance(value.get("command"), str):
            return found.structure(value, lsp.Command)
        return found.structure(value, lsp.CodeAction)

    found.register_structure_hook(lsp.Command | lsp.CodeAction, either)
    found.register_structure_hook(lsp.CodeAction | lsp.Command, either)
    return found


def documentation() -> str:
    """The address of the documentation, as pyproject.toml states it."""
    stated = re.search(r'^Documentation = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert stated is not None
    return stated[1]


@cache
def installed() -> Path:
    """A folder with what an installation says of the package: a checkout need not be installed."""
    folder = Path(tempfile.mkdtemp(prefix="seqlint-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "seqlint-0.dist-info").mkdir()
    stated = f"Name: seqlint\nVersion: 0\nProject-URL: Documentation, {documentation()}\n"
    (folder / "seqlint-0.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\n{stated}")
    return folder


@dataclass
class Editor:
    """One editor with its server.

    Attributes:
        texts: what is open, by address, as the editor holds it.
        published: for each address the diagnostics that were sent, newest last, with their versions.
        messages: what the user was told.
    """

    client: LanguageClient
    folder: Path
    server: lsp.InitializeResult
    can: lsp.ClientCapabilities
    texts: dict[str, str] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    published: dict[str, list[lsp.PublishDiagnosticsParams]] = field(default_factory=dict)
    pulls: bool = False

    @classmethod
    async def start(cls, profile: str, folder: Path, options: Any = None) -> Editor:
        """Start a server for a folder."""
        client = LanguageClient(converter_factory=converter)
        register_lsp_features(client)
        can = capabilities(profile)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(installed())))}
        await client.start_io(sys.executable, "-m", "seqlint", "server", env=environment, cwd=str(folder))
        editor = cls(client, folder, lsp.InitializeResult(lsp.ServerCapabilities()), can)
        client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
        client.feature(lsp.WORKSPACE_APPLY_EDIT)(lambda params: editor._apply(params))
        del client.protocol.fm.features[lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]
        client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: editor._take(params))
        root = lsp.WorkspaceFolder(folder.as_uri(), folder.name)
        given = lsp.InitializeParams(can, root_uri=root.uri, workspace_folders=[root], initialization_options=options)
        editor.server = await client.initialize_session(given)
        editor.pulls = can.text_document is not None and can.text_document.diagnostic is not None
        return editor

    async def stop(self) -> None:
        """End the server."""
        await self.client.shutdown_session()
        await self.client.stop()  # type: ignore[no-untyped-call]

    @property
    def encoding(self) -> str:
        """What positions count."""
        found = self.server.capabilities.position_encoding
        return str(getattr(found, "value", found))

    def uri(self, name: str) -> str:
        """The address of a file of the folder."""
        return Path(os.path.normpath(self.folder / name)).as_uri()

    def open(self, name: str, text: str) -> str:
        """Open a file; it need not be on the disk."""
        uri = self.uri(name)
        self.texts[uri], self.versions[uri] = text, 1
        item = lsp.TextDocumentItem(uri, "python", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return uri

    def type(self, uri: str, start: int, end: int, text: str) -> None:
        """Replace characters of a text, as somebody who types."""
        before = self.texts[uri]
        where = lsp.Range(self.position(before, start), self.position(before, end))
        self.texts[uri] = before[:start] + text + before[end:]
        self._changed(uri, [lsp.TextDocumentContentChangePartial(where, text)])

    def replace(self, uri: str, text: str) -> None:
        """Replace a whole text."""
        self.texts[uri] = text
        self._changed(uri, [lsp.TextDocumentContentChangeWholeDocument(text)])

    def _changed(self, uri: str, changes: list[Any]) -> None:
        self.versions[uri] += 1
        identifier = lsp.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, changes))

    def save(self, uri: str) -> None:
        """Write a text to its file."""
        Path(self.folder / uri.rpartition("/")[2]).write_text(self.texts[uri], encoding="utf-8", newline="")
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    def close(self, uri: str) -> None:
        """Close a file."""
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    async def diagnostics(self, uri: str) -> list[lsp.Diagnostic]:
        """The diagnostics of a text as it is now."""
        if self.pulls:
            asked = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
            report = await self.client.text_document_diagnostic_async(asked)
            assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
            return list(report.items)
        return await self.sent(uri, lambda sent: sent.version == self.versions[uri])

    async def sent(self, uri: str, wanted: Any) -> list[lsp.Diagnostic]:
        """The newest diagnostics that the server has sent, once they are those that are wanted."""

        async def newest() -> list[lsp.Diagnostic]:
            while not (self.published.get(uri) and wanted(self.published[uri][-1])):
                await asyncio.sleep(0.005)
            return list(self.published[uri][-1].diagnostics)

        return await asyncio.wait_for(newest(), PATIENCE)

    async def settled(self) -> None:
        """All that was asked of the server before is done: it works on one thread, and has now answered a later question."""
        text = "import keras\n"
        later = self.open(f"later{len(self.versions)}.py", text)
        assert await self.diagnostics(later) == []

    async def codes(self, uri: str) -> list[str]:
        """The codes of the diagnostics, in their order."""
        return [str(found.code) for found in await self.diagnostics(uri)]

    async def actions(self, uri: str, where: lsp.Range, only: list[str] | None = None) -> list[lsp.CodeAction]:
        """What is offered at a range, with edits."""
        context = lsp.CodeActionContext([], only=only)
        asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), where, context)
        found = await self.client.text_document_code_action_async(asked) or []
        actions = [action for action in found if isinstance(action, lsp.CodeAction)]
        return [await self._resolved(action) for action in actions]

    async def _resolved(self, action: lsp.CodeAction) -> lsp.CodeAction:
        if action.edit is not None or action.command is not None:
            return action
        return await self.client.code_action_resolve_async(action)

    async def run(self, command: str, *arguments: Any) -> Any:
        """Run a command of the server."""
        asked = lsp.ExecuteCommandParams(command, arguments=list(arguments))
        return await self.client.workspace_execute_command_async(asked)

    async def hover(self, uri: str, place: lsp.Position) -> str:
        """What is shown over a place."""
        found = await self.client.text_document_hover_async(lsp.HoverParams(lsp.TextDocumentIdentifier(uri), place))
        if found is None:
            return ""
        assert isinstance(found.contents, lsp.MarkupContent)
        return found.contents.value

    def apply(self, edit: lsp.WorkspaceEdit | None) -> None:
        """Make edits in the texts, and tell the server, as editors do."""
        assert edit is not None
        found = dict(edit.changes or {})
        for change in edit.document_changes or ():
            assert isinstance(change, lsp.TextDocumentEdit)
            assert change.text_document.version in (None, self.versions[change.text_document.uri])
            found[change.text_document.uri] = list(change.edits)  # type: ignore[arg-type]
        for uri, edits in found.items():
            self.replace(uri, self._edited(self.texts[uri], edits))

    def _edited(self, text: str, edits: Any) -> str:
        places = sorted(
            (
                (index(text, e.range.start, self.encoding), index(text, e.range.end, self.encoding), e.new_text)
                for e in edits
            ),
            reverse=True,
        )
        for start, end, new in places:
            text = text[:start] + new + text[end:]
        return text

    def position(self, text: str, offset: int) -> lsp.Position:
        """The position of a character."""
        before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
        line = before.rpartition("\n")[2]
        width = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[self.encoding]
        size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.encoding]
        return lsp.Position(before.count("\n"), len(line.encode(width)) // size)

    def said(self) -> list[str]:
        """What the user was told."""
        return [message.message for message in self.client.messages]

    def _take(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.published.setdefault(params.uri, []).append(params)

    def _apply(self, params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        self.apply(params.edit)
        return lsp.ApplyWorkspaceEditResult(True)
