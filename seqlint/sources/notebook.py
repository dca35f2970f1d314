"""A notebook as one Python text: its code cells in their order, and the way back into its JSON."""

from __future__ import annotations

import codecs
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.model import UnreadableSource
from seqlint.sources.cells import Cell, code_cells, with_source
from seqlint.sources.edits import apply
from seqlint.sources.magics import Refused, read_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.model import Edit

# It stands between two cells: what belongs to the end of one can't be taken for the start of the next.
_BETWEEN = "pass"


@dataclass(frozen=True)
class Notebook:
    """The JSON of a notebook, and where its code cells are in the text that is checked.

    Attributes:
        document: the JSON as it was read.
        cells: the code cells as they were read.
        spans: the bytes of each cell in the text, with the newline at its end.
        written: the text with the magics in it, byte for byte as long as the one without them.
        refused: the cells that Python does not run: the number of each, the offset of the fault in the text, and why.
        only: the number of the one cell that edits may change; None: any.
        together: whether one fix may change several cells; a cell that is run alone would not find what it needs.
    """

    document: str
    cells: tuple[Cell, ...]
    spans: tuple[tuple[int, int], ...]
    written: bytes
    refused: tuple[tuple[int, int, Refused], ...] = ()
    only: int | None = None
    together: bool = False

    def cell_at(self, offset: int) -> tuple[int, int] | None:
        """The number of the cell that an offset is in, and where the cell starts; None without cells."""
        if not self.spans:
            return None
        index = max(bisect_right(self.spans, (offset, len(self.written))) - 1, 0)
        return self.cells[index].number, self.spans[index][0]

    def takes(self, text: bytes, edits: Sequence[Edit]) -> bool:
        """Whether edits can be made: in one cell, or each in one, and none where a magic stands or above that of a whole cell."""
        homes = {self._home(edit) for edit in edits}
        if None in homes or (len(homes) > 1 and not self.together):
            return False
        if self.only is not None and any(self.cells[home].number != self.only for home in homes if home is not None):
            return False
        return not any(self._meets_magic(text, edit) for edit in edits)

    def edited(self, edits: Sequence[Edit]) -> Notebook:
        """The notebook after edits that it takes."""
        spans = tuple((_moved(start, edits, at=False), _moved(end, edits, at=True)) for start, end in self.spans)
        refused = tuple((number, _moved(at, edits, at=True), why) for number, at, why in self.refused)
        return replace(self, spans=spans, written=apply(self.written, edits).encode("utf-8"), refused=refused)

    def texts(self) -> dict[int, str]:
        """The code of each cell by its number, as it is now."""
        return {cell.number: self._text(cell, span) for cell, span in zip(self.cells, self.spans, strict=True)}

    def to_json(self) -> str:
        """The document, in which only the source of cells that have changed is another."""
        document, texts = self.document, self.texts()
        for cell in reversed(self.cells):
            if texts[cell.number] != cell.text:
                source = with_source(self.document, cell.start, cell.end, texts[cell.number])
                document = document[: cell.start] + source + document[cell.end :]
        return document

    def _text(self, cell: Cell, span: tuple[int, int]) -> str:
        text = self.written[slice(*span)].decode("utf-8")
        if text.rstrip("\r\n") == cell.text.rstrip("\r\n"):
            return cell.text
        if not cell.text.endswith("\n"):
            text = text.rstrip("\r\n")
        return text if cell.text.startswith(("\r", "\n")) else text.lstrip("\r\n")

    def _home(self, edit: Edit) -> int | None:
        """The cell in which an edit lies whole."""
        # The cell that starts at the edit, or the last one before it; where they meet, the first of both.
        after = bisect_left(self.spans, (edit.start,))
        near = (index for index in (after - 1, after) if 0 <= index < len(self.spans))
        return next(
            (index for index in near if self.spans[index][0] <= edit.start and edit.end <= self.spans[index][1]), None
        )

    def _meets_magic(self, text: bytes, edit: Edit) -> bool:
        if self.written[edit.start : edit.end] != text[edit.start : edit.end]:
            return True
        home = self._home(edit)
        below = b"" if home is None else self.written[edit.end : self.spans[home][1]]
        return below.lstrip().startswith(b"%%")


def read(document: str) -> tuple[str, Notebook]:
    """The text of a notebook that is checked, and the way back.

    Raises:
        UnreadableSource: it is no notebook.
    """
    return _joined(document, code_cells(document))


def open_cells(cells: Iterable[tuple[int, str]]) -> tuple[str, Notebook]:
    """The same of cells that an editor holds, each with its number; there is no way back into a document."""
    return _joined("", tuple(Cell(number, text, 0, 0) for number, text in cells))


def _joined(document: str, cells: tuple[Cell, ...]) -> tuple[str, Notebook]:
    newline = "\r\n" if any("\r\n" in cell.text for cell in cells) else "\n"
    text = written = ""
    spans: list[tuple[int, int]] = []
    refused: list[tuple[int, int, Refused]] = []
    for cell in cells:
        between = _BETWEEN + newline if spans else ""
        end = "" if cell.text.endswith("\n") else newline
        plain, why = read_cell(cell.text)
        text += between + plain + end
        start = len(written.encode()) + len(between)
        written += between + cell.text + end
        spans.append((start, len(written.encode())))
        if why is not None:
            refused.append((cell.number, start + _offset(cell.text, why), why))
    return text, Notebook(document, cells, tuple(spans), written.encode(), tuple(refused))


def _offset(text: str, refused: Refused) -> int:
    """Where a fault of a cell is, in bytes from its start."""
    lines = text.split("\n")
    line = min(refused.line, len(lines)) - 1
    above = sum(len(each.encode()) + 1 for each in lines[:line])
    return above + len(lines[line].rstrip("\r")[: max(refused.column - 1, 0)].encode())


def code(data: bytes) -> bytes:
    """The code of a notebook's bytes; empty where they are none."""
    try:
        return read(decoded(data))[0].encode()
    except UnreadableSource:
        return b""


def decoded(data: bytes) -> str:
    """The JSON text of a notebook's bytes, without their byte order mark.

    Raises:
        UnreadableSource: the bytes are not UTF-8.
    """
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableSource(f"the notebook is not UTF-8: {error.reason} at byte {error.start}") from error


def _moved(offset: int, edits: Iterable[Edit], *, at: bool) -> int:
    """Where an offset is after the edits; `at`: after what is inserted there."""
    return offset + sum(
        len(edit.text.encode()) - (edit.end - edit.start)
        for edit in set(edits)
        if edit.start < offset or (at and edit.start == offset)
    )
