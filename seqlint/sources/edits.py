"""Edits into text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.model import Edit


def apply(text: bytes, edits: Iterable[Edit]) -> str:
    """The text after the edits; of equal ones, one is applied; insertions at one place keep their order.

    Raises:
        ValueError: two edits overlap.
    """
    ordered = sorted(dict.fromkeys(edits), key=lambda edit: (edit.start, edit.end))
    pieces, here = [], 0
    for edit in ordered:
        if edit.start < here:
            raise ValueError("two edits of one fix overlap")
        pieces += [text[here : edit.start], edit.text.encode("utf-8")]
        here = edit.end
    return b"".join([*pieces, text[here:]]).decode("utf-8")
