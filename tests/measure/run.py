"""`scripts/measure`: all experiments and all examples on each line of Keras, and what the pages claim beside it."""

from __future__ import annotations

import argparse
import os
import subprocess
from datetime import date
from pathlib import Path

from tests.measure import page, record
from tests.measure.keras_lines import LINES, ROOT, KerasLine, interpreter, named, versions
from tests.measure.outcomes import read

PAGE = ROOT / "docs" / "measured.md"
_EXPERIMENTS = "tests/experiments"
_EXAMPLES = "tests/proof/test_rules_hold.py::test_the_examples_of_a_rule_keep_its_contract"


def main() -> None:
    """Read the command line, measure, and write the page."""
    asked = argparse.ArgumentParser(prog="scripts/measure", description=__doc__)
    asked.add_argument("lines", nargs="*", help=f"all where none is named: {', '.join(line.name for line in LINES)}")
    asked.add_argument("--environments", type=Path, default=ROOT / ".keras-lines", help="where they are made and kept")
    asked.add_argument("--rules", default="", help="only these, as pytest's -k has it: 'seq204 or seq205'")
    asked.add_argument("--no-examples", action="store_true", help="run the experiments only")
    asked.add_argument("--limit", type=float, default=7200.0, help="seconds for one line")
    given = asked.parse_args()
    found = record.load()
    for line in named(given.lines):
        new = _measured(line, given)
        found = found.with_columns(new)
        if not given.rules:
            record.save(found)
            PAGE.write_text(page.render(found), encoding="utf-8")
        for column in new:
            print(
                f"{column.keras}: {column.passed} passed, {len(column.failed)} failed, {len(column.held)} claims held",
                flush=True,
            )
            print(*(f"  {one.test}: {one.why}" for one in column.failed), sep="\n", flush=True)
    print(f"{len(page.unheld(found))} claims are held by no experiment")


def _measured(line: KerasLine, given: argparse.Namespace) -> list[record.Column]:
    """Run one line.

    Raises:
        SystemExit: pytest left no report: it did not start, or took longer than the limit.
    """
    folder: Path = given.environments.absolute()
    python = interpreter(line, folder)
    report = folder / f"{line.name}.xml"
    report.unlink(missing_ok=True)
    what = [_EXPERIMENTS] if given.no_examples else [_EXPERIMENTS, _EXAMPLES]
    chosen = ["-k", given.rules] if given.rules else []
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *what, *chosen]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True, stdout=subprocess.DEVNULL)
    try:
        process.wait(given.limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
    if not report.is_file():
        raise SystemExit(
            f"{line.name}: pytest left no report within {given.limit:.0f} s; was it able to start? {' '.join(map(str, command))}"
        )
    return record.columns(read(report), versions(python), date.today().isoformat())


if __name__ == "__main__":
    main()
