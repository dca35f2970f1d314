"""The text of one file, and the way back to its bytes: encoding, byte order mark and newlines are kept."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.model import Cell, Position, UnreadableSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.model import Edit
    from seqlint.sources.notebook import Notebook
    from seqlint.sources.pages.excerpt import Excerpt

BOM = "\ufeff"
"""The byte order mark."""

_LONE = re.compile(r"\r(?!\n)")

PAGES = (".md", ".markdown", ".rst", ".txt")
"""The files whose code blocks are read."""


def is_notebook(path: str) -> bool:
    """Whether a file is a notebook, by its name."""
    return path.lower().endswith(".ipynb")


def is_page(path: str) -> bool:
    """Whether a file is a page of text with code blocks in it, by its name."""
    return path.lower().endswith(PAGES)


@dataclass(frozen=True)
class Source:
    """A Python file as text, the code cells of a notebook, a page of text, or one of the programs in it.

    Attributes:
        path: as the user wrote it; "<stdin>" or any name for text without a file.
        text: the decoded text, newlines as they are in the file.
        encoding: the codec that the file declares; UTF-8 without a declaration.
        bom: whether the file starts with the UTF-8 byte order mark.
        returns: whether its lines end in a lone carriage return. The text then has line feeds, so that only this class knows of
            it; both are one byte, and offsets agree.
        notebook: the notebook whose code it is; None for a Python file.
        excerpt: where on its page the code is; None for what is no program of a page.
    """

    path: str
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    returns: bool = False
    notebook: Notebook | None = None
    excerpt: Excerpt | None = None

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> Source:
        """Decode a file the way Python does (PEP 263); of a notebook, take the code. A page that is not UTF-8 is Latin-1.

        Raises:
            UnreadableSource: null bytes, an unknown codec, or bytes that the codec refuses; a notebook that is none.
        """
        bom = data.startswith(codecs.BOM_UTF8)
        if is_notebook(path):
            from seqlint.sources.notebook import decoded, read

            text, notebook = read(decoded(data))
            return cls(path, text, bom=bom, notebook=notebook)
        if b"\0" in data:
            raise UnreadableSource(
                f"the file holds null bytes, so it is no {'text' if is_page(path) else 'Python source'}"
            )
        try:
            encoding = (
                _encoding_of_page(data) if is_page(path) else tokenize.detect_encoding(io.BytesIO(data).readline)[0]
            )
            text = data[3 if bom else 0 :].decode("utf-8" if bom else encoding)
        except (SyntaxError, LookupError) as error:
            raise UnreadableSource(f"the encoding of the file is unknown: {error}") from error
        except UnicodeDecodeError as error:
            raise UnreadableSource(f"the file is not {error.encoding}: {error.reason} at byte {error.start}") from error
        except ValueError as error:  # of a codec that is none for files, such as punycode or idna
            raise UnreadableSource(f"the file can't be decoded: {error}") from error
        return replace(_with_line_feeds(text, path), encoding="utf-8" if bom else encoding, bom=bom)

    @classmethod
    def from_text(cls, text: str, path: str) -> Source:
        """The text of a Python file as an editor or a program holds it; it may start with a byte order mark."""
        bom = text.startswith(BOM)
        return replace(_with_line_feeds(text[bom:], path), bom=bom)

    @classmethod
    def from_cells(cls, cells: Iterable[tuple[int, str]], path: str, only: int | None = None) -> Source:
        """The code cells of a notebook as an editor holds them: the number of each, from 1, and its text.

        Args:
            cells: in the order in which they run.
            path: the notebook.
            only: the number of the one cell that edits may change; None: any.
        """
        from seqlint.sources.notebook import open_cells

        text, notebook = open_cells(cells)
        return cls(path, text, notebook=replace(notebook, only=only))

    def together(self) -> Source:
        """The same file, of which a fix may change several cells, if it is a notebook: all of it goes to another Keras."""
        return replace(self, notebook=self.notebook and replace(self.notebook, together=True))

    def to_bytes(self) -> bytes:
        """The file with this text.

        Raises:
            UnreadableSource: the text holds a character that the encoding of the file lacks.
        """
        try:
            return self.whole.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise UnreadableSource(f"{error.object[error.start]!r} can't be written as {self.encoding}") from error
        except ValueError as error:
            raise UnreadableSource(f"the file can't be written as {self.encoding}: {error}") from error

    @property
    def whole(self) -> str:
        """The text as it was handed in: with the byte order mark, and with its own newlines."""
        text = self.text if self.notebook is None else self.notebook.to_json()
        return (BOM if self.bom else "") + (text.replace("\n", "\r") if self.returns else text)

    def edited(self, text: str, edits: Sequence[Edit]) -> Source:
        """The same file after edits that it takes; `text` is what they make of its text."""
        if self.excerpt is not None:
            return replace(self, text=text, excerpt=self.excerpt.edited(self.utf8, edits))
        return replace(self, text=text, notebook=self.notebook.edited(edits) if self.notebook is not None else None)

    def takes(self, edits: Sequence[Edit]) -> bool:
        """Whether edits can be made in the file. They must lie in one cell or block, and touch no magic.

        None is made where a line ends in a lone carriage return and another in a line feed: edits are whole lines, which end in
        line feeds.
        """
        if edits and self.is_mixed:
            return False
        if self.excerpt is not None:
            return self.excerpt.takes(self.utf8, edits)
        return self.notebook is None or self.notebook.takes(self.utf8, edits)

    @cached_property
    def utf8(self) -> bytes:
        """The text as UTF-8: what the offsets of spans and edits count in."""
        return self.text.encode("utf-8")

    @cached_property
    def is_mixed(self) -> bool:
        """Whether some lines end in a lone carriage return, and not all."""
        return "\r" in self.text and _LONE.search(self.text) is not None

    @cached_property
    def newline(self) -> str:
        """The newline that the file uses: that of its first line."""
        end = self.text.find("\n")
        if end > 0 and self.text[end - 1] == "\r":
            return "\r\n"
        return "\n"

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """The offset of each line's first byte."""
        starts, here = [0], 0
        for line in self.utf8.splitlines(keepends=True):
            here += len(line)
            starts.append(here)
        return tuple(starts[:-1]) if here and not self.utf8.endswith((b"\n", b"\r")) else tuple(starts)

    def position(self, offset: int) -> Position:
        """Line and column of an offset."""
        line = bisect_right(self.line_starts, offset)
        start = self.line_starts[line - 1]
        column = len(self.utf8[start:offset].decode("utf-8", "replace")) + 1
        page = self.excerpt.position(offset) if self.excerpt is not None else None
        return Position(line, column, offset, self._cell(offset), page)

    @property
    def is_page(self) -> bool:
        """Whether it is a page, and none of its programs."""
        return self.excerpt is None and is_page(self.path)

    def _cell(self, offset: int) -> Cell | None:
        found = self.notebook.cell_at(offset) if self.notebook is not None else None
        return None if found is None else Cell(found[0], bisect_right(self.line_starts, found[1]) - 1, found[1])

    def offset(self, line: int, column: int = 1) -> int:
        """The offset of a line (from 1) and column (from 1, in code points)."""
        start = self.line_starts[line - 1]
        return start + len(self.line(line)[: column - 1].encode("utf-8"))

    def line(self, number: int) -> str:
        """The text of a line, without its newline."""
        return self._line(self.utf8, number)

    def written_line(self, number: int) -> str:
        """The same as its author wrote it: in a notebook, with magics."""
        return self._line(self.utf8 if self.notebook is None else self.notebook.written, number)

    @property
    def with_magics(self) -> str:
        """The text of a notebook as its author wrote it; "" for a script."""
        return self.notebook.written.decode("utf-8") if self.notebook is not None else ""

    def _line(self, data: bytes, number: int) -> str:
        starts = self.line_starts
        end = starts[number] if number < len(starts) else len(data)
        return data[starts[number - 1] : end].decode("utf-8").rstrip("\r\n")

    def slice(self, start: int, end: int) -> str:
        """The text between two offsets."""
        return self.utf8[start:end].decode("utf-8")


def _with_line_feeds(text: str, path: str) -> Source:
    returns = "\r" in text and "\n" not in text
    return Source(path, text.replace("\r", "\n") if returns else text, returns=returns)


def _encoding_of_page(data: bytes) -> str:
    """Pages name no encoding. Latin-1 gives every byte back as it was, and the code is nearly always ASCII."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"
