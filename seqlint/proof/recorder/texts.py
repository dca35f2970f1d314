"""Makes texts of two runs comparable: addresses, the folder of the run, lines of tracebacks and progress bars go away."""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING

from .bars import thinned
from .clock import untimed

if TYPE_CHECKING:
    from .clock import Span

_FRAME = re.compile(r'^\s*File "[^\n]*\n(?:[ \t]+(?!File ")[^\n]*\n?)*', re.MULTILINE)
_REPLACEMENTS = (
    (re.compile(r"0x[0-9a-fA-F]{4,}"), "0x…"),
    (re.compile(r"\b1(?:39|40)\d{12}\b"), "0x…"),  # 0x7f…, as `id` gives it
    (re.compile(r"\[Op:[^\]]*\]"), ""),
    (re.compile(r"__inference_\w+"), "__inference_…"),
    # Of several operations that fail at once, chance decides which one is named.
    (re.compile(r"Detected at node [^\n]* defined at \(most recent call last\):\n"), ""),
    (re.compile(r"<stack traces unavailable>\n?"), ""),
    (re.compile(r"\[\[\{\{node [^\n]*\}\}\]\]"), ""),
    # Of code, and not of data: "line 7 of the table" stays as it is.
    (re.compile(r"((?:\.py|>)[\"')]*,? line )\d+"), r"\1…"),
    (re.compile(r"\.py:\d+"), ".py:…"),
)
LONGEST = 4000
"""Characters of a text that are kept; what comes after is known by its digest."""


def comparable(text: str, folder: str) -> str:
    """The text without what differs between two equal runs, or between two places of the same line.

    Args:
        folder: the temporary folder that the script ran in, in a place that is the run's own, too.
    """
    text = _FRAME.sub("", _anywhere(text, folder))
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return _kept("\n".join(line.rstrip() for line in text.strip().splitlines()))


def printed(text: str, folder: str, run: Span) -> str:
    """What a program printed, in comparable form and whole: without times, and of a progress bar the last line alone.

    Args:
        run: when it ran.
    """
    text = _FRAME.sub("", text)
    lines = thinned(re.split(r"[\r\n]+", text))
    return "\n".join(comparable(untimed(line, run), folder) for line in lines).strip()


def _anywhere(text: str, folder: str) -> str:
    """The text without the place of the run."""
    for name in dict.fromkeys((folder, os.path.realpath(folder))):
        text = text.replace(name + os.sep, "").replace(name, "<folder>").replace(os.path.dirname(name), "…")
    return text


def _kept(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{text[:LONGEST]}… and {len(text) - LONGEST} characters more, {digest}"
