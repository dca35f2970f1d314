"""What a reader may expect of the texts of a finding and of a page: short, plain, and complete."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from seqlint.output.words import fixability

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.model import Diagnostic, LoadedRule

MOST_WORDS = 15
_CODE = re.compile(r"`+[^`]*`+")
_NAMES = (
    "AdamW",
    "AttributeError",
    "HDF5",
    "Horovod",
    "Keras",
    "NumPy",
    "Python",
    "TensorFlow",
    "TypeError",
    "ValueError",
)
_STILTED = re.compile(
    r"\b(hang(s|ing)? on|in sight|gives? back|given back|gave back|heirs?|behind|beside|apart|(is|are|was) no [a-z]+|"
    r"moves? \S+ on|round (a|an|the|this|fit)|Kerases|in silence|even so)\b"
)


def words(text: str) -> int:
    """How many words a text has; a piece of code counts as one."""
    return len(_CODE.sub("code", text).split())


def stilted(text: str) -> list[str]:
    """The turns of a text that sound translated; code is left out."""
    return [match[0] for match in _STILTED.finditer(_CODE.sub("code", text))]


def complaints(found: Diagnostic, loaded: LoadedRule) -> Iterator[str]:
    """What is wrong with the texts of a finding."""
    if words(found.message) > MOST_WORDS:
        yield f"has {words(found.message)} words: {found.message}"
    if fixability(loaded.rule) != "none" and not found.fixes and not found.no_fix:
        yield f"has neither a fix nor a reason for that: {found.message}"
    texts = [text for text in (found.message, found.condition, found.note, found.help, found.no_fix) if text]
    yield from (f"can't be an item of a list: {text}" for text in texts if not _is_item(text))
    for text in (*texts, *(fix.title for fix in found.fixes)):
        yield from (f"sounds translated ({turn}): {text}" for turn in stilted(text))


def _is_item(text: str) -> bool:
    """Whether a text has no full stop and no capital, but for a name."""
    return not text.endswith(".") and "\n" not in text and (not text[0].isupper() or text.startswith(_NAMES))
