from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from seqlint import __version__

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(folder), str(checkout))
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as file:
        return set(file.namelist())


def test_has_one_package_at_the_top_and_its_metadata(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in names(wheel)}
    assert tops == {"seqlint", f"seqlint-{__version__}.dist-info"}


def test_has_every_file_of_the_package_and_every_rule(wheel: Path) -> None:
    package = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("seqlint/**/*.py")}
    rules = {f"seqlint/rules/{path.name}" for path in ROOT.glob("rules/*.py")}
    python = {name for name in names(wheel) if name.endswith(".py")}
    assert python == package | rules


def test_has_the_licence_and_the_mark_of_types(wheel: Path) -> None:
    found = names(wheel)
    assert "seqlint/py.typed" in found
    assert any(name.endswith("licenses/LICENSE") for name in found)


def test_runs_with_the_rules_it_brings(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        file.extractall(tmp_path / "installed")

    def rules(path: Path) -> str:
        env = {**os.environ, "PYTHONPATH": str(path)}
        command = (sys.executable, "-m", "seqlint", "rules")
        return subprocess.run(command, cwd=tmp_path, env=env, check=True, capture_output=True, text=True).stdout

    assert rules(tmp_path / "installed") == rules(ROOT)
