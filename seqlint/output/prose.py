"""The prose of a rule's file by its headings, and text laid out for the width of a terminal."""

from __future__ import annotations

import re
import textwrap
from inspect import cleandoc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from seqlint.model import LoadedRule

_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_ITEM = re.compile(r"([-*] |\d+\. )")
_FIXED = ("#", "|")

DO_THIS = "Do this"


def summary(loaded: LoadedRule) -> str:
    """What the rule finds, in one line."""
    return cleandoc(loaded.doc).partition("\n")[0]


def sections(loaded: LoadedRule) -> Mapping[str, str]:
    """The texts under the headings of a rule's file, what to do first."""
    _, *parts = _HEADING.split(cleandoc(loaded.doc))
    found = dict(zip(parts[::2], (text.strip("\n") for text in parts[1::2]), strict=True))
    first = {DO_THIS: found.pop(DO_THIS)} if DO_THIS in found else {}
    return {**first, **found}


def wrapped(text: str, width: int) -> str:
    """Markdown whose paragraphs and items fit a width in characters; code, tables and headings stay as they are."""
    return "\n".join(_laid_out(text, width)) + "\n"


def _laid_out(text: str, width: int) -> Iterator[str]:
    fenced, held = False, ""
    for line in text.splitlines():
        fence = line.startswith("```")
        fixed = fenced or fence or not line.strip() or line.startswith(_FIXED)
        if held and (fixed or _ITEM.match(line)):
            yield _filled(held, width)
            held = ""
        if fixed:
            yield line
        else:
            held = f"{held} {line.strip()}" if held else line
        fenced ^= fence
    if held:
        yield _filled(held, width)


def _filled(text: str, width: int) -> str:
    item = _ITEM.match(text)
    indent = " " * len(item[0]) if item else ""
    return textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
