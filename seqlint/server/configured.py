"""What an editor can do, how it is set, and what changes around its texts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from seqlint.server import settings
from seqlint.server.documents import path_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.server.server import Server

SECTION = "seqlint"
_WATCHED = "**/{*.py,*.toml,*.lock,requirements*.txt,*requirements.txt,setup.cfg,environment*.yml,environment*.yaml,Pipfile,seqlint-baseline.json}"


def initialize(ls: Server, params: lsp.InitializeParams) -> None:
    """What the editor can, where it is, and what it sets from the start."""
    encoding = ls.workspace.position_encoding
    ls.session.documents.encoding = str(getattr(encoding, "value", encoding))
    folders = params.workspace_folders or ()
    roots = [folder.uri for folder in folders] or ([params.root_uri] if params.root_uri else [])
    ls.session.folders = [path_of(uri) for uri in roots]
    given = params.initialization_options
    ls.session.shows_pages = isinstance(given, dict) and given.get("showsPages") is True
    ls.session.hover_alone = isinstance(given, dict) and given.get("hoverAlone") is True
    inner = given.get("settings") if isinstance(given, dict) else None
    _take(ls, inner if isinstance(inner, dict) else given)


async def initialized(ls: Server, params: lsp.InitializedParams) -> None:
    """Ask for the settings, and to be told of files that change."""
    await _ask(ls)
    of_workspace = ls.client_capabilities.workspace
    watching = of_workspace.did_change_watched_files if of_workspace is not None else None
    if watching is not None and watching.dynamic_registration:
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(_WATCHED)])
        method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        registration = lsp.Registration("seqlint-files", method, options)
        with suppress(JsonRpcException):  # an editor that announces it and refuses it goes without
            await ls.client_register_capability_async(lsp.RegistrationParams([registration]))


async def changed(ls: Server, params: lsp.DidChangeConfigurationParams) -> None:
    """The settings have changed; some editors send them, others are to be asked."""
    given = params.settings.get(SECTION) if isinstance(params.settings, dict) else None
    if given is not None:
        _take(ls, given)
    await _ask(ls)
    ls.session.forget()
    ls.renew_all()


def touched(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Files have changed on the disk: modules, requirements, configurations."""
    ls.session.forget()
    ls.renew_all()


async def moved(ls: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    """Workspace folders have come or gone."""
    removed = {path_of(folder.uri) for folder in params.event.removed}
    kept = [folder for folder in ls.session.folders if folder not in removed]
    ls.session.folders = [*kept, *(path_of(folder.uri) for folder in params.event.added)]
    await _ask(ls)
    ls.session.forget()
    ls.renew_all()


async def _ask(ls: Server) -> None:
    """The settings of the editor, and those of each folder, where it can be asked."""
    of_workspace = ls.client_capabilities.workspace
    if of_workspace is None or not of_workspace.configuration:
        return
    folders = tuple(ls.session.folders)
    items = [lsp.ConfigurationItem(section=SECTION)]
    items += [lsp.ConfigurationItem(Path(folder).as_uri(), SECTION) for folder in folders]
    answers: Sequence[object] = await ls.workspace_configuration_async(lsp.ConfigurationParams(items))
    if len(answers) != len(items):
        return
    _take(ls, answers[0])
    by_folder = zip(folders, answers[1:], strict=True)
    ls.session.by_folder = {folder: _read(ls, given) for folder, given in by_folder if given is not None}


def _take(ls: Server, given: object) -> None:
    if given is not None:
        ls.session.settings = _read(ls, given)


def _read(ls: Server, given: object) -> settings.Settings:
    found, wrong = settings.read(given)
    for problem in wrong:
        ls.tell(problem)
    return found


def resolves(capabilities: lsp.ClientCapabilities) -> bool:
    """Whether the edits of an action can be worked out once it is chosen."""
    of_text = capabilities.text_document
    can = of_text.code_action if of_text is not None else None
    resolving = can.resolve_support if can is not None and can.data_support else None
    return resolving is not None and "edit" in resolving.properties


def versions(capabilities: lsp.ClientCapabilities) -> bool:
    """Whether edits can name the version of the text that they are meant for."""
    can = capabilities.workspace.workspace_edit if capabilities.workspace is not None else None
    return can is not None and bool(can.document_changes)


def shows_documents(capabilities: lsp.ClientCapabilities) -> bool:
    """Whether the editor can be asked to open a file."""
    can = capabilities.window.show_document if capabilities.window is not None else None
    return can is not None and can.support


def shows_progress(capabilities: lsp.ClientCapabilities) -> bool:
    """Whether the editor shows the progress of what the server does by itself."""
    return capabilities.window is not None and bool(capabilities.window.work_done_progress)
