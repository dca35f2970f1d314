"""Rules of a project are code of its repository: none of it runs before the user of the editor says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from seqlint.config import trust

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.server.server import Server

ACTION = "Trust these rules"


def words(folder: Path) -> str:
    """What to say of a rule folder that is not trusted."""
    return f"seqlint: {folder}: {trust.complaint(folder, whole=True)}"


async def ask(ls: Server, folder: Path) -> None:
    """Say once that the rules of a folder did not run, and trust them if the user wants that."""
    # What is trusted is what lay there when the question was asked.
    seen = await ls.session.work(lambda _: trust.digest(folder))
    question = lsp.ShowMessageRequestParams(lsp.MessageType.Warning, words(folder), [lsp.MessageActionItem(ACTION)])
    try:
        answer = await ls.window_show_message_request_async(question)
    except JsonRpcException:  # an editor that can't ask is told
        ls.window_show_message(lsp.ShowMessageParams(question.type, question.message))
        return
    if answer is None or answer.title != ACTION:
        return
    problem = await ls.session.work(lambda analyst: analyst.trust(folder, seen))
    ls.asked.discard(folder)  # if they change, it is asked again
    ls.tell(problem)
    ls.session.forget()
    ls.renew_all()
