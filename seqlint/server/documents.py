"""The texts that an editor holds, kept in step with it change by change."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Encoding = str
"""What a position counts in a line: "utf-8", "utf-16" or "utf-32"."""

# Python's splitlines also splits at form feeds and other characters that are no newlines to an editor.
_NEWLINE = re.compile(r"\r\n|\r|\n")
_WIDTHS = {"utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass(frozen=True)
class Document:
    """One text: a file, or a cell of a notebook.

    Attributes:
        version: as the editor counts, which may begin anew when the text is opened again.
        opening: tells one opening of a text from the next.
    """

    uri: str
    language: str
    version: int
    text: str
    opening: int = 0

    def changed(
        self, changes: Iterable[lsp.TextDocumentContentChangeEvent], version: int, encoding: Encoding
    ) -> Document:
        """The text after the changes of one message, in their order."""
        text = self.text
        for change in changes:
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                start, end = (index(text, place, encoding) for place in (change.range.start, change.range.end))
                text = text[:start] + change.text + text[end:]
            else:
                text = change.text
        return replace(self, text=text, version=version)


@dataclass
class Documents:
    """All texts that are open, and the notebooks that some of them are cells of.

    Attributes:
        encoding: what the positions of this editor count.
    """

    encoding: Encoding = "utf-16"
    _texts: dict[str, Document] = field(default_factory=dict)
    _cells: dict[str, tuple[lsp.NotebookCell, ...]] = field(default_factory=dict)
    _versions: dict[str, tuple[int, int]] = field(default_factory=dict)
    _openings: int = 0

    def open(self, item: lsp.TextDocumentItem) -> None:
        """A text is open now."""
        self._openings += 1
        self._texts[item.uri] = Document(item.uri, str(item.language_id), item.version, item.text, self._openings)

    def change(
        self, identifier: lsp.VersionedTextDocumentIdentifier, changes: Iterable[lsp.TextDocumentContentChangeEvent]
    ) -> None:
        """A text has changed. One that is not open is passed over."""
        document = self._texts.get(identifier.uri)
        if document is not None:
            self._texts[identifier.uri] = document.changed(changes, identifier.version, self.encoding)

    def close(self, uri: str) -> None:
        """A text is not open any more."""
        self._texts.pop(uri, None)

    def open_notebook(self, notebook: lsp.NotebookDocument, texts: Iterable[lsp.TextDocumentItem]) -> None:
        """A notebook is open now, with the texts of its cells."""
        for item in texts:
            self.open(item)
        self._cells[notebook.uri] = tuple(notebook.cells)
        self._openings += 1
        self._versions[notebook.uri] = self._openings, notebook.version

    def change_notebook(self, uri: str, version: int, change: lsp.NotebookDocumentChangeEvent) -> None:
        """Cells of a notebook have come, gone, moved or changed."""
        if uri not in self._cells:
            return
        self._versions[uri] = self._versions[uri][0], version
        if change.cells is None:
            return
        if (structure := change.cells.structure) is not None:
            self._restructure(uri, structure)
        for content in change.cells.text_content or ():
            self.change(content.document, content.changes)
        renewed = {cell.document: cell for cell in change.cells.data or ()}
        self._cells[uri] = tuple(renewed.get(cell.document, cell) for cell in self._cells[uri])

    def _restructure(self, uri: str, structure: lsp.NotebookDocumentCellChangeStructure) -> None:
        array, cells = structure.array, self._cells[uri]
        end = array.start + array.delete_count
        self._cells[uri] = (*cells[: array.start], *(array.cells or ()), *cells[end:])
        for item in structure.did_open or ():
            self.open(item)
        for closed in structure.did_close or ():
            self.close(closed.uri)

    def close_notebook(self, uri: str, texts: Iterable[lsp.TextDocumentIdentifier]) -> None:
        """A notebook is not open any more."""
        for identifier in texts:
            self.close(identifier.uri)
        self._cells.pop(uri, None)
        self._versions.pop(uri, None)

    def text(self, uri: str) -> Document | None:
        """An open text."""
        return self._texts.get(uri)

    def by_path(self) -> dict[str, Document]:
        """The texts that are open, by the paths of their files; cells of notebooks have none."""
        return {path_of(uri): text for uri, text in self._texts.items() if uri.startswith("file:")}

    def texts(self, uri: str) -> tuple[Document, ...]:
        """The texts of a file or notebook that are open and code."""
        if uri in self._cells:
            return tuple(cell for cell in self.cells(uri) if cell is not None)
        return (self._texts[uri],) if uri in self._texts else ()

    def cells(self, uri: str) -> Sequence[Document | None]:
        """The texts of a notebook's cells in their order; None for one that is not code."""
        return tuple(
            self._texts.get(cell.document) if cell.kind == lsp.NotebookCellKind.Code else None
            for cell in self._cells.get(uri, ())
        )

    def home(self, uri: str) -> str:
        """The notebook that a cell is in; for a text that is none, the text itself."""
        return next((book for book, cells in self._cells.items() if any(c.document == uri for c in cells)), uri)

    def is_notebook(self, uri: str) -> bool:
        """Whether an address is that of an open notebook."""
        return uri in self._cells

    def version(self, uri: str) -> tuple[int, ...]:
        """Changes whenever the text changes or is opened again, or anything in the notebook; empty for what is not open."""
        if uri in self._cells:
            return (
                *self._versions[uri],
                *(number for text in self.texts(uri) for number in (text.opening, text.version)),
            )
        document = self._texts.get(uri)
        return () if document is None else (document.opening, document.version)

    def __iter__(self) -> Iterator[str]:
        """The addresses of what is checked: notebooks, and texts that are no cells."""
        yield from self._cells
        inside = {cell.document for cells in self._cells.values() for cell in cells}
        yield from (uri for uri in self._texts if uri not in inside)


def path_of(uri: str) -> str:
    """The file of an address; what is not saved yet is named like "<untitled:Untitled-1>"."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return path or f"<{uri}>"


def index(text: str, place: lsp.Position, encoding: Encoding) -> int:
    """Where a position is in a text, in code points. One after the end of a line or text is at its end."""
    start, end = _line(text, place.line)
    return start + _points(text[start:end], place.character, encoding)


def units(text: str, encoding: Encoding) -> int:
    """How much a text without newlines counts."""
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    name, width = _WIDTHS[encoding]
    return len(text.encode(name, "surrogatepass")) // width


def _line(text: str, number: int) -> tuple[int, int]:
    start = 0
    for found in _NEWLINE.finditer(text):
        if number == 0:
            return start, found.start()
        start, number = found.end(), number - 1
    return (start, len(text)) if number == 0 else (len(text), len(text))


def _points(line: str, character: int, encoding: Encoding) -> int:
    if line.isascii() or encoding == "utf-32":
        return min(character, len(line))
    here = 0
    for point, letter in enumerate(line):
        if here >= character:
            return point
        here += units(letter, encoding)
    return len(line)


def end(text: str, encoding: Encoding) -> lsp.Position:
    """The position after the last character of a text."""
    number, last = 0, 0
    for found in _NEWLINE.finditer(text):
        number, last = number + 1, found.end()
    return lsp.Position(number, units(text[last:], encoding))
