"""Results of earlier runs: what makes a file be looked at again, and that what is said is always what a first run says."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from seqlint import engine, registry
from seqlint.config import Overrides, load_config
from seqlint.model import UnreadableSource
from seqlint.runner import plan, work
from seqlint.runner.earlier import scope, still
from seqlint.sources import disk
from tests.facts.projects import write

DAY = 86_400 * 10**9  # nanoseconds
ROOT = Path(__file__).parents[2]
BASE = "import keras\n\n\nclass Base(keras.utils.PyDataset):\n    pass\n"
NO_BASE = "class Base:\n    pass\n"
FEED = """from base import Base


class Feed(Base):
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.x[index]
"""
LONE = "import keras\n\n\nclass Lone(keras.utils.PyDataset):\n    def __init__(self, x):\n        self.x = x\n"
PLAIN = "x = 1\n"
RULE = '''"""Calls of `spark`."""

from seqlint.api import Contract, Levels, Rule

RULE = Rule("ACME101", "spark-called", "1.0.0", Levels.everywhere("warning"), Contract())


def check(facts):
    for call in facts.calls("keras.spark"):
        yield facts.finding(call, "it sparks")
'''
FILES = {"base.py": BASE, "feed.py": FEED, "lone.py": LONE, "plain.py": PLAIN, "seqlint.toml": "", ".git/HEAD": ""}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plan, "FEW", 0)
    return tmp_path


def run(*, cache: bool = True, over: Overrides | None = None) -> tuple[list[str], set[str]]:
    """What a run as of a new process says, and the files that it has read and checked."""
    engine.forget()
    registry.load.cache_clear()
    for name in [name for name in sys.modules if name.startswith("seqlint.local_")]:
        del sys.modules[name]
    request = plan.Request(over or Overrides(), cache=cache, trust_rules=True)
    planned = plan.plan(["."], request)
    results = work.run(work.find, planned.jobs, 1)
    planned.remember(results)
    found = [one.checked() for one in planned.known]
    found += [
        result.of(job) for job, result in zip(planned.jobs, results, strict=True) if isinstance(result, work.Found)
    ]
    said = [
        repr(diagnostic) for one in sorted(found, key=lambda one: one.source.path) for diagnostic in one.diagnostics
    ]
    return said, {job.path for job in planned.jobs}


def again(over: Overrides | None = None) -> set[str]:
    """The files that a run checks, which says the same as one that knows nothing of earlier runs."""
    said, checked = run(over=over)
    assert said == run(cache=False, over=over)[0]
    return checked


@pytest.mark.parametrize("few", [0, 200])
def test_nothing_is_checked_twice(project: Path, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(plan, "FEW", few)
    assert again() == {"base.py", "feed.py", "lone.py"}
    assert again() == set()
    assert any("SEQ221" in line for line in run()[0])


@pytest.mark.parametrize("few", [0, 200])
def test_a_plain_folder_is_not_checked_twice(project: Path, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(plan, "FEW", few)
    shutil.rmtree(project / ".git")
    (project / "seqlint.toml").unlink()
    (project / "feed.py").unlink()  # what it imports could lie in any folder above, and others write there, too
    assert again() == {"base.py", "lone.py"}
    assert again() == set()


def test_what_a_base_calls_is_read_again(project: Path) -> None:
    head = (
        "import keras\nimport numpy as np\n\n\nclass Base(keras.utils.PyDataset):\n    def __getitem__(self, index):\n"
    )
    calls = head + "        return np.stack([self.load(row) for row in self.rows[index]]), self.y[index]\n"
    load = "    def load(self, row):\n        try:\n            return np.load(row)\n        except Exception:\n            return None\n"
    write(
        project,
        {"base.py": calls, "feed.py": f"import numpy as np\nfrom base import Base\n\n\nclass Feed(Base):\n{load}"},
    )
    assert any("SEQ201" in line for line in run()[0])
    (project / "base.py").write_text(calls.replace("self.load(row)", "np.load(row)"))
    assert again() == {"base.py", "feed.py"}
    assert not any("SEQ201" in line for line in run()[0])


def test_files_whose_state_is_the_same_are_not_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(still, "_RACE", -(10**18))
    (project / "lone.py").write_text("import keras\n")
    (project / "feed.py").unlink()
    run()
    monkeypatch.setattr(disk, "read", None)
    assert run() == ([], set())


def test_a_change_right_after_a_run_is_seen(project: Path) -> None:
    run()
    before = (project / "lone.py").stat()
    (project / "lone.py").write_text(LONE.replace("Lone", "Line"))
    os.utime(project / "lone.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert again() == {"lone.py"}


@pytest.mark.parametrize(
    ("changes", "checked"),
    [
        ({"lone.py": LONE + "\n"}, {"lone.py"}),
        ({"plain.py": "import keras\n"}, {"plain.py"}),
        ({"plain.py": "y = 1\n"}, set()),
        ({"base.py": NO_BASE}, set()),
        ({"base.py": BASE + "\n"}, {"base.py", "feed.py"}),
        ({"base.py": BASE.replace("pass", "def __init__(self):\n        self.x = 1")}, {"base.py", "feed.py"}),
        ({"base.py": None}, {"lone.py"}),
        ({"base/__init__.py": NO_BASE}, {"base.py", "feed.py", "lone.py"}),
        ({"requirements.txt": "keras<3\n"}, {"base.py", "feed.py", "lone.py"}),
        ({"run.log": "epoch 1\n", "model.h5": ""}, set()),
        ({"seqlint.toml": 'keras = "<3"\n'}, {"base.py", "feed.py", "lone.py"}),
        ({"seqlint.toml": 'exclude = ["data"]\n'}, {"base.py", "feed.py", "lone.py"}),  # a fix may change files that it names
        ({"seqlint.toml": '[per-file-ignores]\n"lone.py" = ["SEQ221"]\n'}, {"base.py", "feed.py", "lone.py"}),
    ],
)  # fmt: skip
def test_what_changes_is_checked_again(project: Path, changes: dict[str, str | None], checked: set[str]) -> None:
    run()
    for name, text in changes.items():
        (project / name).unlink() if text is None else write(project, {name: text})
    assert again() == checked
    assert again() == set()


def test_a_module_that_is_added_or_removed_is_seen(project: Path) -> None:
    (project / "base.py").unlink()
    write(project, {"feed.py": "import keras\n" + FEED})
    run()
    write(project, {"base.py": BASE})
    assert "feed.py" in again()
    (project / "base.py").unlink()
    assert "feed.py" in again()


def test_a_requirement_that_changes_is_seen(project: Path) -> None:
    write(project, {"requirements.txt": "-r more/keras.txt\n", "more/keras.txt": "keras<3\n"})
    assert not any("SEQ221" in line for line in run()[0])
    write(project, {"more/keras.txt": "keras>=3.10\n"})
    assert again() == {"base.py", "feed.py", "lone.py"}
    assert any("SEQ221" in line for line in run()[0])


def test_the_same_program_installed_anew_knows_the_results(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    monkeypatch.setattr(scope, "surface", lambda: (b"another", 0))
    assert again() == set()
    monkeypatch.setattr(scope, "surface", lambda: (b"a third", 0))
    monkeypatch.setattr(scope, "program", lambda: b"another")
    assert again() == {"base.py", "feed.py", "lone.py"}


def test_other_settings_have_results_of_their_own(project: Path) -> None:
    run()
    over = Overrides(keras="<3")
    assert again(over) == {"base.py", "feed.py", "lone.py"}
    assert again(over) == again() == set()
    assert again(Overrides(select=("SEQ2",))) == {"base.py", "feed.py", "lone.py"}


def test_an_heir_in_a_file_beside_is_seen_when_it_comes_and_other_changes_there_are_not(project: Path) -> None:
    half = "import keras\n\n\nclass Half(keras.utils.PyDataset):\n    def __len__(self):\n        return 4\n\n    def __getitem__(self, index):\n        return self.rows[index]\n"
    write(project, {"half.py": half, "heir.py": "import keras\n"})
    assert any("SEQ224" in line and "half.py" in line for line in run()[0])
    write(project, {"heir.py": "import keras\n\nx = 1\n"})
    assert again() == {"heir.py"}
    write(project, {"heir.py": "from half import Half\nimport keras\n\n\nclass Whole(Half):\n    rows = (1, 2)\n"})
    assert again() >= {"half.py", "heir.py"}
    assert not any("SEQ224" in line and "half.py" in line for line in run()[0])


def test_rules_of_the_project_count(project: Path) -> None:
    write(
        project, {"seqlint.toml": 'rules = ["own"]\n', "own/spark.py": RULE, "lone.py": "import keras\nkeras.spark()\n"}
    )
    assert any("it sparks" in line for line in run()[0])
    assert again() == set()
    write(project, {"own/spark.py": RULE.replace("it sparks", "it burns")})
    assert "lone.py" in again()
    assert any("it burns" in line for line in run()[0])


@pytest.mark.parametrize(
    "wrong", ["import acme.words\n", "import importlib\nwords = importlib.import_module('words')\n"]
)
def test_nothing_is_kept_where_a_rule_may_hang_on_other_code(project: Path, wrong: str) -> None:
    write(project, {"acme/words.py": "", "words.py": ""})
    sys.path.insert(0, str(project))
    try:
        write(
            project,
            {"seqlint.toml": 'rules = ["own"]\n', "own/spark.py": RULE.replace("from seqlint", f"{wrong}from seqlint")},
        )
        run()
        assert run()[1] >= {"base.py", "feed.py", "lone.py"}
    finally:
        sys.path.remove(str(project))


@pytest.mark.parametrize("text", ["import keras\nraise = 1\n", "import keras\nx = '\\0'\n".replace("\\0", "\0")])
def test_what_is_no_python_is_known_to_be_none(project: Path, text: str) -> None:
    write(project, {"lone.py": text})
    run()
    assert again() == set()
    assert any("SEQ001" in line for line in run()[0])
    write(project, {"lone.py": LONE})
    assert again() == {"lone.py"}


def test_a_file_that_may_not_be_read_is_tried_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> bytes:
        raise UnreadableSource("permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "read", refused)
        assert run() == ([], set())
    assert again() == {"base.py", "feed.py", "lone.py"}


def test_a_rule_that_crashed_runs_again(project: Path) -> None:
    crash = RULE.replace("    for call", "    raise ValueError\n    for call")
    write(project, {"seqlint.toml": 'rules = ["own"]\n', "own/spark.py": crash})
    run()
    assert again() >= {"base.py", "feed.py", "lone.py"}


def test_notebooks_and_pages_are_kept_too(project: Path) -> None:
    cell: dict[str, object] = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "source": LONE,
    }
    book = {"cells": [cell, cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    write(
        project, {"seqlint.toml": "docs = true\n", "book.ipynb": json.dumps(book), "page.md": f"```python\n{LONE}```\n"}
    )
    assert {"book.ipynb", "page.md"} <= again()
    assert again() == set()
    assert sum("SEQ221" in line and ("book" in line or "page" in line) for line in run()[0]) >= 2
    write(project, {"page.md": "# Text\n"})
    assert again() == set()


# -- the database -----------------------------------------------------------------------------------------------------------


def database(project: Path) -> Path:
    folder = plan.kept_at(load_config(project))
    assert folder is not None
    return folder / "results.db"


@pytest.mark.parametrize("content", [b"", b"no database at all " * 500])
def test_a_database_that_is_none_is_made_anew(project: Path, content: bytes) -> None:
    database(project).parent.mkdir()
    database(project).write_bytes(content)
    again()
    assert again() == set()


def test_a_database_of_another_version_is_made_anew(project: Path) -> None:
    run()
    connection = sqlite3.connect(database(project))
    connection.execute("PRAGMA user_version = 99")
    connection.execute("UPDATE results SET found = '[]'")
    connection.commit()
    connection.close()
    again()
    assert again() == set()


def test_what_is_kept_and_makes_no_sense_is_worked_out_anew(project: Path) -> None:
    run()
    for statement in ("UPDATE results SET found = '[3]' WHERE found != ''", "UPDATE results SET answers = 'x'"):
        connection = sqlite3.connect(database(project))
        connection.execute(statement)
        connection.commit()
        connection.close()
        again()
        assert again() == set()


def test_a_run_that_is_killed_while_it_writes_leaves_the_results_before(project: Path) -> None:
    run()
    write(project, {"lone.py": LONE.replace("Lone", "Line")})
    killed = (
        "import os\nfrom seqlint.runner.earlier import store\nstore._Writing._row = lambda self, new: os._exit(9)\n"
        "from seqlint.cli import run\nrun(['check', '.'])\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run((sys.executable, "-c", killed), cwd=project, env=env, check=False).returncode == 9
    assert again() == {"lone.py"}


def test_what_was_not_used_for_long_goes(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time_ns()
    run()
    (project / "lone.py").unlink()
    monkeypatch.setattr("time.time_ns", lambda: now + 20 * DAY)
    run()
    monkeypatch.setattr("time.time_ns", lambda: now + 40 * DAY)
    write(project, {"new.py": LONE})
    run()
    connection = sqlite3.connect(database(project))
    kept = {path for (path,) in connection.execute("SELECT path FROM results")}
    answers = {path.rpartition("/")[2] for (path,) in connection.execute("SELECT question FROM answers")}
    connection.close()
    assert kept == {"base.py", "feed.py", "new.py", "plain.py"}
    assert "feed.py" in answers
    assert "lone.py" not in answers
