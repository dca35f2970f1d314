"""Lines of a TOML file: the parser of the standard library gives values without places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def line_of(text: str, table: str, words: Sequence[str]) -> int:
    """The line, from 1, of the last of `words`, each looked for after the one before it.

    Args:
        text: the TOML file.
        table: the header that all of them follow, such as "tool.seqlint"; empty: the file as a whole.
        words: keys and values, the outer ones first. One that is not found keeps the line of the one before it.
    """
    lines = [_without_comment(line) for line in text.splitlines()]
    here = _first(lines, 0, re.compile(rf"\s*\[+\s*{re.escape(table)}\b")) if table else 0
    found = here or 0
    for word in words:
        at = _first(lines, found, re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])"))
        found = found if at is None else at
    return found + 1


def _first(lines: Sequence[str], start: int, pattern: re.Pattern[str]) -> int | None:
    return next((number for number in range(start, len(lines)) if pattern.search(lines[number])), None)


def _without_comment(line: str) -> str:
    # A "#" inside of a string is cut, too; no key and no selector has one.
    return "" if line.lstrip().startswith("#") else line.split(" #")[0]
