"""The project that a program belongs to, and where it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof.programs import Program
from seqlint.proof.roots import Place, place_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a script in a folder, and data in another."""
    for name in ("repository/.git/HEAD", "repository/scripts/train.py", "repository/data/rows.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path / "repository"


def test_a_script_belongs_to_its_repository_and_starts_in_its_own_folder(project: Path) -> None:
    found = place_of(project / "scripts/train.py", "print(1)\n", Program(), here=project)
    assert found == Place(project, "scripts/train.py", "scripts")


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("read('data/rows.csv')\n", ""),
        ("read('../data/rows.csv')\n", "scripts"),
        ("list_files('data')\n", ""),
        ("read('rows.csv')\n", "data"),
        ("read('nowhere/rows.csv')\n", "scripts"),
    ],
)
def test_a_script_starts_where_its_paths_are_found(project: Path, text: str, start: str) -> None:
    assert place_of(project / "scripts/train.py", text, Program(), here=project / "data").start == start


def test_the_folder_that_the_user_names_counts(project: Path) -> None:
    found = place_of(project / "scripts/train.py", "", Program(), project / "scripts", project)
    assert found == Place(project / "scripts", "train.py")


def test_a_home_folder_is_no_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(project))
    assert place_of(project / "scripts/train.py", "", Program()).folder == project / "scripts"
