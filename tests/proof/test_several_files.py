"""Fixes that change two files are proved with both, and are written to both or to none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from tests.proof.made_up_rules import needs_tensorflow
from tests.proof.programs import FEED

if TYPE_CHECKING:
    from collections.abc import Callable

    Call = Callable[..., tuple[int, str]]

RULE = '''\
"""A name of another file is loud.

## Why
It is made up.

## Do this
Don't.
"""

from collections.abc import Iterator

from seqlint.api import Edit, Example, Facts, Finding, Levels, Rule

RULE = Rule(
    code="TST910",
    name="loud-name",
    since="0.1.0",
    levels=Levels.everywhere("error"),
    examples=(Example("import keras\\n\\nLOUD = 1\\nkeras.utils.set_random_seed(LOUD)\\n"),),
    edits_elsewhere=True,
)
WANTED = {wanted}


def check(facts: Facts) -> Iterator[Finding]:
    other = facts.files.defining("settings.Settings")
    for name, (old, new) in WANTED.items():
        at = facts.source.utf8.find(name.encode())
        if other is not None and at >= 0:
            there = other.source.utf8.find(old.encode())
            own = Edit(at, at + len(name), name.lower())
            edits = (own, Edit(there, there + len(old), new, other.source.path))
            yield facts.finding_at((at, at + len(name)), f"`{{name}}` is loud").fixed_by(f"Lower `{{name}}`", *edits)
'''.replace("LOUD = 1", "loud = 1").replace("set_random_seed(LOUD)", "set_random_seed(loud)")
SETTINGS = """\
class Settings:
    pass


def FACTOR():
    return 1.0  # of the labels


def EPOCHS():
    return 2
"""
TRAIN = FEED.replace("import math\n", "import math\nimport settings\n") + (
    """
feed.labels *= settings.FACTOR()
model.fit(feed, epochs=settings.EPOCHS(), shuffle=False, verbose=0)
"""
)
TRIPLED = ("def FACTOR():\n    return 1.0", "def factor():\n    return 3.0")
RENAMED = {"FACTOR": ("FACTOR", "factor"), "EPOCHS": ("EPOCHS", "epochs")}
SHARED = """\
import keras


class Feed(keras.utils.PyDataset):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    def __len__(self):
        return len(self.rows) // 2

    def __getitem__(self, index):
        return self.rows[index * 2 : index * 2 + 2], self.rows[index * 2 : index * 2 + 2, :1]
"""
SCRIPT = """\
import keras
import numpy as np

from data import Feed

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(Feed(np.ones((8, 3))), workers=2, verbose=0)
"""


@pytest.fixture
def call(project: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """A command on a script that takes settings from another file, and a rule with these edits there: exit code, and what was said."""

    def called(wanted: dict[str, tuple[str, str]], *command: str) -> tuple[int, str]:
        (project / "rules/tst910_loud_name.py").write_text(RULE.format(wanted=wanted))
        Path("settings.py").write_text(SETTINGS)
        Path("train.py").write_text(TRAIN)
        code = run([*command, "train.py", "--select", "TST910"])
        return code, "".join(capsys.readouterr())

    return called


def texts() -> tuple[str, str]:
    return Path("train.py").read_text(), Path("settings.py").read_text()


@needs_tensorflow
def test_what_holds_is_written_to_both_files_and_what_breaks_the_other_one_to_neither(call: Call) -> None:
    code, said = call({"EPOCHS": RENAMED["EPOCHS"], "FACTOR": TRIPLED}, "fix", "--verify")
    assert code == 1, said
    assert "changes `settings.py`, too" in said
    assert "its proof is DIFFERENT in samples" in said
    assert texts() == (TRAIN.replace("EPOCHS", "epochs"), SETTINGS.replace("EPOCHS", "epochs"))


@needs_tensorflow
@pytest.mark.long
def test_a_name_that_the_other_file_lacks_then_is_written_nowhere(call: Call) -> None:
    wrong = {"FACTOR": ("def FACTOR", "def other")}
    code, said = call(wrong, "verify")
    assert (code, "errors      DIFFERENT" in said) == (1, True), said
    code, said = call(wrong, "fix", "--verify")
    assert code == 1, said
    assert "its proof is DIFFERENT in" in said
    assert texts() == (TRAIN, SETTINGS)


@needs_tensorflow
@pytest.mark.long
def test_verify_shows_both_files_and_writes_none(call: Call) -> None:
    code, said = call(RENAMED, "verify", "--report", "proof.html")
    assert code == 0, said
    assert said.count("HOLDS") == 2
    assert "samples     SAME" in said
    assert Path("proof.html").read_text().count("<td>settings.py</td>") == 2
    assert texts() == (TRAIN, SETTINGS)


@needs_tensorflow
@pytest.mark.long
def test_scripts_that_share_the_other_file_are_proved_one_after_the_other(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("seqlint.toml").write_text('keras = ">=3.10"\nselect = ["SEQ701"]\n')
    Path("data.py").write_text(SHARED)
    for name in ("score", "train"):
        Path(f"{name}.py").write_text(SCRIPT)
    code = run(["fix", "--verify", "."])
    said = "".join(capsys.readouterr())
    assert code == 0, said
    assert "applied 2 fixes in 3 files" in said
    assert Path("data.py").read_text().count("**kwargs") == 2
    for name in ("score", "train"):
        assert "Feed(np.ones((8, 3)), workers=2)" in Path(f"{name}.py").read_text()
