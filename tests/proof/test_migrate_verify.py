"""`seqlint migrate --verify`: the programs of a project on both sides of the line."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from tests.proof.made_up_rules import needs_tensorflow

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.proof import Workers

    Migrate = Callable[..., tuple[int, str, str]]

TRAIN = """\
import keras
import numpy as np
from parts import head

rows = np.arange(24, dtype="float32").reshape(8, 3) / 24
model = keras.Sequential([keras.layers.Dense(4, input_shape=(3,)), head()])
model.compile(optimizer=keras.optimizers.SGD(lr=0.01), loss="mse")
model.fit_generator(((rows, rows[:, :1]) for _ in range(4)), steps_per_epoch=2, epochs=2, verbose=0)
model.save_weights("apples.h5")
"""
PARTS = "import keras\n\n\ndef head():\n    return keras.layers.Dense(1)\n"


@pytest.fixture
def migrate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lent: Workers
) -> Migrate:
    """Migrate a project of a script and a module: exit code, output, messages."""
    monkeypatch.setattr("seqlint.proof.workers", lambda: nullcontext(lent))
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text(TRAIN)
    Path("parts.py").write_text(PARTS)

    def call(*options: str) -> tuple[int, str, str]:
        code = run(["migrate", "--verify", *options])
        return code, *capsys.readouterr()

    return call


@needs_tensorflow
def test_what_is_the_same_is_written(migrate: Migrate) -> None:
    code, out, err = migrate("--write", "--output-format", "json")
    said = json.loads(out)
    assert [(row["path"], row["code"]) for row in said["verified"]] == [("train.py", "SAME ACROSS")]
    assert "`lr` was taken for `learning_rate`" in said["verified"][0]["note"]
    assert "model.fit(" in Path("train.py").read_text()
    assert "running train.py" in err
    assert code == 0


@needs_tensorflow
def test_what_is_different_is_not_written(migrate: Migrate) -> None:
    migrate("--write")
    Path("old.py").write_text(TRAIN)
    wrong = Path("train.py").read_text().replace("0.01", "0.5")
    Path("train.py").write_text(wrong.replace("learning_rate=", "lr="))
    code, out, err = migrate("--before", "old.py", "--write", "train.py")
    assert "DIFFERENT" in out
    assert "learning_rate was 0.01" in out
    assert "nothing was written" in err
    assert "lr=0.5" in Path("train.py").read_text()
    assert code == 1


def test_a_project_without_a_program_is_not_run(migrate: Migrate) -> None:
    code, out, _ = migrate("parts.py")
    assert "NOT RUN" in out
    assert code == 2


def test_the_old_text_is_of_one_script(migrate: Migrate) -> None:
    code, _, err = migrate("--before", "train.py")
    assert code == 2
    assert "--before" in err
