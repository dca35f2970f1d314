"""All that a check reads of a project is recorded: a result that is kept hangs on it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint import engine
from seqlint.runner import plan, work
from seqlint.sources.reading import EXISTS, FILE, FOLDER, NEEDS, SUMMARY, Reading
from tests.facts.projects import write

if TYPE_CHECKING:
    import pytest

HALF = """import keras

from base import Base


class Half(Base):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.rows[index]
"""
FILES = {
    ".git/HEAD": "",
    "seqlint.toml": "",
    "requirements.txt": "-r needs/more.txt\n",
    "needs/more.txt": "keras>=3\n",
    "base.py": "import keras\n\n\nclass Base(keras.utils.PyDataset):\n    def __init__(self, rows):\n        self.x = rows\n",
    "half.py": HALF,
    "heir.py": "from half import Half\n\n\nclass Whole(Half):\n    def on_epoch_end(self):\n        self.rows = 1\n",
    "train.py": "import keras\nfrom half import Half\n\nmodel = keras.Sequential()\nmodel.fit(Half([1]), workers=2)\n",
    "data/plain.py": "x = 1\n",
}
_opened: set[str] | None = None


def _heard(event: str, arguments: tuple[object, ...]) -> None:
    if _opened is not None and event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], (str, Path)):
        _opened.add(os.path.abspath(arguments[0]))


sys.addaudithook(_heard)  # it stays, and hears nothing but in the tests below


def recorded(reading: Reading) -> set[str]:
    whole = reading.whole()
    questions = [*whole.found, *(question for files in whole.without.values() for question in files)]
    assert {question[0] for question in questions} <= {FILE, SUMMARY, FOLDER, NEEDS, EXISTS}
    return {question[1:].partition("\0")[0] for question in questions}


def check(folder: Path) -> dict[str, tuple[set[str], set[str]]]:
    """For each file what was opened while it was checked, and what is recorded; each as if it were the first."""
    global _opened
    found = {}
    for job in plan.plan(["."], plan.Request(cache=True)).jobs:
        engine.forget()
        _opened = set()
        try:
            result = work.find(job)
        finally:
            opened, _opened = _opened, None
        assert result.reading is not None
        inside = {path for path in opened if path.startswith(f"{folder}{os.sep}")}
        found[job.path] = inside, recorded(result.reading)
    return found


def test_what_is_opened_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    found = check(tmp_path)
    assert set(found) == {"base.py", "half.py", "heir.py", "train.py"}
    assert {"requirements.txt", "more.txt", "base.py"} <= {Path(path).name for path in found["half.py"][0]}
    for opened, noted in found.values():
        assert opened <= noted


def test_what_a_file_hangs_on_is_the_same_whatever_was_checked_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    alone = {path: noted for path, (_, noted) in check(tmp_path).items()}
    engine.forget()
    together = [(job.path, work.find(job).reading) for job in plan.plan(["."], plan.Request(cache=True)).jobs]
    for path, reading in reversed(together):
        assert reading is not None
        assert recorded(reading) == alone[path]
