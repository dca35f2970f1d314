"""Programs that nobody wrote for a rule, and look-alikes: each is reported at the marked lines and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from seqlint.engine import fix
from tests.rules.casebook import Case, Mark, pages
from tests.rules.checks import RULES, checked_case, project, rules_of

if TYPE_CHECKING:
    from seqlint.model import Diagnostic

ENOUGH = 4
CASES = [pytest.param(case, id=str(case)) for page in pages() for case in page]


@pytest.mark.parametrize("case", CASES)
def test_it_is_reported_where_the_page_says(case: Case) -> None:
    checked = checked_case(case)
    assert not checked.broken, checked.diagnostics
    asked = {(mark.line, mark.code): mark for mark in case.marks}
    found = {_seen(seen, asked.get((seen.start.line, seen.code))): seen.message for seen in checked.diagnostics}
    assert sorted(found) == sorted(case.marks), f"{case.title} {found}"


def _seen(seen: Diagnostic, asked: Mark | None) -> Mark:
    """A finding as a mark, as far as the page says anything about it."""
    level = seen.level if asked is not None and asked.level else ""
    return Mark(seen.start.line, seen.code, level, asked is not None and asked.no_fix and not seen.fixes)


@pytest.mark.parametrize("case", [case for page in pages() for case in page if case.fixed], ids=str)
def test_its_fixes_make_of_it_what_the_page_says(case: Case) -> None:
    source, config = project(replace(case, text=case.plain))
    fixed = fix(source, [RULES[case.code]], config, unsafe=True)
    assert fixed.source.text == case.fixed, case.title


@pytest.mark.parametrize("page", pages(), ids=lambda page: page[0].code)
def test_the_marks_are_of_what_stands_in_the_heading(page: tuple[Case, ...]) -> None:
    for case in page:
        assert any(mark.code == case.code for mark in case.marks) is case.found, case.title


@pytest.mark.parametrize("page", pages(), ids=lambda page: page[0].code)
def test_its_fixes_settle(page: tuple[Case, ...]) -> None:
    for case in page:
        compile(case.text, "main.py", "exec")
        if not any(diagnostic.fixes for diagnostic in checked_case(case).diagnostics):
            continue
        source, config = project(case)
        fixed = fix(source, rules_of(case.code), config, unsafe=True)
        assert not fixed.refused, (case.title, fixed.refused)
        compile(fixed.source.text, "main.py", "exec")
        assert not [left for left in fixed.checked.diagnostics if left.fixes], f"{case.title}: a fix was left over"


def test_every_rule_has_a_page() -> None:
    assert {page[0].code for page in pages()} == set(RULES)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page[0].code)
def test_a_page_is_wide_enough(page: tuple[Case, ...]) -> None:
    examples = RULES[page[0].code].rule.examples
    found = sum(case.found for case in page) + sum(not example.silent for example in examples)
    assert found >= ENOUGH
    assert len(page) + len(examples) - found >= ENOUGH
