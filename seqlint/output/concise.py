"""One line a finding, for people in a hurry and for tools that read path:line:column."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.model import Diagnostic


def finding(diagnostic: Diagnostic) -> str:
    """Such as `src/a.py:3:5: SEQ201 the message`; of a notebook `nb.ipynb:cell 2:3:5: SEQ201 the message`."""
    return f"{diagnostic.path}:{diagnostic.start}: {diagnostic.code} {diagnostic.message}"
