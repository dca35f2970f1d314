"""Small rules that test the engine: each does one thing to calls of one name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst

from seqlint.model import KERAS_LINES, Contract, Edit, Finding, KerasLine, Levels, LoadedRule, Observable, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts import Facts


def renames(
    code: str,
    old: str,
    new: str,
    changes: frozenset[Observable] = frozenset(),
    lines: tuple[KerasLine, ...] = KERAS_LINES,
) -> LoadedRule:
    """A rule that wants `new` for the name `old`, which works on some lines of Keras."""

    def check(facts: Facts) -> Iterator[Finding]:
        for name in facts.tree.all(cst.Name):
            if name.value == old:
                finding = facts.finding(name, f"`{old}` is wrong")
                yield finding.fixed_by(f"Write {new}", Edit(*facts.span(name), new), lines=lines)

    return loaded(code, f"no-{old}", check, Contract(changes))


def replaces(code: str, old: str, new: str) -> LoadedRule:
    """A rule that replaces a piece of text, whatever that does to the program."""

    def check(facts: Facts) -> Iterator[Finding]:
        at = facts.source.utf8.find(old.encode())
        if at >= 0:
            yield Finding(at, at + 1, "this is wrong").fixed_by("Replace it", Edit(at, at + len(old.encode()), new))

    return loaded(code, "replaced", check, Contract())


def crashes(code: str) -> LoadedRule:
    def check(facts: Facts) -> Iterator[Finding]:
        raise KeyError("an accident")

    return loaded(code, "crashes", check, Contract())


def loaded(code: str, name: str, check: object, contract: Contract) -> LoadedRule:
    rule = Rule(code, name, "0.1.0", Levels.everywhere("error"), contract)
    return LoadedRule.of(rule, check, "A rule of the tests.", Path(f"{code.lower()}.py"))  # type: ignore[arg-type]
