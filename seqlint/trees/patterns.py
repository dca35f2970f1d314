"""How deep the patterns of `match` are nested, before libcst's parser reads them."""

from __future__ import annotations

import re

DEEPEST = 8
"""With each further level libcst's parser takes up to four times as long: 0.1 seconds for these, half a minute for 12."""

_HEAD = re.compile(r"^[ \t\f]*case\b", re.MULTILINE)
_MARK = re.compile(r"[()\[\]{}\n]|#[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_LONGEST = 2_000  # characters of a pattern that are looked at; one that is never closed goes on to the end of the file


def refuse_deep(text: str) -> None:
    """See that libcst's parser can read the patterns of a text.

    Raises:
        ValueError: it would take too long.
    """
    for head in _HEAD.finditer(text):
        depth = 0
        for mark in _MARK.finditer(text, head.end(), head.end() + _LONGEST):
            if mark[0] in "([{":
                depth += 1
            elif mark[0] in ")]}":
                depth -= 1
            elif mark[0] == "\n" and depth <= 0:
                break
            if depth > DEEPEST:
                raise ValueError(f"a pattern of `match` is nested more than {DEEPEST} levels deep")
