"""`scripts/measure`: all experiments and all examples on each line of Keras, and what the pages claim next to it."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from tests.measure import page, record
from tests.measure.keras_lines import LINES, ROOT, KerasLine, interpreter, named, of_interpreter, versions
from tests.measure.noted import rows
from tests.measure.outcomes import read

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = ROOT / "docs" / "measured.md"
_EXPERIMENTS = "tests/experiments"
_EXAMPLES = "tests/proof/test_rules_hold.py::test_the_examples_of_a_rule_keep_its_contract"
_LOOK_S = 5.0


def main() -> None:
    """Read the command line, measure, and write the page."""
    given = _options().parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended; --resume goes on"))
    folder = given.environments.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    for line, python in _chosen(given, folder):
        for column in _measured(line, python, given, folder / f"{line.name}.jsonl"):
            record.save(column, begun_anew=not (given.resume or given.rules))
            print(f"{column.keras}: {column.passed} passed, {len(column.failed)} failed", flush=True)
            print(*(f"  {one.test}: {one.why}" for one in column.failed), sep="\n", flush=True)
    found = record.load()
    PAGE.write_text(page.render(found), encoding="utf-8")
    print(f"{len(page.unheld(found))} claims are held by no experiment")


def _chosen(given: argparse.Namespace, folder: Path) -> Iterator[tuple[KerasLine, Path]]:
    """The lines to measure, each with the interpreter of its environment."""
    if given.page:
        return
    if given.python is not None:
        yield of_interpreter(given.python, _path()), given.python
        return
    for line in named(given.lines):
        yield line, interpreter(line, folder)


def _path() -> str:
    """Folders that come before the packages of an environment: those of the user, and this working tree."""
    return os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH", ""), str(ROOT))))


def _options() -> argparse.ArgumentParser:
    asked = argparse.ArgumentParser(prog="scripts/measure", description=__doc__)
    asked.add_argument("lines", nargs="*", help=f"all where none is named: {', '.join(line.name for line in LINES)}")
    asked.add_argument("--environments", type=Path, default=ROOT / ".keras-lines", help="where they are made and kept")
    asked.add_argument(
        "--python", type=Path, help="the interpreter of an environment that is there already: measure its Keras alone"
    )
    asked.add_argument("--resume", action="store_true", help="keep what passed in a run before, and do the rest")
    asked.add_argument("--rules", default="", help="only these again, as pytest's -k has it: 'seq204 or seq205'")
    asked.add_argument("--no-examples", action="store_true", help="run the experiments only")
    asked.add_argument("--page", action="store_true", help="measure nothing: write the page of what is known")
    asked.add_argument("--limit", type=float, default=900.0, help="seconds that one test may take")
    return asked


def _measured(line: KerasLine, python: Path, given: argparse.Namespace, notes: Path) -> list[record.Column]:
    """Run one line to its end: a process that ends early is followed by one for the tests that are left.

    Raises:
        SystemExit: pytest can't start here.
    """
    _forget(notes, passed=not (given.resume or given.rules), rules=given.rules)
    what = [_EXPERIMENTS] if given.no_examples else [_EXPERIMENTS, _EXAMPLES]
    chosen = ["-k", given.rules] if given.rules else []
    own = ("-q", "-p", "no:cacheprovider", "-p", "tests.measure.noted", "--noted", str(notes))
    while True:
        known = len(rows(notes))
        code = _run([str(python), "-m", "pytest", *own, *what, *chosen], notes, given.limit)
        if code in (0, 1, 5):  # all passed, some failed, none was left
            break
        if len(rows(notes)) == known:
            raise SystemExit(f"{line.name}: pytest ended with {code} before its first test")
    return record.columns(read(notes), versions(python, _path()), date.today().isoformat())


def _forget(notes: Path, *, passed: bool, rules: str) -> None:
    """Drop the notes of what is to run again: all of it, what did not pass, or what some rules have to do with."""
    kept = [] if passed else [row for row in rows(notes).values() if row["outcome"] == "passed"]
    if rules:
        codes = re.findall(r"seq\d+", rules.lower())
        kept = [row for row in kept if not any(code in row["test"].lower() for code in codes)]
    notes.write_text("".join(f"{json.dumps(row)}\n" for row in kept), encoding="utf-8")


def _run(command: list[str], notes: Path, limit: float) -> int:
    """Run pytest; end it where one test takes longer than the limit."""
    environment = {**os.environ, "PYTHONPATH": _path(), "TF_CPP_MIN_LOG_LEVEL": "3", "SEQLINT_ON_DEMAND": "1"}
    log = notes.with_suffix(".log")
    with log.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, start_new_session=True, stdout=out, stderr=subprocess.STDOUT
        )
        try:
            while process.poll() is None and time.time() - _touched(notes, log) < limit:
                time.sleep(_LOOK_S)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    return process.wait()


def _touched(notes: Path, log: Path) -> float:
    """When a test began or ended last, in seconds; before the first one, when pytest last said something."""
    return max(notes.stat().st_mtime, log.stat().st_mtime)


if __name__ == "__main__":
    main()
