"""One bench over the examples of every rule: what a rule states is what a user gets, however the program is written."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import pytest

from seqlint import registry
from seqlint.engine import Fixed, facts_of, fix, level_for
from seqlint.facts.keras import parse_range
from seqlint.sources import Source
from tests.configs import undeclared
from tests.rules.checks import checked
from tests.rules.spelling import ABOUT_SPELLING, OTHER_TEXT, SAME_TEXT, Respell, crlf, tabs

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.config import Config
    from seqlint.model import Diagnostic, Example, LoadedRule

RULES = registry.load()


def cases(wanted: Callable[[Example], bool]) -> list[object]:
    return [
        pytest.param(loaded, example, id=f"{loaded.rule.code}-{number}")
        for loaded in RULES
        for number, example in enumerate(loaded.rule.examples)
        if wanted(example)
    ]


CASES = cases(lambda example: True)
FOUND = cases(lambda example: not example.silent)
FIXED = cases(lambda example: example.after is not None)
SPELLINGS = {**SAME_TEXT, **OTHER_TEXT}
# Silence says less than a finding, and a third finding little that two don't: they are asked for in fewer spellings.
FEW = ("renamed module", "renamed names")
SPELLED = [
    pytest.param(
        loaded, example, FEW if example.silent or number > 1 else (*SPELLINGS,), id=f"{loaded.rule.code}-{number}"
    )
    for loaded in RULES
    if loaded.rule.code not in ABOUT_SPELLING  # another spelling is another program to these
    for number, example in enumerate(loaded.rule.examples)
]


def config(example: Example) -> Config:
    return undeclared(example.keras)


def found(loaded: LoadedRule, example: Example, text: str) -> tuple[Diagnostic, ...]:
    said = checked(loaded.rule.code, text, example.keras)
    assert not said.broken, said.diagnostics
    return tuple(diagnostic for diagnostic in said.diagnostics if diagnostic.code == loaded.rule.code)


def fixed(loaded: LoadedRule, example: Example, text: str) -> Fixed:
    result = fix(Source("example.py", text), [loaded], config(example), unsafe=True)
    assert not result.refused, result.refused
    return result


@pytest.mark.parametrize(("loaded", "example"), CASES)
def test_a_program_is_reported_or_silent_as_stated(loaded: LoadedRule, example: Example) -> None:
    diagnostics = found(loaded, example, example.before)
    assert bool(diagnostics) is not example.silent, diagnostics


@pytest.mark.parametrize(("loaded", "example"), FOUND)
def test_only_what_rests_on_something_unknown_is_advice_without_a_fix(loaded: LoadedRule, example: Example) -> None:
    findings = loaded.check(facts_of(Source("example.py", example.before), config(example)))
    advice = loaded.rule.levels.at_most("advice")
    quiet = [
        not finding.fixes
        and (finding.levels or loaded.rule.levels) == advice
        and (bool(finding.condition) or loaded.rule.levels != advice)  # a rule may be advice where all is known
        for finding in findings
    ]
    assert all(quiet) if example.unsure else not all(quiet)


@pytest.mark.parametrize(("loaded", "example"), FOUND)
def test_the_fix_gives_the_stated_program(loaded: LoadedRule, example: Example) -> None:
    result = fixed(loaded, example, example.before)
    if example.after is None:
        assert result.source.text == example.before
    else:
        assert result.source.text == example.after
        assert not found(loaded, example, result.source.text)


@pytest.mark.parametrize(("loaded", "example", "spellings"), SPELLED)
def test_the_spelling_of_the_imports_changes_nothing(
    loaded: LoadedRule, example: Example, spellings: tuple[str, ...]
) -> None:
    # What a file imports says something about its Keras; here only the spelling is in question.
    example = replace(example, keras=example.keras or ">=2")
    for spelling in spellings:
        respell: Respell = SPELLINGS[spelling]
        before = respell(example.before)
        diagnostics = found(loaded, example, before)
        assert bool(diagnostics) is not example.silent, before
        if example.after is None:
            continue
        result = fixed(loaded, example, before)
        assert not found(loaded, example, result.source.text), result.source.text
        compile(result.source.text, "example.py", "exec")
        if spelling in SAME_TEXT:
            assert result.source.text == respell(example.after), spelling


@pytest.mark.parametrize(("loaded", "example"), FIXED)
def test_newlines_and_tabs_are_kept(loaded: LoadedRule, example: Example) -> None:
    assert example.after is not None
    for rewrite in (crlf, tabs):
        result = fixed(loaded, example, rewrite(example.before))
        assert result.source.text == rewrite(example.after)


@pytest.mark.parametrize(("loaded", "example"), CASES)
def test_black_changes_no_finding_and_no_fix(loaded: LoadedRule, example: Example) -> None:
    before = formatted(example.before)
    assert bool(found(loaded, example, before)) is not example.silent
    if example.after is None:
        return
    after = fixed(loaded, example, before).source.text
    assert formatted(after) == formatted(example.after)
    assert formatted(fixed(loaded, example, after).source.text) == formatted(after)


@lru_cache(maxsize=16)
def formatted(text: str) -> str:
    """The text as Black writes it."""
    black = pytest.importorskip("black")
    return str(black.format_str(text, mode=black.Mode()))


@pytest.mark.parametrize(("loaded", "example"), FIXED)
def test_a_second_run_changes_nothing(loaded: LoadedRule, example: Example) -> None:
    assert example.after is not None
    assert fixed(loaded, example, example.after).source.text == example.after


@pytest.mark.parametrize(("loaded", "example"), CASES)
def test_all_rules_together_settle(loaded: LoadedRule, example: Example) -> None:
    result = fix(Source("example.py", example.before), RULES, config(example), unsafe=True)
    assert not result.checked.broken, result.checked.diagnostics
    assert not result.refused, result.refused
    compile(result.source.text, "example.py", "exec")
    if result.applied:
        again = fix(result.source, RULES, config(example), unsafe=True)
        assert again.source.text == result.source.text
    assert not [d for d in result.checked.diagnostics if d.fixes], "a fix was left over"


@pytest.mark.parametrize(("loaded", "example"), FIXED)
def test_comments_stay(loaded: LoadedRule, example: Example) -> None:
    """Own-line comments above every top-level statement, and behind the lines that end one."""
    commented = _commented(example.before)
    result = fixed(loaded, example, commented)
    assert not found(loaded, example, result.source.text)
    kept = sorted(re.findall(r"# (?:above|behind) \d+", result.source.text))
    assert kept == sorted(re.findall(r"# (?:above|behind) \d+", commented))


def _commented(text: str) -> str:
    lines = []
    for number, line in enumerate(text.split("\n")):
        if (
            line
            and not line[0].isspace()
            and line[0] not in ")]}#\"'"
            and not line.startswith(("else", "except", "elif", "finally"))
        ):
            lines.append(f"# above {number}")
        plain = (
            line.strip()
            and not line.rstrip().endswith(("(", "[", "{", ",", "\\"))
            and '"""' not in line
            and "#" not in line
        )
        lines.append(f"{line}  # behind {number}" if plain and not line[0].isspace() and line[0] not in "\"'" else line)
    return "\n".join(lines)


