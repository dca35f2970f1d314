"""The commands that explain a rule and prove a fix."""

from __future__ import annotations

import asyncio
import tempfile
import uuid
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from seqlint.model import UnreadableSource
from seqlint.output import markdown
from seqlint.server.configured import shows_documents, shows_progress
from seqlint.server.server import Server  # noqa: TC001 - pygls reads the types of what a command takes
from seqlint.server.verification import Verified, verify
from seqlint.sources import Source, disk

if TYPE_CHECKING:
    from seqlint.model import Diagnostic
    from seqlint.server.analysis import Analysis

_SHOW = "Show the report"


async def explain(ls: Server, code: str) -> str:
    """The page of a rule as Markdown. An editor that can open files, and does nothing with answers, gets it as one."""
    rules = await ls.session.work(lambda analyst: analyst.rules(None))
    if code not in rules:
        return ""
    page = markdown.page(rules[code])
    if shows_documents(ls.client_capabilities) and not ls.session.shows_pages:
        file = Path(tempfile.mkdtemp(prefix="seqlint-")) / f"{code}.md"
        file.write_text(page, encoding="utf-8")
        await ls.window_show_document_async(lsp.ShowDocumentParams(file.as_uri(), take_focus=True))
    return page


async def verify_fix(ls: Server, uri: str, code: str, offset: int) -> str:
    """Run the file of a finding before and after its fix, in the background, and say what came of it.

    Args:
        ls: the server.
        uri: the file or notebook.
        code: the rule.
        offset: where the finding starts, in bytes.
    """
    analysis = await ls.session.analysis(uri)
    found = analysis.diagnostics if analysis is not None else ()
    diagnostic = next((one for one in found if one.code == code and one.start.offset == offset), None)
    if analysis is None or diagnostic is None:
        return _say(ls, Verified(False, f"{code} is not reported there any more"))
    if not _is_saved(analysis):
        return _say(ls, Verified(False, "save the file first: a proof runs what is on the disk"))
    done = await _watched(ls, analysis, diagnostic)
    return "" if done is None else _say(ls, done)


async def _watched(ls: Server, analysis: Analysis, diagnostic: Diagnostic) -> Verified | None:
    """The proof, with a sign that it goes on which the user can cancel; None if it was."""
    place = diagnostic.start.shown
    cell = None if place.cell is None else place.cell.number
    work = asyncio.ensure_future(verify(analysis.snapshot.source.path, diagnostic.code, place.line, cell, ls.running))
    if not shows_progress(ls.client_capabilities):
        return await work
    token, progress = str(uuid.uuid4()), ls.work_done_progress
    await progress.create_async(token)
    title = f"seqlint: verifying {diagnostic.code}"
    progress.begin(token, lsp.WorkDoneProgressBegin(title, cancellable=True, message="before and after, on TensorFlow"))
    cancelled = asyncio.wrap_future(progress.tokens[token])
    try:
        await asyncio.wait({work, cancelled}, return_when=asyncio.FIRST_COMPLETED)
        return work.result() if work.done() else None
    finally:
        work.cancel()
        cancelled.cancel()
        with suppress(asyncio.CancelledError):
            await work
        progress.end(token, lsp.WorkDoneProgressEnd())


def _is_saved(analysis: Analysis) -> bool:
    source = analysis.snapshot.source
    try:
        return Source.from_bytes(disk.read(Path(source.path)), source.path).text == source.text
    except UnreadableSource:
        return False


def _say(ls: Server, done: Verified) -> str:
    kind = lsp.MessageType.Info if done.held else lsp.MessageType.Warning
    if done.report is None or not shows_documents(ls.client_capabilities):
        ls.window_show_message(lsp.ShowMessageParams(kind, f"seqlint: {done.text}"))
    else:
        ls.later(_ask(ls, kind, done, done.report))
    return done.text


async def _ask(ls: Server, kind: lsp.MessageType, done: Verified, report: Path) -> None:
    question = lsp.ShowMessageRequestParams(kind, f"seqlint: {done.text}", [lsp.MessageActionItem(_SHOW)])
    try:
        answer = await ls.window_show_message_request_async(question)
    except JsonRpcException:  # an editor that can't ask is told
        ls.window_show_message(lsp.ShowMessageParams(kind, question.message))
        return
    if answer is not None and answer.title == _SHOW:
        await ls.window_show_document_async(lsp.ShowDocumentParams(report.as_uri(), external=True))
