"""Rules of a project in an editor: they are code of its repository, and none of it runs before the user says so."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from lsprotocol import types as lsp

from seqlint.config import trust
from tests.cli.conftest import SAFE
from tests.server.editor import PATIENCE, Editor

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = pytest.mark.asyncio

TEXT = "import keras\n\nkeras.utils.seed(0)\n"
ACTION = "Trust these rules"


@dataclass
class User:
    """Who sits before the editor.

    Attributes:
        answer: the action that is chosen; None: the question is put away.
        asked: what was asked.
    """

    answer: str | None = None
    asked: list[lsp.ShowMessageRequestParams] = field(default_factory=list)
    was_asked: asyncio.Event = field(default_factory=asyncio.Event)

    def __call__(self, params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        self.asked.append(params)
        self.was_asked.set()
        return next((action for action in params.actions or () if action.title == self.answer), None)

    async def is_asked(self) -> None:
        await asyncio.wait_for(self.was_asked.wait(), PATIENCE)
        self.was_asked.clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a rule that leaves a mark when it is imported; whatever the environment says."""
    monkeypatch.setenv("SEQLINT_TRUST_RULES", "1")
    project = tmp_path / "project"
    (project / "house").mkdir(parents=True)
    (project / "seqlint.toml").write_text('rules = ["house"]\n')
    mark = f"from pathlib import Path\nPath({str(tmp_path / 'ran')!r}).touch()\n"
    (project / "house/tst101_seed_set.py").write_text(SAFE + mark)
    return project


def ran(folder: Path) -> bool:
    return (folder.parent / "ran").exists()


@pytest_asyncio.fixture(loop_scope="session", params=["neovim", "visual_studio_code that pulls"])
async def editor(request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[Editor]:
    found = await Editor.start(request.param, folder)
    yield found
    await found.stop()


@pytest.fixture
def user(editor: Editor) -> User:
    found = User()
    editor.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)(found)
    return found


async def test_it_is_asked_once_and_nothing_runs(editor: Editor, user: User, folder: Path) -> None:
    uri = editor.open("a.py", TEXT)
    assert await editor.codes(uri) == []
    await user.is_asked()
    editor.replace(uri, f"{TEXT}\n")
    assert await editor.codes(uri) == []
    assert await editor.codes(editor.open("b.py", TEXT)) == []
    assert await editor.run("seqlint.explain", "TST101") == ""
    assert (len(user.asked), ran(folder)) == (1, False)
    assert user.asked[0].message == (
        f"seqlint: {folder / 'house'}: these rules are not trusted, so they did not run: read them, then run "
        f"`seqlint trust {folder / 'house'}`"
    )
    assert [action.title for action in user.asked[0].actions or ()] == [ACTION]


async def test_the_action_trusts_them(editor: Editor, user: User, folder: Path) -> None:
    user.answer = ACTION
    uri = editor.open("a.py", TEXT)
    await editor.codes(uri)
    await user.is_asked()
    assert await found(editor, uri) == ["TST101"]
    assert trust.trusts(folder / "house")


async def found(editor: Editor, uri: str) -> list[str]:
    """The codes that are shown, once there are some."""
    if not editor.pulls:
        return [str(one.code) for one in await editor.sent(uri, lambda sent: sent.diagnostics)]

    async def pulled() -> list[str]:
        while not (codes := await editor.codes(uri)):
            await asyncio.sleep(0.01)
        return codes

    return await asyncio.wait_for(pulled(), PATIENCE)


async def test_rules_that_change_are_asked_about_again(editor: Editor, user: User, folder: Path) -> None:
    trust.trust(folder / "house")
    uri = editor.open("a.py", TEXT)
    assert await editor.codes(uri) == ["TST101"]
    assert user.asked == []
    (folder / "house/more.py").touch()
    changes = [lsp.FileEvent((folder / "house/more.py").as_uri(), lsp.FileChangeType.Created)]
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes))
    editor.replace(uri, f"{TEXT}\n")
    assert await editor.codes(uri) == []
    await user.is_asked()
    assert "these rules have changed since they were trusted" in user.asked[0].message


async def test_what_changes_before_the_answer_is_not_trusted(editor: Editor, user: User, folder: Path) -> None:
    """The user has looked at other files than those that would run."""

    def changing(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        (folder / "house/more.py").touch()
        return User.__call__(user, params)

    editor.client.protocol.fm.features.pop(lsp.WINDOW_SHOW_MESSAGE_REQUEST)
    editor.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)(changing)
    user.answer = ACTION
    uri = editor.open("a.py", TEXT)
    await editor.codes(uri)
    await user.is_asked()
    user.answer = None
    await told(editor, "these rules have just changed")
    editor.replace(uri, f"{TEXT}\n")
    await editor.codes(uri)
    await user.is_asked()  # again, about what is there now
    assert (trust.trusts(folder / "house"), ran(folder)) == (False, False)


async def test_an_editor_that_can_not_ask_is_told(editor: Editor, folder: Path) -> None:
    uri = editor.open("a.py", TEXT)
    assert await editor.codes(uri) == []
    assert len(await told(editor, "these rules are not trusted")) == 1
    assert not ran(folder)


async def told(editor: Editor, words: str) -> list[str]:
    """What the user is told with some words in it, once there is something."""

    async def found() -> list[str]:
        while not (said := [said for said in editor.said() if words in said]):
            await asyncio.sleep(0.01)
        return said

    return await asyncio.wait_for(found(), PATIENCE)


async def test_a_folder_that_leads_out_is_a_problem_with_its_line(editor: Editor, user: User, folder: Path) -> None:
    (folder / "seqlint.toml").write_text('\nrules = ["../project"]\n')
    (folder / "train.py").write_text(f"open({str(folder.parent / 'ran')!r}, 'w')\n")
    assert await editor.codes(editor.open("a.py", TEXT)) == []
    assert any("seqlint.toml:2: the rule folder '../project' is the project itself" in said for said in editor.said())
    assert (user.asked, ran(folder)) == ([], False)
