"""What a migration is asked for, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from seqlint.model import Diagnostic, Fix

Part = Literal["done", "verified", "by hand", "not covered", "unsure"]
"""A part of the report."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What is asked for.

    Attributes:
        keep_both: write only what runs on Keras 2, too, and leave requirement files alone.
        safe: apply safe fixes alone.
    """

    keep_both: bool = False
    safe: bool = False

    @property
    def keras(self) -> str:
        """The range of Keras that the code is judged for."""
        return "both" if self.keep_both else ">=3"

    def wants(self, diagnostic: Diagnostic, fix: Fix) -> bool:
        """Whether a fix belongs to the way to Keras 3.

        One that changes a working program does where Keras 3 fails over the code, or does something else with it than Keras 2: it
        brings back what the program did.
        """
        if not diagnostic.migration:
            return False
        return fix.safe or (not self.safe and diagnostic.level in ("error", "warning"))


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the report.

    Attributes:
        path: the file; empty for the project.
        place: the place in it, such as "3:5" or "cell 2:1:1"; empty for the whole file.
        what: what was done, or what is to be done about.
        todo: what to write there, and why nobody else did.
        code: the rule that says so; empty without one.
        note: what happens otherwise, as it was measured.
    """

    path: str
    place: str
    what: str
    todo: str = ""
    code: str = ""
    note: str = ""

    @property
    def where(self) -> str:
        """Such as "train.py:3:5"."""
        return ":".join(part for part in (self.path, self.place) if part)


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that is to be written.

    Attributes:
        before: the bytes that it had when it was read.
        diff: for people.
        partners: other files that fixes have changed together with this one: they are written together, or not at all.
    """

    path: str
    before: bytes
    after: bytes
    diff: str
    partners: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Migration:
    """What came of it.

    Attributes:
        files: how many files of code were looked at.
        changed: the files that are to be written, or were.
        rows: the report, by its parts.
        broken: something could not be read, or crashed.
        written: whether the files were written.
    """

    aim: Aim
    files: int
    changed: tuple[Changed, ...] = ()
    rows: dict[Part, tuple[Row, ...]] = field(default_factory=dict)
    broken: bool = False
    written: bool = False

    def part(self, name: Part) -> tuple[Row, ...]:
        """The rows of a part of the report."""
        return self.rows.get(name, ())

    @property
    def left(self) -> int:
        """How much is left for a person: by hand, and what nothing here judges."""
        return len(self.part("by hand")) + len(self.part("not covered"))
