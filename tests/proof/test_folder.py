"""What of a folder goes with a script into its run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import folder
from seqlint.proof.recorder.entering import make_link

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


def test_small_files_are_copied_and_the_others_linked(beside: Path, tmp_path: Path) -> None:
    (beside / "elsewhere").symlink_to(tmp_path)
    found = folder.fill(beside, tmp_path / "copy")
    copied = {
        path.relative_to(tmp_path / "copy").as_posix() for path in (tmp_path / "copy").rglob("*") if path.is_file()
    }
    assert copied == {"helper.py", "deep/labels.csv"}
    assert sorted(found.linked) == ["elsewhere", "photos.bin"]


def test_no_more_files_are_copied_than_a_run_may_cost_and_code_comes_first(beside: Path, tmp_path: Path) -> None:
    for number in range(folder.MOST + 5):
        (beside / f"deep/{number:04}.dat").touch()
    (beside / "zoo").mkdir()
    (beside / "zoo/animals.py").touch()
    found = folder.fill(beside, tmp_path / "copy")
    assert sum(path.is_file() for path in (tmp_path / "copy").rglob("*")) == folder.MOST
    assert (tmp_path / "copy/zoo/animals.py").exists()
    assert "deep/0504.dat" in found.linked


def test_a_crowded_folder_is_linked_as_a_whole(beside: Path) -> None:
    (beside / "images").mkdir()
    for number in range(1_001):
        (beside / f"images/{number}.png").touch()
    assert "images" in folder.contents(beside).linked


def test_links_are_where_a_program_looks(beside: Path, tmp_path: Path) -> None:
    (tmp_path / "next").mkdir()
    data = (str(tmp_path / "far/rows.h5"), str(beside / "deep/large.h5"))
    made = folder.links(beside, folder.contents(beside), data, "deep")
    assert made["next"] == (str(tmp_path / "next"), False)
    assert made["program/photos.bin"] == (str(beside / "photos.bin"), False)
    assert made["program/deep/rows.h5"] == (data[0], True)
    assert made["far/rows.h5"] == (data[0], True)
    assert made["program/deep/large.h5"] == (data[1], True)


def test_data_is_where_the_paths_of_a_program_lead(beside: Path) -> None:
    named = ("../data/rows.csv", "./images/*/*.jpg", "photos/train/cats", "../../../data")
    data = ("/far/data", "/far/images", "/far/train")
    made = folder.links(beside, folder.contents(beside), data, "deep", named)
    asked = {name: target for name, (target, wanted) in made.items() if wanted and name.startswith("program")}
    assert {name: target for name, target in asked.items() if target == "/far/data"} == {
        "program/data": "/far/data",
        "program/deep/data": "/far/data",
    }
    assert asked["program/deep/images"] == "/far/images"
    assert asked["program/deep/photos/train"] == "/far/train"


def test_data_is_added_to_the_folder_of_a_project_and_takes_the_place_of_its_files(tmp_path: Path) -> None:
    for name, text in (
        ("far/rows.csv", "mine"),
        ("far/more/x.csv", "x"),
        ("run/data/rows.csv", "sample"),
        ("user/a", "a"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "run/data/notes.md").write_text("notes")
    (tmp_path / "run/next").symlink_to(tmp_path / "user")
    place = os.path.realpath(tmp_path / "run")
    make_link(f"{place}/data", str(tmp_path / "far"), True, place)
    make_link(f"{place}/next/far", str(tmp_path / "far"), True, place)
    seen = {path.name: path.read_text() for path in (tmp_path / "run/data").iterdir() if path.is_file()}
    assert seen == {"rows.csv": "mine", "notes.md": "notes"}
    assert (tmp_path / "run/data/more/x.csv").read_text() == "x"
    assert [path.name for path in (tmp_path / "user").iterdir()] == ["a"]
