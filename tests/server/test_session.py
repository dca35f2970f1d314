"""What the server knows of texts that come and go, and of those that take long."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types as lsp

from seqlint.runner import text
from seqlint.server import session as sessions
from seqlint.server.analysis import Analysis
from seqlint.server.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from seqlint.config import Config
    from seqlint.engine import Checked
    from seqlint.sources import Source

pytestmark = pytest.mark.asyncio(loop_scope="function")

BARE = """\
import keras


class Feed(keras.utils.PyDataset):
    def __init__(self, data):
        self.data = data

    def __getitem__(self, index):
        return self.data[index]
"""
GOOD = BARE.replace("        self.data = data\n", "        super().__init__()\n        self.data = data\n")
PATIENCE = 120


def codes(analysis: Analysis | None) -> list[str]:
    return [] if analysis is None else [found.code for found in analysis.diagnostics]


@pytest.fixture
def session() -> Iterator[Session]:
    found = Session()
    yield found
    found.stop()


def opened(session: Session, folder: Path, name: str, code: str) -> str:
    uri = (folder / name).as_uri()
    session.documents.open(lsp.TextDocumentItem(uri, "python", 1, code))
    return uri


class Gate:
    """Holds up the check of one file until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.reached, self.open = threading.Event(), threading.Event()
        check = text.glance

        def held(source: Source, config: Config) -> Checked:
            if source.path.endswith(name) and not self.reached.is_set():
                self.reached.set()
                self.open.wait()
            return check(source, config)

        monkeypatch.setattr(text, "glance", held)

    async def wait(self) -> None:
        await asyncio.to_thread(self.reached.wait)


class TestOpenings:
    async def test_a_file_that_is_closed_and_opened_again_while_it_is_checked(
        self, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gate = Gate(monkeypatch, "feed.py")
        uri = opened(session, tmp_path, "feed.py", BARE)
        asked = asyncio.ensure_future(session.analysis(uri))
        await gate.wait()
        session.documents.close(uri)
        session.closed(uri)
        opened(session, tmp_path, "feed.py", GOOD)
        gate.open.set()
        assert "SEQ221" not in codes(await session.analysis(uri))
        await asked
        assert "SEQ221" not in codes(await session.analysis(uri))

    async def test_a_notebook(self, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        gate = Gate(monkeypatch, "feed.ipynb")
        uri = (tmp_path / "feed.ipynb").as_uri()

        def open_it(code: str) -> None:
            cell = lsp.NotebookCell(lsp.NotebookCellKind.Code, "cell:1")
            item = lsp.TextDocumentItem("cell:1", "python", 1, code)
            session.documents.open_notebook(lsp.NotebookDocument(uri, "jupyter-notebook", 1, [cell]), [item])

        open_it(BARE)
        asked = asyncio.ensure_future(session.analysis(uri))
        await gate.wait()
        session.documents.close_notebook(uri, [lsp.TextDocumentIdentifier("cell:1")])
        session.closed(uri)
        open_it(GOOD)
        gate.open.set()
        assert "SEQ221" not in codes(await session.analysis(uri))
        await asked
        assert "SEQ221" not in codes(await session.analysis(uri))

    async def test_what_was_said_of_a_text_has_another_name_when_it_is_opened_again(
        self, session: Session, tmp_path: Path
    ) -> None:
        uri = opened(session, tmp_path, "feed.py", BARE)
        before = session.result_id(uri)
        session.documents.close(uri)
        opened(session, tmp_path, "feed.py", BARE)
        assert session.result_id(uri) != before


class TestLong:
    @pytest.fixture
    def slow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A file for which this process needs for ever."""
        check = text.glance

        def spinning(source: Source, config: Config) -> Checked:
            while source.path.endswith("slow.py"):
                sum(range(100))
            return check(source, config)

        monkeypatch.setattr(text, "glance", spinning)
        monkeypatch.setattr(sessions, "TURN", 0.5)

    @pytest.mark.usefixtures("slow")
    async def test_other_files_are_checked_meanwhile(
        self, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reached, go_on = asyncio.Event(), asyncio.Event()

        async def check(snapshot: Any, *given: Any) -> Analysis:
            reached.set()
            await go_on.wait()
            return Analysis(snapshot)

        monkeypatch.setattr(session._far, "check", check)
        slow = asyncio.ensure_future(session.analysis(opened(session, tmp_path, "slow.py", BARE)))
        await asyncio.wait_for(reached.wait(), PATIENCE)
        for name in ("one.py", "two.py"):
            found = await asyncio.wait_for(session.analysis(opened(session, tmp_path, name, BARE)), PATIENCE)
            assert "SEQ221" in codes(found)
        assert not slow.done()
        go_on.set()
        assert await asyncio.wait_for(slow, PATIENCE) is not None

    @pytest.mark.usefixtures("slow")
    async def test_it_is_checked_in_a_process_of_its_own(self, session: Session, tmp_path: Path) -> None:
        uri = opened(session, tmp_path, "slow.py", BARE)
        assert "SEQ221" in codes(await asyncio.wait_for(session.analysis(uri), PATIENCE))

    @pytest.mark.usefixtures("slow")
    async def test_its_next_text_is_checked_there_at_once(self, session: Session, tmp_path: Path) -> None:
        uri = opened(session, tmp_path, "slow.py", BARE)
        await asyncio.wait_for(session.analysis(uri), PATIENCE)
        whole = lsp.TextDocumentContentChangeWholeDocument(GOOD)
        session.documents.change(lsp.VersionedTextDocumentIdentifier(2, uri), [whole])
        assert "SEQ221" not in codes(await asyncio.wait_for(session.analysis(uri), PATIENCE))

    async def test_what_is_over_its_time_there_is_said(self, session: Session, tmp_path: Path) -> None:
        (tmp_path / "seqlint.toml").write_text("file-time-limit = 0.05\n")
        uri = opened(session, tmp_path, "feed.py", BARE * 1_000)
        assert codes(await asyncio.wait_for(session.analysis(uri), PATIENCE)) == ["SEQ006"]
