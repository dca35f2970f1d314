"""How often each rule found something: for a first look at a project."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.model import LEVELS
from seqlint.output.words import family

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from seqlint.model import Diagnostic, Level


@dataclass(frozen=True)
class Counted:
    """The findings of one rule.

    Attributes:
        levels: how many of each level.
        safe, unsafe: how many `fix` takes care of, and how many with --unsafe alone.
    """

    code: str
    name: str
    levels: Mapping[Level, int]
    safe: int
    unsafe: int

    @property
    def count(self) -> int:
        """All of them."""
        return sum(self.levels.values())


def count(diagnostics: Iterable[Diagnostic]) -> list[Counted]:
    """The findings of each rule, the most first."""
    rules: dict[tuple[str, str], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        rules.setdefault((diagnostic.code, diagnostic.name), []).append(diagnostic)
    found = [_counted(*rule, each) for rule, each in rules.items()]
    return sorted(found, key=lambda one: (-one.count, one.code))


def columns(counted: Sequence[Counted]) -> str:
    """For people: a line for each rule, and one for each family."""
    if not counted:
        return "no findings\n"
    width = len(str(counted[0].count))
    lines = [f"{one.count:>{width}}  {one.code}  {one.name}: {_levels(one.levels)}{_fixable(one)}" for one in counted]
    families = Counter[str]()
    for one in counted:
        families[family(one.code)] += one.count
    wide = len(str(families.most_common(1)[0][1]))
    below = [f"{number:>{wide}}  {name}" for name, number in families.most_common()]
    return "\n".join((*lines, "", *below)) + "\n"


def document(counted: Iterable[Counted]) -> str:
    """For programs."""
    rules = [
        {
            "code": one.code,
            "name": one.name,
            "family": family(one.code),
            "count": one.count,
            "levels": {level: one.levels.get(level, 0) for level in LEVELS},
            "fixable": one.safe,
            "fixable_unsafe": one.unsafe,
        }
        for one in counted
    ]
    return json.dumps({"format": 1, "rules": rules}, indent=2) + "\n"


def _counted(code: str, name: str, found: Sequence[Diagnostic]) -> Counted:
    first = [diagnostic.fixes[0] for diagnostic in found if diagnostic.fixes]
    safe = sum(fix.safe for fix in first)
    return Counted(code, name, Counter(diagnostic.level for diagnostic in found), safe, len(first) - safe)


def _levels(levels: Mapping[Level, int]) -> str:
    from seqlint.output.text import count as counted

    return ", ".join(counted(levels[level], level) for level in LEVELS if levels.get(level))


def _fixable(one: Counted) -> str:
    if not one.safe and not one.unsafe:
        return ""
    safe = [str(one.safe)] if one.safe else []
    more = [f"{one.unsafe} with --unsafe"] if one.unsafe else []
    return f"; fixable: {' and '.join((*safe, *more))}"
