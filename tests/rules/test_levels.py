"""How bad it is: what a rule states for each line of Keras, what the table and `explain` show, and what is reported are one."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.engine import check
from seqlint.facts.keras import parse_range
from seqlint.model import KERAS_LINES, LEVELS
from seqlint.output import markdown
from seqlint.output.words import LINES
from tests.rules.casebook import pages
from tests.rules.checks import RULES, checked, project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.engine import Checked
    from seqlint.model import Diagnostic, KerasLine, LoadedRule

CASES = {page[0].code: page for page in pages()}
TABLE = (Path(__file__).parents[2] / "docs/rules.md").read_text(encoding="utf-8")
# Releases between which a line changed in something that a rule speaks of; the pages are asked for the last of them alone.
RELEASES: dict[KerasLine, tuple[str, ...]] = {
    "2": ("2.4.0", "tf-keras", "2.15.0"),
    "3.0-3.9": ("3.0.0", "3.6.0", "3.9.2", "3.3.3"),
    "3.10+": ("3.10.0", "3.15.0"),
}
EACH = [
    pytest.param(loaded, line, id=f"{loaded.rule.code}-{line}") for loaded in RULES.values() for line in KERAS_LINES
]
EACH_RULE = [pytest.param(loaded, id=loaded.rule.code) for loaded in RULES.values()]


@cache
def reported(code: str, line: KerasLine) -> frozenset[str]:
    """The levels that the programs of a rule are reported at on a line; what is advice for want of knowledge is left out."""
    found = (*_of_examples(code, RELEASES[line]), *_of_page(code, RELEASES[line][-1]))
    assert all(diagnostic.keras == (line,) for diagnostic in found)
    return frozenset(diagnostic.level for diagnostic in found)


def _of_examples(code: str, releases: tuple[str, ...]) -> Iterator[Diagnostic]:
    for example in RULES[code].rule.examples:
        for release in releases:
            yield from _found(code, checked(code, example.before, release))


def _of_page(code: str, release: str) -> Iterator[Diagnostic]:
    for case in CASES[code]:
        source, config = project(case)
        yield from _found(code, check(source, [RULES[code]], replace(config, keras=release)))


def _found(code: str, said: Checked) -> Iterator[Diagnostic]:
    assert not said.broken, said.diagnostics
    found = (diagnostic for diagnostic in said.diagnostics if diagnostic.code == code)
    return (diagnostic for diagnostic in found if diagnostic.fixes or not diagnostic.condition)


def levels_in(cell: str) -> frozenset[str]:
    """The levels that a cell of a table names."""
    return frozenset(level for level in LEVELS if re.search(rf"\b{level}\b", cell))


def row(loaded: LoadedRule) -> dict[str, str]:
    """The cells of a rule in the table of all rules, by the heads of their columns."""
    (line,) = re.findall(rf"^\| {loaded.rule.code} \|.*\|$", TABLE, re.MULTILINE)
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    return dict(zip(("Code", "Name", "What it finds", *KERAS_LINES, "Fix"), cells, strict=True))


def explained(loaded: LoadedRule) -> dict[str, str]:
    """The table of levels that `explain` shows."""
    return dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", markdown.page(loaded), re.MULTILINE))


@pytest.mark.parametrize(("loaded", "line"), EACH)
def test_the_table_shows_what_is_reported(loaded: LoadedRule, line: KerasLine) -> None:
    assert levels_in(row(loaded)[line]) == reported(loaded.rule.code, line)


@pytest.mark.parametrize(("loaded", "line"), EACH)
def test_explain_shows_what_is_reported(loaded: LoadedRule, line: KerasLine) -> None:
    assert levels_in(explained(loaded)[LINES[line]]) == reported(loaded.rule.code, line)


@pytest.mark.parametrize("loaded", EACH_RULE)
def test_explain_shows_what_is_reported_where_nothing_says_which_keras_it_is(loaded: LoadedRule) -> None:
    stated = levels_in(explained(loaded)["more than one of them, or unknown"])
    assert {diagnostic.level for diagnostic in _of_examples(loaded.rule.code, ("",))} <= stated


@pytest.mark.parametrize("loaded", EACH_RULE)
def test_a_silent_line_is_shown_as_silent(loaded: LoadedRule) -> None:
    for line in KERAS_LINES:
        if not reported(loaded.rule.code, line):
            assert row(loaded)[line] == "-"
            assert explained(loaded)[LINES[line]] == "silent"


def test_the_releases_are_of_their_lines() -> None:
    for line, releases in RELEASES.items():
        assert all(parse_range(release).lines == {line} for release in releases)
