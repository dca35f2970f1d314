"""`scripts/measure` reads what tests noted, goes on after a break, keeps what other lines said, and says what changed, failed and is held by nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.experiments.lines import measured
from tests.measure import page, record
from tests.measure.keras_lines import LINES, ROOT, named
from tests.measure.noted import ENDED, rows
from tests.measure.outcomes import Failed, Outcomes, Said, read

if TYPE_CHECKING:
    from pathlib import Path

_FILE = "tests/experiments/test_seq408.py"
_SAYS = "SEQ408 an epoch, a validation"


def _row(test: str, outcome: str, **more: Any) -> dict[str, Any]:
    return {"test": test, "outcome": outcome, "keras": "3.9.2", "says": [], "why": "", **more}


ROWS = [
    _row(f"{_FILE}::test_it_is_read_for_ever[keras-fit]", "passed", says=[_SAYS]),
    _row(f"{_FILE}::test_a_zip[keras]", "failed", why="assert 3 == 4"),
    _row(f"{_FILE}::test_a_zip[tf-keras]", "skipped", keras=""),
    _row("tests/proof/test_rules_hold.py::test_the_examples_of_a_rule_keep_its_contract[SEQ204]", "passed", keras=""),
]


def _outcomes(tmp_path: Path) -> Outcomes:
    notes = tmp_path / "notes.jsonl"
    notes.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return read(notes)


def test_notes_say_what_held_and_what_failed(tmp_path: Path) -> None:
    found = _outcomes(tmp_path)
    assert found.said == {Said("SEQ408", "3.9.2", "an epoch, a validation")}
    assert found.failed == (Failed("SEQ408", "3.9.2", f"{_FILE}::test_a_zip[keras]", "assert 3 == 4"),)
    assert found.examples == {"SEQ204"}
    assert found.ran == {"3.9.2": 1}


def test_what_was_measured_is_kept_and_a_change_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "measured"
    (first,) = record.columns(_outcomes(tmp_path), {"numpy": "2.0.1"}, "2026-01-02")
    record.save(first, folder)
    before = record.load(folder)
    assert before.columns == {"Keras 3.9": first}
    nothing = Outcomes(frozenset(), (), frozenset(), {"3.9.3": 1, "3.12.0": 1})
    for column in record.columns(nothing, {}, "2026-02-03"):
        record.save(column, folder)
    then = record.load(folder)
    assert list(then.columns) == ["Keras 3.9", "Keras 3.12"]
    assert then.columns["Keras 3.9"].keras == "3.9.3"
    claim = next(claim for claim in measured("SEQ408") if "an epoch, a validation" in claim)
    text = page.render(then)
    assert f"- Keras 3.9: no longer holds: {_SAYS}" in text
    assert f"- SEQ408: {claim}" in text  # no experiment holds it any more
    assert ("SEQ408", claim) in page.unheld(then)
    assert ("SEQ408", claim) not in page.unheld(before)
    assert "- SEQ408 on Keras 3.12" in text  # an error there, and nothing that shows it
    assert "- SEQ408 on Keras 3.9" not in page.render(before)
    assert f"`{_FILE}::test_a_zip[keras]` | assert 3 == 4 |" in page.render(before)


def test_a_run_that_goes_on_is_compared_with_the_whole_run_before_it(tmp_path: Path) -> None:
    (first,) = record.columns(_outcomes(tmp_path), {}, "2026-01-02")
    record.save(first, tmp_path)
    for anew in (True, False):
        second = record.columns(Outcomes(frozenset(), (), frozenset(), {"3.9.3": 1}), {}, "2026-02-03")[0]
        record.save(second, tmp_path, begun_anew=anew)
    assert record.load(tmp_path).before == {"Keras 3.9": first}


def test_a_run_goes_on_where_the_one_before_it_ended(tmp_path: Path) -> None:
    tests = tmp_path / "test_three.py"
    tests.write_text(
        "import os\n\ndef test_one(): pass\n\ndef test_two(): os._exit(7)\n\ndef test_three(): assert 3 == 4, 'no'\n"
    )
    notes = tmp_path / "notes.jsonl"
    plugin = ("-p", "tests.measure.noted", "--noted", str(notes), "-p", "no:cacheprovider", f"--rootdir={tmp_path}")
    command = [sys.executable, "-m", "pytest", "-q", *plugin, str(tests)]
    ended = [subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode for _ in range(3)]
    assert ended == [7, 1, 5]
    assert [(row["test"][-5:], row["outcome"], row.get("why", "")) for row in rows(notes).values()] == [
        ("t_one", "passed", ""),
        ("t_two", "failed", ENDED),
        ("three", "failed", "AssertionError: no"),
    ]


def test_versions_may_be_named() -> None:
    assert named([]) == list(LINES)
    assert [line.requirements[1] for line in named(["3.5.0", "3.11"])] == ["keras==3.5.0", "keras==3.11.*"]
    with pytest.raises(SystemExit, match="no line 'four'"):
        named(["four"])
