"""seqlint inside python-lsp-server, for JupyterLab and Spyder: they ask one server for each language, and that is theirs.

Diagnostics and fixes; the page of a rule, proofs and notebooks as a whole are the affair of `seqlint server`.
"""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from lsprotocol.converters import get_converter
from pylsp import hookimpl

from seqlint.server import actions, diagnostics, settings, trusting
from seqlint.server.analysis import Analysis, Analyst
from seqlint.server.documents import Document, path_of
from seqlint.server.elsewhere import Held
from seqlint.server.snapshot import Snapshot

if TYPE_CHECKING:
    from pylsp.config.config import Config
    from pylsp.workspace import Document as Text
    from pylsp.workspace import Workspace

NAME = "seqlint"
_ENCODING = "utf-16"  # this server announces none, and that is the protocol's default


@hookimpl
def pylsp_settings(config: Config) -> dict[str, object]:
    """The plugin is on; its settings are those of an editor."""
    return {"plugins": {NAME: {"enabled": True}}}


@hookimpl
def pylsp_lint(config: Config, workspace: Workspace, document: Text) -> list[dict[str, Any]]:
    """The diagnostics of a text."""
    chosen = _settings(config, document)
    analysis = _checked(document, workspace, chosen)
    for folder in set(analysis.untrusted) - _told():
        _told().add(folder)
        workspace.show_message(trusting.words(folder), lsp.MessageType.Warning.value)
    shows = _abilities(config.capabilities)
    found = diagnostics.by_text(analysis, syntax_errors=chosen.show_syntax_errors, shows=shows)
    return [_plain(one) for one in found[document.uri]]


@hookimpl
def pylsp_code_actions(
    config: Config,
    workspace: Workspace,
    document: Text,
    range: dict[str, Any],  # noqa: A002 - the name is that of the hook
    context: dict[str, Any],
) -> list[dict[str, Any]]:
    """The fixes at a place, with their edits: this server can't be asked for them later."""
    chosen = _settings(config, document)
    analysis = _checked(document, workspace, chosen)
    where = get_converter().structure(range, lsp.Range)
    with _worker() as analyst:
        held = _held(workspace)
        offered = actions.offers(analyst, analysis, held, document.uri, where, context.get("only"))
        made = [offer.resolved(analyst, analysis, held, versioned=False) for offer in offered if offer.command is None]
    return [_plain(action) for action in made if action is not None]


def _abilities(capabilities: Any) -> diagnostics.Abilities:
    """What the editor shows of a diagnostic; this server checks nothing of what an editor says that it can."""
    of_texts = capabilities.get("textDocument") if isinstance(capabilities, dict) else None
    published = of_texts.get("publishDiagnostics") if isinstance(of_texts, dict) else None
    if not isinstance(published, dict):
        return diagnostics.Abilities()
    return diagnostics.Abilities(
        published.get("relatedInformation") is True, published.get("codeDescriptionSupport") is True
    )


def _settings(config: Any, document: Text) -> settings.Settings:
    return settings.read(config.plugin_settings(NAME, document_path=document.path))[0]


def _checked(document: Text, workspace: Workspace, chosen: settings.Settings) -> Analysis:
    version = document.version or 0
    text = Document(document.uri, "python", version, document.source)
    request = chosen.request(Path(workspace.root_path) if workspace.root_path else None)
    with _worker() as analyst:
        # Nobody tells this server's plugins of files that change: each check looks around anew.
        analyst.forget()
        return analyst.check(Snapshot(document.uri, (version,), (text,), False, _ENCODING), request)


def _held(workspace: Workspace) -> Held:
    """The texts that are open, as far as the server tells."""
    found = getattr(workspace, "documents", {})
    return Held(
        _ENCODING,
        {path_of(uri): Document(uri, "python", text.version or 0, text.source) for uri, text in found.items()},
    )


def _plain(value: object) -> dict[str, Any]:
    found: dict[str, Any] = get_converter().unstructure(value)
    return found


class _Worker:
    """One analyst for all threads of the server, one at a time."""

    def __init__(self) -> None:
        self._lock, self._analyst = threading.Lock(), Analyst()

    def __enter__(self) -> Analyst:
        self._lock.acquire()
        return self._analyst

    def __exit__(self, *error: object) -> None:
        self._lock.release()


@cache
def _told() -> set[Path]:
    """The rule folders of which was said that they are not trusted: this server's plugins can't ask."""
    return set()


@cache
def _worker() -> _Worker:
    return _Worker()
