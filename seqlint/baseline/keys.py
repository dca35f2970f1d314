"""What a finding is known by when the lines around it move."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqlint.model import Diagnostic
    from seqlint.sources import Source

_OPENS = re.compile(r"(?P<indent>[ \t]*)(?:async[ \t]+def|def|class)[ \t]+(?P<name>\w+)")
_MOST = 200  # characters of the text


@dataclass(frozen=True, order=True, slots=True)
class Key:
    """A finding without its place.

    Attributes:
        rule: its code.
        scope: the classes and functions around it, such as "Loader.__getitem__"; empty at the top of a file, and on pages.
        text: the first line of the code that it is about, with single spaces.
    """

    rule: str
    scope: str
    text: str

    @property
    def digest(self) -> str:
        """The same in 32 hexadecimal digits."""
        return sha256("\0".join((self.rule, self.scope, self.text)).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def key_of(diagnostic: Diagnostic, source: Source) -> Key:
    """The key of a finding in a file."""
    span = source.utf8[diagnostic.start.offset : diagnostic.end.offset].decode("utf-8", "replace")
    first = span.strip().partition("\n")[0] or _line(source, diagnostic.start.line)
    scope = "" if source.is_page else ".".join(_scopes(source, diagnostic.start.line))
    return Key(diagnostic.code, scope, " ".join(first.split())[:_MOST])


def _scopes(source: Source, number: int) -> list[str]:
    """The names of what a line is in, the outermost first: read from the indentation, as it holds in any Python, magics or not."""
    found: list[str] = []
    inside = _indent(_line(source, number))
    for above in range(number - 1, 0, -1):
        if not inside:
            break
        line = _line(source, above)
        opened = _OPENS.match(line)
        if opened is not None and len(opened["indent"]) < inside:
            found.append(opened["name"])
            inside = len(opened["indent"])
    return found[::-1]


def _line(source: Source, number: int) -> str:
    """A line as it is counted in the text, which of a notebook is that of all cells."""
    start = source.line_starts[number - 1]
    end = source.line_starts[number] if number < len(source.line_starts) else len(source.utf8)
    return source.utf8[start:end].decode("utf-8", "replace").rstrip("\r\n")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