@pytest.mark.parametrize(("loaded", "example"), FOUND)
def test_the_level_is_that_of_the_keras_in_use(loaded: LoadedRule, example: Example) -> None:
    for version in ("2.15.0", "3.3.3", "3.15.0"):
        example = replace(example, keras=version)
        findings = tuple(loaded.check(facts_of(Source("example.py", example.before), config(example))))
        levels = {finding.levels or loaded.rule.levels for finding in findings}
        stated = {level_for(level, parse_range(version).lines) for level in levels}
        assert {diagnostic.level for diagnostic in found(loaded, example, example.before)} == stated - {None}, version


@pytest.mark.parametrize(("loaded", "example"), FOUND)
def test_messages_read_like_sentences_in_a_list(loaded: LoadedRule, example: Example) -> None:
    for diagnostic in found(loaded, example, example.before):
        assert "\n" not in diagnostic.message
        assert not diagnostic.message.endswith(".")
        assert not diagnostic.message[0].isupper()
        for offered in diagnostic.fixes:
            assert offered.title[0].isupper()
            assert not offered.title.endswith(".")


@pytest.mark.parametrize(("loaded", "example"), CASES)
def test_examples_are_written_in_the_plain_spelling(loaded: LoadedRule, example: Example) -> None:
    """The bench spells them in other ways, so they must all start from one."""
    compile(example.before, "example.py", "exec")
    if loaded.rule.code in ABOUT_SPELLING:
        return
    assert "from keras" not in example.before or example.silent
    assert "tf.keras" not in example.before or example.silent
