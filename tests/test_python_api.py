from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest

import seqlint
from seqlint.config import Config, load_config, trust
from seqlint.model import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RULE = '''\
"""A seed is set."""

from seqlint.api import Contract, Edit, Levels, Rule

RULE = Rule("TST101", "seed-set", "0.1.0", Levels("error", None, "warning"), Contract(frozenset({"state"})))


def check(facts):
    for call in facts.calls("keras.utils.seed"):
        finding = facts.finding(call, "a seed is set")
        yield finding.fixed_by("Set none", Edit(*facts.span(call), "pass"))
'''
TEXT = "import keras\nkeras.utils.seed(0)\n"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/tst101_seed_set.py").write_text(RULE)
    (tmp_path / "seqlint.toml").write_text('rules = ["rules"]\nselect = ["TST"]\n')
    return load_config(tmp_path / "a.py", trust_rules=True)


def test_check_source_gives_findings_with_places(config: Config) -> None:
    checked = seqlint.check_source(TEXT, path="a.py", config=config)
    (found,) = checked.diagnostics
    assert (found.code, found.path, found.start.line, found.level) == ("TST101", "a.py", 2, "warning")
    assert not checked.broken


def test_the_range_of_keras_gives_the_level(config: Config) -> None:
    assert seqlint.check_source(TEXT, keras="tf-keras", config=config).diagnostics[0].level == "error"
    assert seqlint.check_source(TEXT, keras=">=3,<3.10", config=config).diagnostics == ()


def test_fix_source_gives_the_text_after(config: Config) -> None:
    assert seqlint.fix_source(TEXT, config=config).source.text == TEXT
    fixed = seqlint.fix_source(TEXT, unsafe=True, config=config)
    assert fixed.source.text == "import keras\npass\n"
    assert [fix.code for fix in fixed.applied] == ["TST101"]
    assert fixed.checked.diagnostics == ()


def test_rules_that_nobody_trusts_do_not_run_and_python_warns(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQLINT_TRUST_RULES", "1")  # that is a word to the command line
    folder = tmp_path / "rules"
    (folder / "tst101_seed_set.py").write_text("raise SystemExit(9)\n")
    untrusted = load_config(tmp_path / "a.py")
    assert (untrusted.rules, untrusted.untrusted) == ((), (folder,))
    for function in (seqlint.check_source, seqlint.fix_source):
        with pytest.warns(UserWarning, match=f"{folder}: these rules are not trusted") as said:
            function(TEXT, config=untrusted)
        assert said[0].filename == __file__


def test_trusted_rules_run(config: Config, tmp_path: Path) -> None:
    trust.trust(tmp_path / "rules")
    trusted = load_config(tmp_path / "a.py")
    assert [found.code for found in seqlint.check_source(TEXT, config=trusted).diagnostics] == ["TST101"]


def test_text_that_is_no_python_is_a_finding() -> None:
    checked = seqlint.check_source("import keras\n(\n")
    assert checked.broken
    assert [found.code for found in checked.diagnostics] == ["SEQ001"]


def test_wrong_settings_are_refused(config: Config) -> None:
    with pytest.raises(ConfigError, match="'TST1O1'; did you mean 'TST101'"):
        seqlint.check_source(TEXT, select=["TST1O1"], config=config)
    with pytest.raises(ConfigError, match="range"):
        seqlint.fix_source(TEXT, keras="three", config=config)


def test_python_warns_of_nothing_that_stands_in_the_text(config: Config) -> None:
    text = f'{TEXT}DIGIT = "\\d"\n'
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        seqlint.check_source(text, config=config)
        seqlint.fix_source(text, config=config)
    assert not said


MARK = "\ufeff"
SCORES = """# The scores of a run.
import keras

# What is drawn is the same.
keras.utils.seed(0)  # once
"""
FORMS: dict[str, Callable[[str], str]] = {
    "mark": lambda text: MARK + text,
    "mark and CRLF": lambda text: MARK + text.replace("\n", "\r\n"),
    "mark and lone CR": lambda text: MARK + text.replace("\n", "\r"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "lone CR": lambda text: text.replace("\n", "\r"),
    "form feed": lambda text: "\x0c" + text.replace("import", "\x0cimport"),
    "no newline at the end": lambda text: text.rstrip("\n"),
    "mark and coding": lambda text: f"{MARK}# coding: utf-8\n{text}",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_text_is_fixed_in_the_form_that_it_is_handed_in(config: Config, form: str) -> None:
    text = FORMS[form](SCORES)
    fixed = seqlint.fix_source(text, unsafe=True, config=config)
    assert fixed.refused == ()
    assert fixed.text == FORMS[form](SCORES.replace("keras.utils.seed(0)", "pass"))
    assert seqlint.fix_source(text, config=config).text == text


@pytest.mark.parametrize("form", FORMS)
def test_places_and_edits_are_of_the_text_without_a_mark(config: Config, form: str) -> None:
    text = FORMS[form](SCORES)
    (found,) = seqlint.check_source(text, config=config).diagnostics
    plain = text.removeprefix(MARK)
    (edit,) = found.fixes[0].edits
    assert plain.encode()[edit.start : edit.end] == b"keras.utils.seed(0)"
    assert found.start.offset == edit.start
    assert found.start.line == len(plain.encode()[: edit.start].splitlines()) + 1
    assert found.start.column == 1


def test_a_mark_before_code_counts_no_column(config: Config) -> None:
    (found,) = seqlint.check_source(f"{MARK}from keras import utils; utils.seed(0)", config=config).diagnostics
    assert (found.start.line, found.start.column, found.start.offset) == (1, 26, 25)


@pytest.mark.parametrize("text", ["", MARK, "\n", "\x0c", f"{MARK}\r"])
def test_a_text_with_nothing_in_it_stays(config: Config, text: str) -> None:
    fixed = seqlint.fix_source(text, config=config)
    assert fixed.text == text
    assert fixed.checked.diagnostics == ()


def test_a_page_with_half_of_a_character_is_a_finding_and_stays() -> None:
    text = "A \ud800.\n\n```python\nimport keras\n```\n"
    fixed = seqlint.fix_source(text, path="a.md")
    assert fixed.text == text
    assert [found.code for found in seqlint.check_source(text, path="a.md").diagnostics] == ["SEQ001"]
    assert fixed.checked.broken


@pytest.mark.parametrize("text", [MARK * 2 + TEXT, f"{TEXT}a = '\ud800'\n", f"{TEXT}\0"])
def test_what_no_python_takes_is_a_finding_and_stays(config: Config, text: str) -> None:
    fixed = seqlint.fix_source(text, config=config)
    assert fixed.text == text
    assert [found.code for found in fixed.checked.diagnostics] == ["SEQ001"]
