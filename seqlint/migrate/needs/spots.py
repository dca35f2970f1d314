"""Where a file says what a project needs, and how each kind of file writes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from seqlint.facts.keras.ranges import is_known
from seqlint.facts.keras.requirements import LONGEST, normalised
from seqlint.migrate.needs.demand import Answer, Demand, spaced

if TYPE_CHECKING:
    from collections.abc import Iterator

Style = Literal["pip", "poetry", "table", "conda"]
"""How a demand is written: as one text with its name, in a table under its name (Poetry, Pipenv), or as conda does."""

_PIP = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?P<extras>\s*\[[^\]\n]*\])?(?P<gap>\s*)"
    r"(?P<specifier>(?:\(\s*)?(?:(?:===|==|~=|!=|<=|>=|<|>)[^;#@\n]*?)?(?:\s*\))?)(?P<rest>\s*(?:;[^\n]*)?)"
)

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Spot:
    """A demand in a text.

    Attributes:
        start, end: the characters that are replaced.
        gone: the characters that go where the demand goes; None: that can't be told.
        demand: None where it can't be read.
        text: what is written there, for people.
        style: how a new one is written.
        name: the name with its extras as it is written; empty in a table.
        old: the specifier as it is written.
        gap, rest: what is between name and specifier, and after both.
        renames: the characters of the key of a table, and the value; None where the name can't be changed.
    """

    start: int
    end: int
    gone: tuple[int, int] | None
    demand: Demand | None
    text: str
    style: Style
    name: str = ""
    old: str = ""
    gap: str = ""
    rest: str = ""
    renames: tuple[int, int] | None = None

    def written(self, answer: Answer) -> str | None:
        """What stands between `start` and `end` afterwards; None where the file can't say it there."""
        if self.style in ("poetry", "table"):
            same = self.demand is not None and answer.name == self.demand.name
            return in_table(answer.specifier, self.old, self.style) if same else None
        if self.style == "conda":
            return f"{self.name}{self.gap}{answer.specifier}" if "[" not in answer.name else None
        kept = self.demand is not None and answer.name == self.demand.name
        return f"{self.name if kept else answer.name}{self.gap}{spaced(answer.specifier, self.old)}{self.rest}"


def in_table(specifier: str, old: str, style: Style) -> str:
    """A specifier as Poetry or Pipenv writes it: `^2.16` where there was a caret."""
    caret = re.fullmatch(r"\^\s*\d[\w.]*", old)
    if style == "poetry" and caret is not None and re.fullmatch(r">=[\d.]+(?:,<[\d.]+)?", specifier):
        return "^" + specifier[2:].partition(",")[0]
    return spaced(specifier, old)


def matters(name: str) -> bool:
    """Whether a demand on a distribution may have to change."""
    return is_known(normalised(name)) or normalised(name) == "numpy"


def of_requirement(text: str, start: int, gone: tuple[int, int] | None) -> Spot | None:
    """The demand that a text such as `keras[extra] >= 2.4 ; python_version > "3.9"` is; None where it is of no interest.

    Args:
        text: the whole requirement, without a comment.
        start: where it begins.
        gone: as in `Spot`.
    """
    found = re.match(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?", text)
    if found is None or not matters(found[0]) or len(text) > LONGEST:
        return None
    whole = _PIP.fullmatch(text)
    if whole is None or "@" in text:
        return Spot(start, start + len(text), gone, None, text.strip(), "pip")
    specifier = whole["specifier"].strip("() ")
    demand = Demand(normalised(whole["name"]), specifier) if is_specifier(specifier) else None
    name = whole["name"] + (whole["extras"] or "")
    gap = whole["gap"] if specifier else ""
    return Spot(
        start, start + len(text), gone, demand, text.strip(), "pip", name, whole["specifier"], gap, whole["rest"]
    )


def is_specifier(text: str) -> bool:
    """Whether a text is a PEP 440 specifier, or empty."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        SpecifierSet(text)
    except InvalidSpecifier:
        return False
    return True


def lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text with the places where they start, each with its end."""
    return ((found.start(), found[0]) for found in _LINE.finditer(text))
