"""The blocks of a page that a program shares with the others, and whether they stay the same programs where it is edited."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.sources.pages.sharing import joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.sources.pages.lines import Line


@dataclass(frozen=True, slots=True)
class Shared:
    """All blocks of a page, as one of its programs sees them.

    Attributes:
        codes: what each block holds, as Python.
        own: the numbers of those that are the program.
    """

    codes: tuple[str, ...]
    own: tuple[int, ...]

    def edited(self, text: str, lines: Sequence[Line]) -> Shared:
        """The blocks after edits of the program.

        Args:
            text: the program, as Python.
            lines: its lines.
        """
        codes = list(self.codes)
        parts = dict.fromkeys(range(len(self.own)), "")
        for line, code in zip(lines, text.encode("utf-8").splitlines(keepends=True), strict=True):
            if line.block is not None:
                parts[line.block] += code.decode("utf-8")
        for number, part in parts.items():
            codes[self.own[number]] = part
        return replace(self, codes=tuple(codes))

    def are_programs_of(self, before: Shared) -> bool:
        """Whether the same blocks are programs together: a name that two of them bind can join those, or part others."""
        return self.codes == before.codes or len(self.codes) == 1 or joined(self.codes) == joined(before.codes)
