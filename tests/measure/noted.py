"""A plugin of pytest that notes what came of each test as soon as it ends, so that a run that is broken off can go on.

    python -m pytest -p tests.measure.noted --noted FILE

A line of the file is one test as JSON. Tests that it holds already are left out. A test that was begun and never ended, because the process
did not live on, is noted as failed by the run that follows.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

BEGUN = "begun"
ENDED = "the process ended during this test"


def rows(file: Path) -> dict[str, dict[str, Any]]:
    """What a file says last of each test, by its name; a line that was cut off counts for nothing."""
    return {row["test"]: row for row in _lines(file)}


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    for line in text.split("\n"):
        if line.endswith("}"):
            yield json.loads(line)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the name of the file."""
    parser.addoption("--noted", type=Path, required=True, help="where what came of each test is noted")


def pytest_configure(config: pytest.Config) -> None:
    """Note each test of this run."""
    config.pluginmanager.register(Notes(config.getoption("--noted")))


class Notes:
    """What came of the tests of one run.

    Attributes:
        file: where it is noted.
        parts: of the test that runs: what came of its setup, itself and its teardown.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.parts: list[pytest.TestReport] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what is noted."""
        known = rows(self.file)
        for row in known.values():
            if row["outcome"] == BEGUN:
                self._write({**row, "outcome": "failed", "why": ENDED})
        items[:] = [item for item in items if item.nodeid not in known]

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Say that a test begins, for the case that it never ends."""
        self.parts = []
        self._write({"test": nodeid, "outcome": BEGUN})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep a part of a test."""
        self.parts.append(report)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Note what came of a test."""
        worst = next((part for part in self.parts if part.failed), None)
        skipped = any(part.skipped for part in self.parts)
        properties = self.parts[-1].user_properties
        self._write(
            {
                "test": nodeid,
                "outcome": "failed" if worst is not None else "skipped" if skipped else "passed",
                "keras": next((value for name, value in properties if name == "keras"), ""),
                "says": [value for name, value in properties if name == "says"],
                "why": _first_line(worst),
                "seconds": round(sum(part.duration for part in self.parts), 2),
            }
        )

    def _write(self, row: dict[str, Any]) -> None:
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")


def _first_line(report: pytest.TestReport | None) -> str:
    if report is None:
        return ""
    crash = getattr(report.longrepr, "reprcrash", None)
    text: str = crash.message if crash is not None else report.longreprtext
    return text.strip().partition("\n")[0]
