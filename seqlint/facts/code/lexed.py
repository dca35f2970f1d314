"""What a text names, before it is parsed: its words, dotted names, imports, and the lines that give names to names."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WORD = re.compile(r"[^\W\d]\w*")
# The literal beginnings and lookbehinds here and below let `re` search for a letter, and not try each place.
_RUN = re.compile(r"[\w.]+")
_BEHIND_BLANK = re.compile(r"\.[\s\\]+(?=([^\W\d][\w.]*))")
_GOES_ON = re.compile(r"\.(?:(?<=[\s\\]\.)[\s\\]*|[\s\\]+[\w.]*\.[\s\\]+)[^\W\d]")
_CHAIN = re.compile(r"(?<![\w.])([^\W\d]\w*)((?:(?:[\s\\]|#.*\n)*\.[\s\\]*[^\W\d]\w*)+)")
_ASCII = f"{string.ascii_letters}{string.digits}_."
_LONGEST = 200  # characters; a dotted name is shorter

_GIVEN = re.compile(r"=[^\S\n]*\(*([^\W\d][\w., ]*?)(?:[^\S\n]|\))*(?=[;#]|$)", re.MULTILINE)
_TAKEN = re.compile(r"[^\S\n]*([^\W\d][\w, ]*)(?::[^=\n]*)?")

_IMPORT = (re.compile(r"import(?<!\wimport)\b"), re.compile(r"from(?<!\wfrom)\b"))
_BEGINS = re.compile(r"(?:^|[;:])[ \t]*$")
_REST = re.compile(r"(?:[^\n(;\\]|\\\r?\n)*(?:\((?:[^)#]|#[^\n]*)*\))?")


def runs(text: str) -> list[list[str]]:
    """The words and dotted names of a text, each once, in their parts; the first part is empty where something else is before the dot.

    A name behind a dot and a blank, as at the end of a sentence, counts as one that goes on.
    """
    found = set(_RUN.findall(text))
    found.update(f"{_run_before(text, blank.start())}.{blank[1]}" for blank in _BEHIND_BLANK.finditer(text))
    return [run.split(".") for run in found]


def chains(text: str, known: Iterable[list[str]]) -> list[list[str]]:
    """The parts of each dotted name, also of one that goes on on the next line.

    Args:
        known: the runs of the text.
    """
    found = [run for run in known if len(run) > 1]
    if _GOES_ON.search(text):  # a blank or comment before a dot, or two dots at ends of lines
        found += [[root, *WORD.findall(rest)] for root, rest in _CHAIN.findall(text)]
    return found


def imports(text: str) -> list[str]:
    """The texts of the imports, with the colon or semicolon before them: to the end of the line, or of the bracket."""
    found = sorted(word.span() for words in _IMPORT for word in words.finditer(text))
    return [statement for span in found if (statement := _import(text, *span))]


def renamings(text: str) -> Iterator[tuple[str, str]]:
    """Both sides of what gives names to names: `K, L = keras.backend, keras.layers`."""
    for given in _GIVEN.finditer(text):
        start = max(text.rfind("\n", 0, given.start()), text.rfind(";", 0, given.start())) + 1
        taken = _TAKEN.fullmatch(text, start, given.start())
        if taken is not None:
            yield taken[1], given[1]


def _run_before(text: str, end: int) -> str:
    before = text[max(0, end - _LONGEST) : end]
    head = before.rstrip(_ASCII)
    if head.isascii():
        return before[len(head) :]
    last = _RUN.findall(before)
    return last[-1] if last and before.endswith(last[-1]) else ""


def _import(text: str, start: int, end: int) -> str:
    """The statement that begins with the word at a place, if one can begin there."""
    before = _BEGINS.search(text[text.rfind("\n", 0, start) + 1 : start])
    rest = _REST.match(text, end)
    return f"{before[0]}{text[start:end]}{rest[0]}" if before is not None and rest is not None else ""
