"""The cells that a kernel has run, as the program that they are together."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from seqlint.sources import Source

_OWN = re.compile(r"\s*%(%?seqlint\b|(re|un)?load_ext\s+seqlint\b)[^\n]*\s*")


@dataclass(frozen=True)
class Ran:
    """A cell as it was run: its number, its text, and the name that the editor has for it; empty where it has none."""

    number: int
    text: str
    name: str = ""


@dataclass
class Cells:
    """The cells in the order in which they first ran. One that runs again takes the place of what it was."""

    ran: list[Ran] = field(default_factory=list)

    def add(self, cell: Ran) -> None:
        """A cell has run."""
        self.ran = self._with(cell)

    def source(self, path: str, cell: Ran | None = None) -> Source:
        """All cells as one program.

        Args:
            path: the notebook.
            cell: one that is about to run, and the only one that a fix may change.
        """
        cells = self.ran if cell is None else self._with(cell)
        only = None if cell is None else cell.number
        return Source.from_cells([(one.number, one.text) for one in cells], path, only)

    def _with(self, cell: Ran) -> list[Ran]:
        place = next((index for index, one in enumerate(self.ran) if _same(one, cell)), len(self.ran))
        return [*self.ran[:place], cell, *self.ran[place + 1 :]]


def says_something(text: str) -> bool:
    """Whether a cell holds more than a word to seqlint. A cell under `%%seqlint` does not run."""
    return bool(text.strip()) and not text.lstrip().startswith("%%seqlint") and _OWN.fullmatch(text) is None


def _same(one: Ran, other: Ran) -> bool:
    """Whether a cell is another one that runs again: by its name, or else by its text."""
    if one.name and other.name:
        return one.name == other.name
    return one.text.strip() == other.text.strip()
