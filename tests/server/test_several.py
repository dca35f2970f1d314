"""Fixes that change another file, too: what an editor gets, whichever of the files are open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lsprotocol import types as lsp

from tests.cli.test_cli_several import FEED, FIXED_FEED, FIXED_TRAIN, TRAIN

if TYPE_CHECKING:
    from tests.server.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="session")

# A folder of its own: the files that other tests leave in that of the editor may use the class as well.
DATA, TRAINING = "several/data.py", "several/train.py"
_ALL = lsp.Range(lsp.Position(0, 0), lsp.Position(20, 0))


def prepared(editor: Editor) -> str:
    """The project on the disk, with the training open."""
    for name in (DATA, TRAINING):  # of the test before
        if editor.uri(name) in editor.texts:
            editor.close(editor.uri(name))
    (editor.folder / "several").mkdir(exist_ok=True)
    (editor.folder / "several/requirements.txt").write_text("keras>=3.10\n")
    (editor.folder / DATA).write_text(FEED)
    (editor.folder / TRAINING).write_text(TRAIN)
    return editor.open(TRAINING, TRAIN)


async def moved(editor: Editor, uri: str) -> list[lsp.CodeAction]:
    """The actions that move the workers."""
    found = await editor.actions(uri, _ALL, ["quickfix"])
    return [action for action in found if action.title.startswith("Safe: Move the worker arguments")]


async def test_the_edits_are_of_both_files(editor: Editor) -> None:
    uri = prepared(editor)
    other = editor.open(DATA, FEED)
    (action,) = await moved(editor, uri)
    editor.apply(action.edit)  # which holds the versions to those of the texts
    assert (editor.texts[uri], editor.texts[other]) == (FIXED_TRAIN, FIXED_FEED)


async def test_a_file_that_is_not_open_has_no_version(editor: Editor) -> None:
    uri = prepared(editor)
    (action,) = await moved(editor, uri)
    other = editor.uri(DATA)
    assert action.edit is not None
    found = {
        change.text_document.uri: change.text_document.version
        for change in action.edit.document_changes or ()
        if isinstance(change, lsp.TextDocumentEdit)
    }
    assert set(found or action.edit.changes or ()) == {uri, other}
    assert found.get(other) is None
    editor.texts[other], editor.versions[other] = FEED, 0
    editor.apply(action.edit)
    assert (editor.texts[uri], editor.texts[other]) == (FIXED_TRAIN, FIXED_FEED)


async def test_where_the_other_file_is_open_and_not_saved_nothing_is_offered(editor: Editor) -> None:
    uri = prepared(editor)
    editor.open(DATA, FEED + "\n# not saved\n")
    assert await moved(editor, uri) == []


async def test_all_fixes_change_both_files(editor: Editor) -> None:
    uri = prepared(editor)
    other = editor.open(DATA, FEED)
    assert await editor.run("seqlint.fixAll", uri)
    assert (editor.texts[uri], editor.texts[other]) == (FIXED_TRAIN, FIXED_FEED)
