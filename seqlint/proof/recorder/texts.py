"""Makes texts of two runs comparable: addresses, folders, line numbers and timings go away."""

from __future__ import annotations

import os
import re

_FRAME = re.compile(r'^\s*File "[^\n]*\n(?:[ \t]+(?!File ")[^\n]*\n?)*', re.MULTILINE)
_REPLACEMENTS = (
    (re.compile(r"0x[0-9a-fA-F]{4,}"), "0x…"),
    (re.compile(r"\[Op:[^\]]*\]"), ""),
    (re.compile(r"__inference_\w+"), "__inference_…"),
    # Of several operations that fail at once, chance decides which one is named.
    (re.compile(r"Detected at node [^\n]* defined at \(most recent call last\):\n"), ""),
    (re.compile(r"<stack traces unavailable>\n?"), ""),
    (re.compile(r"\[\[\{\{node [^\n]*\}\}\]\]"), ""),
    (re.compile(r"(?<![\w.])/(?:[\w.+@-]+/)+"), "…/"),
    (re.compile(r"\bline \d+"), "line …"),
    (re.compile(r"\.py:\d+"), ".py:…"),
)
_TIMING = re.compile(r"\b\d+(?:\.\d+)? ?(?:us|ms|s)/(?:step|epoch|sample)|\d+/\d+ [━=\[]|^Epoch \d+/\d+$")
LONGEST = 4000
"""Characters of a text that are kept."""


def comparable(text: str, folder: str) -> str:
    """The text without what differs between two equal runs, or between two places of the same line.

    Args:
        folder: the temporary folder that the script ran in.
    """
    for name in {folder, os.path.realpath(folder)}:
        text = text.replace(name + os.sep, "").replace(name, "<folder>")
    text = _FRAME.sub("", text)
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())[:LONGEST]


def printed(text: str, folder: str) -> str:
    """What a program printed, in comparable form and whole, without the lines of a progress bar."""
    lines = [line for line in re.split(r"[\r\n]+", text) if not _TIMING.search(line)]
    return "\n".join(comparable(line, folder) for line in lines).strip()
