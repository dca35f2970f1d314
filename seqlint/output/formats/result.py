"""What a format writes: the findings of a run, and what is to be said of the run itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from seqlint.output.about import About

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from seqlint.model import Diagnostic
    from seqlint.output.frame import Lines


@dataclass(frozen=True)
class Reported:
    """One finding.

    Attributes:
        diagnostic: the finding as the engine gave it. Of a report that was read, its fixes have no edits.
        code: the lines that it and its fixes are about.
        value: the finding as the format `json` writes it.
    """

    diagnostic: Diagnostic
    code: Lines
    value: Mapping[str, Any]

    @property
    def edits(self) -> Sequence[Mapping[str, Any]]:
        """The edits of the fix that `seqlint fix` applies, as the format `json` writes them; none without a fix."""
        fixes = self.value["fixes"]
        return fixes[0]["edits"] if fixes else ()

    @property
    def text(self) -> str:
        """The message with all that is said in addition, a line each. In a notebook it begins with the place, which is in a cell."""
        place = f"{self.diagnostic.start}: " if self.diagnostic.start.cell is not None else ""
        return "\n".join((f"{place}{self.diagnostic.sentence}", *self.diagnostic.notes))


@dataclass(frozen=True)
class Result:
    """A run.

    Attributes:
        findings: in the order of their places.
        files: how many files were looked at.
        errors: path and message of each file that could not be looked at.
        about: what was taken for granted and left out.
        part: which part of a run it is, such as "shard 2 of 4"; empty for a whole one.
    """

    findings: Sequence[Reported]
    files: int
    errors: Sequence[Mapping[str, str]] = ()
    about: About = field(default_factory=About)
    part: str = ""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The findings as the engine gave them."""
        return [found.diagnostic for found in self.findings]

    def by_path(self) -> dict[str, list[Reported]]:
        """The findings of each file, files in their order."""
        files: dict[str, list[Reported]] = {}
        for found in self.findings:
            files.setdefault(found.diagnostic.path, []).append(found)
        return files
