"""What the tests of several editors need."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "fixtures" / "programs" / "evaluation_in_epoch_hook" / "program.py"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program with findings, in a folder of its own."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "seqlint.toml").touch()
    return Path(shutil.copy(PROGRAM, folder))


@pytest.fixture
def fixed(program: Path) -> str:
    """What the command line makes of that program."""
    text = program.read_text()
    subprocess.run(
        [sys.executable, "-m", "seqlint", "fix", "--no-cache", program], env=at_hand(), capture_output=True, check=False
    )
    made = program.read_text()
    program.write_text(text)
    assert made != text
    return made


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """An environment with a `seqlint` on the search path, and a file that the editor is to write to."""
    command = tmp_path / "bin" / "seqlint"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m seqlint "$@"\n')
    command.chmod(0o755)
    return at_hand() | {
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "SEEN": str(tmp_path / "seen.json"),
    }


def at_hand() -> dict[str, str]:
    """The environment, with seqlint as it lies here."""
    return os.environ | {"PYTHONPATH": str(ROOT)}
