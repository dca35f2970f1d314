"""What a check of one file found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.model import Diagnostic
    from seqlint.sources import Source


@dataclass(frozen=True)
class Checked:
    """What a check of one file found.

    Attributes:
        diagnostics: sorted by place; what a suppression hides is left out.
        broken: the file could not be read, or a rule crashed.
    """

    source: Source
    diagnostics: tuple[Diagnostic, ...]
    broken: bool = False
