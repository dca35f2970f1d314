"""`docs/measured.md`: which claim held on which Keras, what failed, and which claims no experiment holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqlint import registry
from tests.experiments.lines import measured, speaks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.model import LoadedRule
    from tests.measure.record import Column, Measured

_START = """# What was measured, and where

`scripts/measure` runs the experiments of all rules, and their examples before and after each fix, on each line of Keras in an environment
of its own. It writes this page. A claim is an item under "Measured" on the page of a rule. `yes`: an experiment held it on this Keras, word
for word. `–`: the claim does not speak of this Keras. An empty field: it does, and no experiment held it there.
"""


_LEVEL = {"Keras 2": "keras2", "Keras 3.0 to 3.9": "early", "Keras 3.10 and later": "keras3"}
"""The field of `Levels` that a line falls under."""


def render(found: Measured) -> str:
    """The page, as Markdown."""
    parts = [_START, _lines(found), _changes(found), _failures(found), _without(found), _levels(found)]
    parts += ["## Claims", *(_rule(loaded, found) for loaded in registry.load())]
    return "\n".join(part for part in parts if part)


def unheld(found: Measured) -> list[tuple[str, str]]:
    """The claims of rules that no experiment holds on any Keras, and that rest on nothing else: the rule, and the claim."""
    return [
        (code, claim)
        for code, claim in claims()
        if not _is_told(claim) and not any(holds(column, code, claim) for column in found.columns.values())
    ]


def holds(column: Column, code: str, claim: str) -> bool:
    """Whether an experiment held a claim on a Keras that it speaks of."""
    sentences = (said[7:] for said in column.said if said.startswith(f"{code} "))
    return speaks_of(claim, column.line) and any(sentence in claim for sentence in sentences)


def claims() -> Iterator[tuple[str, str]]:
    """All claims of rules: the rule, and what its page has under "Measured"."""
    for loaded in registry.load():
        if "## Measured" in loaded.doc:
            yield from ((str(loaded.rule.code), claim) for claim in measured(str(loaded.rule.code)))


def _lines(found: Measured) -> str:
    rows = [
        f"| {name} | {column.keras} | {_with(column)} | {column.when} | {column.passed} | {len(column.failed)} | {len(column.examples)} |"
        for name, column in found.columns.items()
    ]
    head = "| line | Keras | with | measured on | tests passed | failed | rules whose examples held |\n|---|---|---|---|---|---|---|"
    return "\n".join(["## Lines\n", head, *rows, ""])


def _with(column: Column) -> str:
    shown = {name.removesuffix("-cpu"): version for name, version in column.versions.items() if "keras" not in name}
    return ", ".join(f"{name} {version}" for name, version in sorted(shown.items()))


def _changes(found: Measured) -> str:
    rows: list[str] = []
    for name, column in found.columns.items():
        earlier = found.before.get(name)
        if earlier is None:
            continue
        rows += [f"- {name}: no longer holds: {said}" for said in sorted(earlier.said - column.said)]
        rows += [f"- {name}: holds now: {said}" for said in sorted(column.said - earlier.said)]
    return "\n".join(["## Changed since the run before\n", *(rows or ["Nothing."]), ""])


def _failures(found: Measured) -> str:
    rows = [
        f"| {name} | {one.code} | `{one.test}` | {_cell(one.why)} |"
        for name, column in found.columns.items()
        for one in column.failed
    ]
    if not rows:
        return "## What failed\n\nNothing.\n"
    return "\n".join(["## What failed\n", "| line | rule | test | why |\n|---|---|---|---|", *rows, ""])


def _without(found: Measured) -> str:
    rows = [f"- {code}: {claim}" for code, claim in unheld(found)]
    told = [f"- {code}: {claim}" for code, claim in claims() if _is_told(claim)]
    by_others = ["## Claims that rest on documentation and reports\n", *(told or ["None."]), ""]
    return "\n".join(["## Claims that no experiment holds\n", *(rows or ["None."]), "", *by_others])


def _is_told(claim: str) -> bool:
    """Whether a claim says itself that others have seen it: it can't be measured without several machines."""
    return "from the documentation" in claim or "From reports" in claim


def _levels(found: Measured) -> str:
    """Rules that report errors on a line where neither an experiment nor an example held."""
    rows = [
        f"- {loaded.rule.code} on {name}"
        for loaded in registry.load()
        for name, column in found.columns.items()
        if getattr(loaded.rule.levels, _LEVEL[column.line]) == "error" and not _is_shown(str(loaded.rule.code), column)
    ]
    return "\n".join(["## Errors that nothing measured on the line\n", *(rows or ["None."]), ""])


def _is_shown(code: str, column: Column) -> bool:
    return code in column.examples or any(said.startswith(f"{code} ") for said in column.said)


def _rule(loaded: LoadedRule, found: Measured) -> str:
    code = str(loaded.rule.code)
    if "## Measured" not in loaded.doc:
        return ""
    names = list(found.columns)
    head = f"| claim | {' | '.join(names)} |\n|---|{'---|' * len(names)}"
    rows = [
        f"| {_cell(claim)} | {' | '.join(_field(column, code, claim) for column in found.columns.values())} |"
        for claim in measured(code)
    ]
    return "\n".join([f"\n### {code} {loaded.rule.name}\n", head, *rows])


def _field(column: Column, code: str, claim: str) -> str:
    if not speaks_of(claim, column.line):
        return "–"
    return "yes" if holds(column, code, claim) else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
