"""The proof of a fix, started from an editor."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.server.editor import Editor
from tests.server.test_server import BARE

pytestmark = [pytest.mark.asyncio(loop_scope="session")]


def command(actions: list[lsp.CodeAction]) -> lsp.Command:
    """The command that proves a fix."""
    (found,) = (action.command for action in actions if "verify" in action.title)
    assert found is not None
    return found


@pytest.mark.tensorflow
async def test_a_fix_is_proved_when_asked_for(tmp_path: Path) -> None:
    editor = await Editor.start("neovim", tmp_path)
    try:
        uri = editor.open("bare.py", BARE)
        editor.save(uri)
        (found,) = await editor.diagnostics(uri)
        asked = command(await editor.actions(uri, found.range))
        said = await asyncio.wait_for(editor.run(asked.command, *asked.arguments or ()), 240)
        assert said.startswith("SEQ221: the fix holds: nothing has changed but the warnings that it repairs (Keras 3.")
        assert "CHANGED" not in said
        (began, *_, ended) = next(iter(editor.client.progress_reports.values()))
        assert isinstance(began, lsp.WorkDoneProgressBegin)
        assert began.cancellable
        assert isinstance(ended, lsp.WorkDoneProgressEnd)
    finally:
        await editor.stop()


@pytest.mark.tensorflow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
async def test_a_proof_that_is_cancelled_leaves_nothing_behind(tmp_path: Path) -> None:
    editor = await Editor.start("neovim", tmp_path)
    try:
        uri = editor.open("endless.py", BARE + "while True:\n    pass\n")
        editor.save(uri)
        (found,) = await editor.diagnostics(uri)
        asked = command(await editor.actions(uri, found.range))
        running = asyncio.ensure_future(editor.run(asked.command, *asked.arguments or ()))
        while not (children := runs_of(tmp_path)):
            await asyncio.sleep(0.05)
        (token,) = editor.client.progress_reports
        editor.client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams(token))
        assert await asyncio.wait_for(running, 60) == ""
        assert not [child for child in children if child.exists()]
        assert await editor.codes(uri) == ["SEQ221"]
    finally:
        await editor.stop()


def runs_of(folder: Path) -> list[Path]:
    """The processes that prove a fix of a file in a folder, on Linux."""
    named = os.fsencode(folder / "endless.py")
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_bytes()
            found += [process] if b"verify" in words and named in words else []
    return found


async def test_what_is_not_saved_is_not_run(tmp_path: Path) -> None:
    editor = await Editor.start("emacs", tmp_path)
    try:
        uri = editor.open("bare.py", BARE)
        editor.save(uri)
        editor.type(uri, 0, 0, "# a new line\n")
        (found,) = await editor.diagnostics(uri)
        asked = command(await editor.actions(uri, found.range))
        assert "save the file first" in await editor.run(asked.command, *asked.arguments or ())
        assert any("save the file first" in said for said in editor.said())
    finally:
        await editor.stop()
