"""Colours of a terminal, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqlint.model import Level

_LEVELS: Mapping[Level, str] = {"error": "1;31", "warning": "1;33", "advice": "1;36"}


@dataclass(frozen=True)
class Paint:
    """Puts colours around text where they are on."""

    on: bool = False

    def level(self, level: Level, text: str) -> str:
        """The colour of a level."""
        return self._paint(_LEVELS[level], text)

    def bold(self, text: str) -> str:
        """What the eye should find first."""
        return self._paint("1", text)

    def dim(self, text: str) -> str:
        """What frames the rest."""
        return self._paint("2", text)

    def good(self, text: str) -> str:
        """A remedy, and lines that come."""
        return self._paint("32", text)

    def bad(self, text: str) -> str:
        """Lines that go."""
        return self._paint("31", text)

    def diff(self, text: str) -> str:
        """A unified diff: what goes and what comes."""
        return "".join(self._diff_line(line) for line in text.splitlines(keepends=True)) if self.on else text

    def _diff_line(self, line: str) -> str:
        body = line.rstrip("\r\n")
        if body.startswith(("---", "+++")):
            return self.bold(body) + line[len(body) :]
        if body.startswith(("-", "+")):
            return (self.bad if body.startswith("-") else self.good)(body) + line[len(body) :]
        return line

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on else text
