"""Notebooks in an editor: cell by cell, while cells come, go and move."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types as lsp

from tests.server.test_server import BARE, COUNTED

if TYPE_CHECKING:
    from tests.server.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="session")

IMPORTS = "import keras\nimport numpy as np\n"
CLASS = COUNTED[COUNTED.index("class Tides") : COUNTED.index("\n\nmodel = ")]
FIT = COUNTED[COUNTED.index("model = ") :].rstrip("\n")


@dataclass
class Notebook:
    """A notebook in an editor."""

    editor: Editor
    uri: str
    cells: list[tuple[str, str]] = field(default_factory=list)  # address and language
    version: int = 1
    opened: int = 0

    def open(self, *texts: str) -> None:
        """Open the notebook with cells of code; a text that starts with a hash mark and a blank is one of text."""
        items = [self._item(text) for text in texts]
        self.cells = [(item.uri, str(item.language_id)) for item in items]
        book = lsp.NotebookDocument(self.uri, "jupyter-notebook", 1, [self._cell(*cell) for cell in self.cells])
        code = [item for item in items if item.language_id == "python"]
        self.editor.client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(book, code))

    def insert(self, place: int, text: str) -> None:
        """Put a cell before another."""
        item = self._item(text)
        self.cells.insert(place, (item.uri, str(item.language_id)))
        self._restructure(lsp.NotebookCellArrayChange(place, 0, [self._cell(*self.cells[place])]), opened=[item])

    def delete(self, place: int) -> None:
        """Take a cell away."""
        uri, _ = self.cells.pop(place)
        self._restructure(lsp.NotebookCellArrayChange(place, 1), closed=[lsp.TextDocumentIdentifier(uri)])

    def move_to_front(self, place: int) -> None:
        """Put a cell before all others."""
        cell = self.cells.pop(place)
        self.cells.insert(0, cell)
        order = [self._cell(*one) for one in self.cells[: place + 1]]
        self._restructure(lsp.NotebookCellArrayChange(0, place + 1, order))

    def type(self, place: int, start: int, end: int, text: str) -> None:
        """Replace characters of a cell."""
        uri, editor = self.cells[place][0], self.editor
        before = editor.texts[uri]
        where = lsp.Range(editor.position(before, start), editor.position(before, end))
        editor.texts[uri] = before[:start] + text + before[end:]
        editor.versions[uri] += 1
        identifier = lsp.VersionedTextDocumentIdentifier(editor.versions[uri], uri)
        content = lsp.NotebookDocumentCellContentChanges(
            identifier, [lsp.TextDocumentContentChangePartial(where, text)]
        )
        self._changed(lsp.NotebookDocumentCellChanges(text_content=[content]))

    async def codes(self, place: int, wanted: list[str]) -> list[lsp.Diagnostic]:
        """The diagnostics of a cell once they have these codes."""
        return await self.editor.sent(
            self.cells[place][0], lambda sent: [str(found.code) for found in sent.diagnostics] == wanted
        )

    def _restructure(self, array: lsp.NotebookCellArrayChange, opened: Any = None, closed: Any = None) -> None:
        structure = lsp.NotebookDocumentCellChangeStructure(array, opened, closed)
        self._changed(lsp.NotebookDocumentCellChanges(structure))

    def _changed(self, cells: lsp.NotebookDocumentCellChanges) -> None:
        self.version += 1
        identifier = lsp.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        change = lsp.NotebookDocumentChangeEvent(cells=cells)
        self.editor.client.notebook_document_did_change(lsp.DidChangeNotebookDocumentParams(identifier, change))

    def _item(self, text: str) -> lsp.TextDocumentItem:
        self.opened += 1
        uri = f"{self.uri.replace('file:', 'notebook-cell:')}#{self.opened}"
        self.editor.texts[uri], self.editor.versions[uri] = text, 1
        return lsp.TextDocumentItem(uri, "markdown" if text.startswith("# ") else "python", 1, text)

    def _cell(self, uri: str, language: str) -> lsp.NotebookCell:
        kind = lsp.NotebookCellKind.Code if language == "python" else lsp.NotebookCellKind.Markup
        return lsp.NotebookCell(kind, uri)


def notebook(editor: Editor, name: str) -> Notebook:
    return Notebook(editor, editor.uri(name))


@pytest.fixture(autouse=True)
def can_notebooks(editor: Editor) -> None:
    if editor.server.capabilities.notebook_document_sync is None:
        pytest.skip("this editor knows no notebooks")


async def test_facts_flow_from_cell_to_cell(editor: Editor) -> None:
    book = notebook(editor, "tides.ipynb")
    book.open("# Tides", IMPORTS + "passes = 0", CLASS, FIT)
    found = await book.codes(2, ["SEQ221", "SEQ101"])
    assert found[0].range.start == lsp.Position(1, 4)


async def test_cells_come_go_and_move(editor: Editor) -> None:
    book = notebook(editor, "moves.ipynb")
    book.open(CLASS, FIT)
    await book.codes(0, [])
    book.insert(0, IMPORTS + "passes = 0")
    await book.codes(1, ["SEQ221", "SEQ101"])
    book.insert(0, "# Only text")
    book.move_to_front(2)
    place = CLASS.index("        self.levels")
    book.type(0, place, place, "        super().__init__()\n")
    (found,) = await book.codes(0, ["SEQ101"])
    assert found.range.start.line == CLASS[: CLASS.index("passes += 1")].count("\n") + 1
    book.delete(2)  # the imports
    await book.codes(0, [])
    gone = book.cells[0][0]
    book.delete(0)
    assert await editor.sent(gone, lambda sent: not sent.diagnostics) == []


async def test_magics_stay_and_do_not_shift_lines(editor: Editor) -> None:
    book = notebook(editor, "magic.ipynb")
    book.open("%matplotlib inline\n!pip install keras\n" + IMPORTS, "# The tides", BARE[BARE.index("class") :])
    (found,) = await book.codes(2, ["SEQ221"])
    assert found.range.start.line == 1


async def test_a_cell_that_changes_is_checked_again(editor: Editor) -> None:
    book = notebook(editor, "typed.ipynb")
    book.open(IMPORTS, BARE[BARE.index("class") :])
    await book.codes(1, ["SEQ221"])
    place = editor.texts[book.cells[1][0]].index("        self.levels")
    book.type(1, place, place, "        super().__init__()\n")
    await book.codes(1, [])


async def test_fixes_stay_in_their_cell(editor: Editor) -> None:
    book = notebook(editor, "fixed.ipynb")
    book.open(IMPORTS, BARE[BARE.index("class") :])
    (found,) = await book.codes(1, ["SEQ221"])
    uri = book.cells[1][0]
    (fix,) = (
        action for action in await editor.actions(uri, found.range, ["quickfix"]) if action.title.startswith("Safe: ")
    )
    assert touched(fix) == {uri}
    for kind in ("notebook.source.fixAll", "source.fixAll"):
        (every,) = await editor.actions(uri, found.range, [kind])
        assert every.kind == f"{kind}.seqlint"
        assert touched(every) == {uri}
    before = editor.texts[uri]
    assert editor._edited(before, edits_of(every)[uri]) == before.replace(
        "batch_size=32):\n", "batch_size=32, **kwargs):\n        super().__init__(**kwargs)\n"
    )


def edits_of(action: lsp.CodeAction) -> dict[str, Any]:
    """The edits of an action by the text that they change."""
    assert action.edit is not None
    found: dict[str, Any] = dict(action.edit.changes or {})
    named = (change for change in action.edit.document_changes or () if isinstance(change, lsp.TextDocumentEdit))
    return found | {change.text_document.uri: change.edits for change in named}


def touched(action: lsp.CodeAction) -> set[str]:
    """The texts that an action changes."""
    return set(edits_of(action))


async def test_what_asks_for_a_cell_gets_no_second_answer(editor: Editor) -> None:
    book = notebook(editor, "asked.ipynb")
    book.open(IMPORTS, BARE[BARE.index("class") :])
    await book.codes(1, ["SEQ221"])
    if editor.pulls:
        asked = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(book.cells[1][0]))
        report = await editor.client.text_document_diagnostic_async(asked)
        assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
        assert not report.items
