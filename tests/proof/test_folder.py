"""What of a folder goes with a script into its run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    (tmp_path / "beside/deep").mkdir(parents=True)
    (tmp_path / "beside/.git").mkdir()
    (tmp_path / "beside/venv").mkdir()
    for name in ("helper.py", "deep/labels.csv", ".git/HEAD", "venv/pyvenv.cfg"):
        (tmp_path / "beside" / name).write_text(name)
    (tmp_path / "beside/photos.bin").write_bytes(bytes(folder.LARGEST + 1))
    return tmp_path / "beside"


def test_small_files_are_copied_and_the_others_named(beside: Path, tmp_path: Path) -> None:
    folder.copy(beside, tmp_path / "copy")
    copied = {
        path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*") if path.is_file()
    }
    assert copied == {"helper.py", "deep/labels.csv"}
    assert folder.left_out(beside, 3) == ("photos.bin",)


def test_no_more_files_are_copied_than_a_run_may_cost(beside: Path, tmp_path: Path) -> None:
    for number in range(folder.MOST + 5):
        (beside / f"deep/{number:04}.txt").touch()
    folder.copy(beside, tmp_path / "copy")
    assert sum(path.is_file() for path in (tmp_path / "copy").rglob("*")) == folder.MOST
    assert folder.left_out(beside, 3)[1:] == ("deep/0499.txt", "deep/0500.txt")
