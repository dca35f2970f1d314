"""A code block of a page: which lines of the page hold its code, and from which character on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.sources.magics import as_python

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Numbered = tuple[int, str]
"""The number of a line of the page, from 0, and what a reader has left of it: the end of that line."""

_PROMPT = re.compile(r"(\s*)(>>>|\.\.\.)(?: |$)")
_MENTIONS = re.compile(r"keras|tensorflow")
_OPTION = re.compile(r"\s*:[\w-]+:")
_PYTHON = frozenset(
    {
        "python", "python2", "python3", "py", "py2", "py3", "pycon", "pycon3", "ipython", "ipython2", "ipython3", "doctest",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Block:
    """The code of one block.

    Attributes:
        lines: the lines of the page that hold its code, and the number of characters before the code on each.
        written: the code as it is on the page, without prompts and output; it ends in a newline unless the page ends first.
        python: the same for the parser, of equal length: without magics.
        session: whether its lines have the prompts of an interactive session.
    """

    lines: tuple[tuple[int, int], ...]
    written: str
    python: str
    session: bool


def is_python(language: str) -> bool:
    """Whether a word that names the language of a block means Python."""
    return language.lower() in _PYTHON


def block(page: Sequence[str], found: Iterable[Numbered], *, marked: bool) -> Block | None:
    """The block of code that a reader has found; None where it is no Python.

    Args:
        page: the lines of the page, with their newlines.
        found: the lines of the block.
        marked: whether the page says that it is Python; else it must mention Keras or TensorFlow, too.
    """
    lines = _trimmed(list(found))
    session = is_session(lines)
    lines = unprompted(lines) if session else lines
    places = [(number, _lead(page[number], code)) for number, code in lines]
    if not lines or any(lead is None for _, lead in places):
        return None
    kept = tuple((number, lead) for number, lead in places if lead is not None)
    written = "".join(page[number][lead:] for number, lead in kept)
    if not marked and _MENTIONS.search(written) is None:
        return None
    python = as_python(written)  # which is blank where it is no Python
    return Block(kept, written, python, session) if python.strip() else None


def is_session(lines: Sequence[Numbered]) -> bool:
    """Whether the first line with something on it has a prompt."""
    first = next((code for _, code in lines if code.strip()), "")
    return first.lstrip().startswith(">>> ") or first.strip() == ">>>"


def unprompted(lines: Sequence[Numbered]) -> list[Numbered]:
    """The code of a session: what follows its prompts."""
    found: list[Numbered] = []
    above: str | None = None  # what is before the prompt of the line above, if it has one
    for number, text in lines:
        prompt = _PROMPT.match(text)
        if prompt is None or (prompt[2] == "..." and prompt[1] != above):
            above = None
            continue
        above = prompt[1]
        found.append((number, text[prompt.end() :]))
    return found


def without_options(lines: list[Numbered]) -> list[Numbered]:
    """The content of a directive without the options above it: `:name: value`, or lines between `---`."""
    rest = lines
    if rest and rest[0][1].strip() == "---":
        end = next((place for place, (_, text) in enumerate(rest[1:], 1) if text.strip() == "---"), None)
        rest = rest if end is None else rest[end + 1 :]
    while rest and _OPTION.match(rest[0][1]):
        rest = rest[1:]
    return rest


def _trimmed(lines: list[Numbered]) -> list[Numbered]:
    """The lines without empty ones at both ends."""
    full = [place for place, (_, code) in enumerate(lines) if code.strip()]
    return lines[full[0] : full[-1] + 1] if full else []


def _lead(line: str, code: str) -> int | None:
    """The number of characters before the code of a line; None where a tab was cut in two, so that no place fits."""
    body = line.rstrip("\r\n")
    return len(body) - len(code) if body.endswith(code) else None
