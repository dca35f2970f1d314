"""What a check of one file found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.model import Diagnostic, KerasLine
    from seqlint.sources import Source


@dataclass(frozen=True)
class Assumed:
    """The Keras that a file was checked for.

    Attributes:
        lines: those that it can be, in order.
        range: as a user writes it; empty where nothing says which it is.
        source: what says so, such as "requirements.txt line 3".
    """

    lines: tuple[KerasLine, ...]
    range: str
    source: str


@dataclass(frozen=True)
class Checked:
    """What a check of one file found.

    Attributes:
        diagnostics: sorted by place; what a suppression hides is left out.
        broken: the file could not be read, or a rule crashed.
        keras: None where the file was not read so far.
    """

    source: Source
    diagnostics: tuple[Diagnostic, ...]
    broken: bool = False
    keras: Assumed | None = None
