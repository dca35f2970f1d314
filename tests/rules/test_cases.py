"""Programs that nobody wrote for a rule, and look-alikes: each is reported at the marked lines and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import check, fix
from seqlint.sources import Source
from tests.rules.casebook import Case, Mark, codes, pages

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.model import Diagnostic, LoadedRule

RULES = {loaded.rule.code: loaded for loaded in registry.load()}
ENOUGH = 4
CASES = [
    pytest.param(case, tuple(RULES[code] for code in sorted(codes(page))), id=str(case))
    for page in pages()
    for case in page
]


def project(folder: Path, case: Case) -> tuple[Source, Config]:
    for name, text in (*case.others, ("main.py", case.text)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "pyproject.toml").write_text('[project]\nname = "shown"\nversion = "1"\n', encoding="utf-8")
    return Source(str(folder / "main.py"), case.text), replace(Config.default(), root=folder, keras=case.keras)


@pytest.mark.parametrize(("case", "rules"), CASES)
def test_it_is_reported_where_the_page_says(case: Case, rules: tuple[LoadedRule, ...], tmp_path: Path) -> None:
    checked = check(*_asked(tmp_path, case, rules))
    assert not checked.broken, checked.diagnostics
    asked = {(mark.line, mark.code): mark for mark in case.marks}
    found = {_seen(seen, asked.get((seen.start.line, seen.code))): seen.message for seen in checked.diagnostics}
    assert sorted(found) == sorted(case.marks), f"{case.title} {found}"


def _seen(seen: Diagnostic, asked: Mark | None) -> Mark:
    """A finding as a mark, as far as the page says anything about it."""
    level = seen.level if asked is not None and asked.level else ""
    return Mark(seen.start.line, seen.code, level, asked is not None and asked.no_fix and not seen.fixes)


@pytest.mark.parametrize("case", [case for page in pages() for case in page if case.fixed], ids=str)
def test_its_fixes_make_of_it_what_the_page_says(case: Case, tmp_path: Path) -> None:
    plain = replace(case, text=case.plain)
    fixed = fix(*_asked(tmp_path, plain, (RULES[case.code],)), unsafe=True)
    assert fixed.source.text == case.fixed, case.title


@pytest.mark.parametrize("page", pages(), ids=lambda page: page[0].code)
def test_the_marks_are_of_what_stands_in_the_heading(page: tuple[Case, ...]) -> None:
    for case in page:
        assert any(mark.code == case.code for mark in case.marks) is case.found, case.title


@pytest.mark.parametrize(("case", "rules"), CASES)
def test_its_fixes_settle(case: Case, rules: tuple[LoadedRule, ...], tmp_path: Path) -> None:
    source, wanted, config = _asked(tmp_path, case, rules)
    fixed = fix(source, wanted, config, unsafe=True)
    assert not fixed.refused, fixed.refused
    compile(fixed.source.text, "main.py", "exec")
    assert not [left for left in fixed.checked.diagnostics if left.fixes], "a fix was left over"


def _asked(folder: Path, case: Case, rules: tuple[LoadedRule, ...]) -> tuple[Source, tuple[LoadedRule, ...], Config]:
    source, config = project(folder, case)
    return source, rules, config


def test_every_rule_has_a_page() -> None:
    assert {page[0].code for page in pages()} == set(RULES)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page[0].code)
def test_a_page_is_wide_enough(page: tuple[Case, ...]) -> None:
    examples = RULES[page[0].code].rule.examples
    found = sum(case.found for case in page) + sum(not example.silent for example in examples)
    assert found >= ENOUGH
    assert len(page) + len(examples) - found >= ENOUGH
