"""`scripts/measure` reads pytest's report right, keeps what other lines held, and says what changed, failed and is held by nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.experiments.lines import measured
from tests.measure import page, record
from tests.measure.keras_lines import LINES, named
from tests.measure.outcomes import Failed, Outcomes, Said, read

if TYPE_CHECKING:
    from pathlib import Path

_PLACE = 'classname="tests.experiments.test_seq408"'
REPORT = f"""<testsuites><testsuite>
<testcase {_PLACE} name="test_it_is_read_for_ever[keras-fit]"><properties>
  <property name="keras" value="3.9.2"/><property name="says" value="SEQ408 an epoch, a validation"/></properties></testcase>
<testcase {_PLACE} name="test_a_zip[keras]"><properties><property name="keras" value="3.9.2"/></properties>
  <failure message="assert 3 == 4&#10; more">the whole text</failure></testcase>
<testcase {_PLACE} name="test_a_zip[tf-keras]"><skipped message="not installed"/></testcase>
<testcase classname="tests.proof.test_rules_hold" name="test_the_examples_of_a_rule_keep_its_contract[SEQ204]"/>
</testsuite></testsuites>"""


def _outcomes(tmp_path: Path) -> Outcomes:
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    return read(report)


def test_a_report_says_what_held_and_what_failed(tmp_path: Path) -> None:
    found = _outcomes(tmp_path)
    assert found.said == {Said("SEQ408", "3.9.2", "an epoch, a validation")}
    assert found.failed == (
        Failed("SEQ408", "3.9.2", "tests.experiments.test_seq408::test_a_zip[keras]", "assert 3 == 4"),
    )
    assert found.examples == {"SEQ204"}
    assert found.ran == {"3.9.2": 1}


def test_what_was_measured_is_kept_and_a_change_is_said(tmp_path: Path) -> None:
    file = tmp_path / "measured.json"
    first = record.Measured().with_columns(record.columns(_outcomes(tmp_path), {"numpy": "2.0.1"}, "2026-01-02"))
    record.save(first, file)
    assert record.load(file) == first
    nothing = Outcomes(frozenset(), (), frozenset(), {"3.9.3": 1, "3.12.0": 1})
    then = record.load(file).with_columns(record.columns(nothing, {}, "2026-02-03"))
    assert list(then.columns) == ["Keras 3.9", "Keras 3.12"]
    assert then.columns["Keras 3.9"].keras == "3.9.3"
    claim = next(claim for claim in measured("SEQ408") if "an epoch, a validation" in claim)
    text = page.render(then)
    assert f"- Keras 3.9: SEQ408 no longer holds: {claim}" in text
    assert f"- SEQ408: {claim}" in text  # no experiment holds it any more
    assert ("SEQ408", claim) in page.unheld(then)
    assert ("SEQ408", claim) not in page.unheld(first)
    assert "- SEQ408 on Keras 3.12" in text  # an error there, and nothing that shows it
    assert "- SEQ408 on Keras 3.9" not in page.render(first)
    assert "`tests.experiments.test_seq408::test_a_zip[keras]` | assert 3 == 4 |" in page.render(first)


def test_versions_may_be_named() -> None:
    assert named([]) == list(LINES)
    assert [line.requirements[1] for line in named(["3.5.0", "3.11"])] == ["keras==3.5.0", "keras==3.11.*"]
    with pytest.raises(SystemExit, match="no line 'four'"):
        named(["four"])
