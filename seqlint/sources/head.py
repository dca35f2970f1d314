"""The lines at the top of a text that speak of all of it."""

from __future__ import annotations

import re

_OF_INTERPRETER = re.compile(r"#!|#.*coding[:=]")


def ends(text: str) -> int:
    """The number of lines that only say what the file is: `#!`, the coding, and comments with an empty line below them."""
    last = 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#"):
            last = number if number <= 2 and _OF_INTERPRETER.match(line) else last
        elif line.strip():
            return last
        else:
            last = number
    return last
