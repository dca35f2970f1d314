"""Whether a text may bring rows into a random order: a shuffle, a permutation or a sample of rows, and no `shuffle(1000)` of a dataset."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# It begins with a letter, which `re` searches for; what stands before is looked at where one is found.
_NAMED = re.compile(r"(?:shuffle|permutation|permuted|sample)\b(?!\s*(?:=[^=]|:))")
_OF = re.compile(r"(\w*)\s*\.\s*(?:stateless_)?$")
_FARTHEST = 80  # characters before the name
_SETTINGS = frozenset({
    "self", "args", "cfg", "config", "conf", "opt", "options", "flags", "FLAGS", "params", "hparams", "settings",
})  # fmt: skip
"""What holds a switch of that name: `if self.shuffle` calls nothing, and a method is written elsewhere with what it shuffles by."""
_DATASET = re.compile(r"(?i:\w*dataset\w*|(?:\w*_)?ds)")
_OF_BUFFER = re.compile(r"\s*\(\s*(?:\d|(?i:(?:shuffle_)?buffer_size)\b)")
"""The argument of a dataset's `shuffle` is a number of rows."""
_EMPTY = re.compile(r"\s*\(\s*\)")


def moves_rows(text: str) -> bool:
    """Whether a name behind a dot may be that of a function that moves rows."""
    return any(_may_move(text, found, owner) for found, owner in _behind_dots(text))


def _behind_dots(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each such name, with what stands before its dot; empty for a bracket."""
    for found in _NAMED.finditer(text):
        owner = _OF.search(text, max(found.start() - _FARTHEST, 0), found.start())
        if owner is not None:
            yield found, owner[1]


def _may_move(text: str, found: re.Match[str], owner: str) -> bool:
    if found[0] != "shuffle":
        return True
    if _EMPTY.match(text, found.end()):  # a method of the program
        return True
    if _DATASET.fullmatch(owner) or _OF_BUFFER.match(text, found.end()):
        return False
    return owner not in _SETTINGS or text[found.end() : found.end() + 20].lstrip().startswith("(")
