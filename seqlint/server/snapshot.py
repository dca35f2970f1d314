"""What is checked as one, as it was at one moment: a file or a notebook, and the way between its bytes and the editor."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from seqlint.server.documents import Document, Documents, Encoding, index, path_of, units
from seqlint.sources import BOM, Source, is_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.model import Edit


@dataclass(frozen=True)
class Snapshot:
    """A file or a notebook at one moment.

    Attributes:
        uri: of the file or the notebook.
        version: of this moment, as `Documents.version` gives it.
        cells: the texts of the cells of a notebook, None for those that are no code in Python; the file alone.
        notebook: whether it is a notebook.
    """

    uri: str
    version: tuple[int, ...]
    cells: Sequence[Document | None]
    notebook: bool
    encoding: Encoding

    @cached_property
    def source(self) -> Source:
        """What is checked."""
        if self.notebook:
            code = ((number, cell.text) for number, cell in enumerate(self.cells, 1) if cell is not None)
            return Source.from_cells(code, path_of(self.uri))
        (document,) = self.cells
        return Source.from_text(document.text if document is not None else "", path_of(self.uri))

    @property
    def texts(self) -> tuple[Document, ...]:
        """The texts that can have diagnostics."""
        return tuple(cell for cell in self.cells if cell is not None)

    def place(self, offset: int) -> tuple[str, lsp.Position]:
        """The text that a byte is in, and the position there."""
        source, number, above = self.source, 0, 0
        found = source.notebook.cell_at(offset) if source.notebook is not None else None
        if found is not None:
            number, above = found[0] - 1, self._line(found[1])
        line = self._line(offset)
        before = self._mark * (line == 0) + self._written[source.line_starts[line] : offset].decode("utf-8", "replace")
        cell = self.cells[number]
        uri = cell.uri if cell is not None else self.uri
        return uri, lsp.Position(line - above, units(before, self.encoding))

    def range(self, start: int, end: int) -> tuple[str, lsp.Range]:
        """The text that a span of bytes is in, and its range there. A span over several cells ends with the first."""
        uri, first = self.place(start)
        other, last = self.place(end)
        return uri, lsp.Range(first, last if other == uri else first)

    def offset(self, uri: str, place: lsp.Position) -> int | None:
        """The byte at a position of a text; None where it is not checked."""
        if not self.notebook:
            mark = self._mark
            return max(self._byte(mark + self.source.text, place, -len(mark.encode("utf-8"))), 0)
        assert self.source.notebook is not None
        spans = iter(self.source.notebook.spans)
        for cell in self.cells:
            if cell is None:
                continue
            start = next(spans)[0]
            if cell.uri == uri:
                return self._byte(cell.text, place, start)
        return None

    def text_edits(self, edits: Iterable[Edit]) -> dict[str, list[lsp.TextEdit]]:
        """Edits of bytes as edits of texts."""
        found: dict[str, list[lsp.TextEdit]] = {}
        for edit in edits:
            uri, where = self.range(edit.start, edit.end)
            found.setdefault(uri, []).append(lsp.TextEdit(where, self._newlines(edit.text)))
        return found

    def _newlines(self, text: str) -> str:
        return text.replace("\n", "\r") if self.source.returns else text

    @property
    def _mark(self) -> str:
        """The byte order mark, which the editor counts and the checked text lacks."""
        return BOM if self.source.bom else ""

    @cached_property
    def _written(self) -> bytes:
        return self.source.utf8 if self.source.notebook is None else self.source.notebook.written

    def _line(self, offset: int) -> int:
        return bisect_right(self.source.line_starts, offset) - 1

    def _byte(self, text: str, place: lsp.Position, start: int) -> int:
        return start + len(text[: index(text, place, self.encoding)].encode("utf-8"))


def _is_checked(document: Document) -> bool:
    """Python, and pages of text with Python in them: those by the name of their file, as elsewhere."""
    return document.language == "python" or is_page(path_of(document.uri))


def snapshot(documents: Documents, uri: str) -> Snapshot | None:
    """The file or notebook at an address as it is now; None where it is not open, or no Python."""
    version = documents.version(uri)
    if documents.is_notebook(uri):
        cells = tuple(cell if cell is not None and cell.language == "python" else None for cell in documents.cells(uri))
        return Snapshot(uri, version, cells, True, documents.encoding)
    document = documents.text(uri)
    if document is None or not _is_checked(document):
        return None
    return Snapshot(uri, version, (document,), False, documents.encoding)
