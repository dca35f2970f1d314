"""One line a finding, for people in a hurry and for tools that read path:line:column."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.model import Diagnostic


def finding(diagnostic: Diagnostic) -> str:
    """Such as `src/a.py:3:5: error[SEQ201] the message [fix]`; of a notebook `nb.ipynb:cell 2:3:5: error[SEQ201] the message`."""
    place = f"{diagnostic.path}:{diagnostic.start}"
    return f"{place}: {diagnostic.level}[{diagnostic.code}] {message(diagnostic)}"


def message(diagnostic: Diagnostic) -> str:
    """The message, and a sign where there is a fix."""
    return f"{diagnostic.sentence}{_sign(diagnostic)}"


def _sign(diagnostic: Diagnostic) -> str:
    """Whether `seqlint fix` applies a fix: "[fix]", "[unsafe fix]" where it takes --unsafe, nothing where there is none."""
    if not diagnostic.fixes:
        return ""
    return " [fix]" if diagnostic.fixes[0].safe else " [unsafe fix]"
