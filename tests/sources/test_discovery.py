from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

from seqlint.sources.discovery import Found, discover
from seqlint.sources.patterns import Patterns
from tests.unprivileged import plain_user

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def make(root: Path, *files: str) -> None:
    for name in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def find(*paths: str, exclude: tuple[str, ...] = (), force_exclude: bool = False) -> Found:
    return discover(paths, lambda folder: (Patterns(os.getcwd(), exclude),), force_exclude=force_exclude)


def names(found: Found) -> list[str]:
    return [path.as_posix() for path in found.files]


def test_a_folder_gives_its_python_files_in_order(tmp_path: Path) -> None:
    make(tmp_path, "b.py", "a/z.py", "a/stub.pyi", "a/notes.txt", "a/nb.ipynb", "c.pyc")
    assert names(find(".")) == ["a/nb.ipynb", "a/stub.pyi", "a/z.py", "b.py"]


def test_pages_are_taken_where_they_are_named_or_asked_for(tmp_path: Path) -> None:
    make(tmp_path, "guide.md", "notes.txt", "docs/a.md", "docs/b.markdown", "docs/c.rst", "docs/d.txt")
    assert names(find(".")) == []
    assert names(find("guide.md", "notes.txt", "docs/c.rst")) == ["docs/c.rst", "guide.md", "notes.txt"]
    asked = discover(["."], lambda folder: (), docs=lambda folder: folder.endswith("docs"))
    assert names(asked) == ["docs/a.md", "docs/b.markdown", "docs/c.rst"]


def test_what_jupyter_keeps_beside_a_notebook_is_passed_over(tmp_path: Path) -> None:
    make(tmp_path, "nb.ipynb", ".ipynb_checkpoints/nb-checkpoint.ipynb")
    assert names(find(".")) == ["nb.ipynb"]


def test_paths_are_shown_as_the_user_wrote_them(tmp_path: Path) -> None:
    make(tmp_path, "src/a.py")
    assert names(find("src")) == ["src/a.py"]
    assert names(find(str(tmp_path / "src"))) == [f"{tmp_path.as_posix()}/src/a.py"]


def test_a_file_that_is_found_twice_counts_once(tmp_path: Path) -> None:
    make(tmp_path, "src/a.py")
    assert names(find("src", "src/a.py", "./src/../src/a.py", "src")) == ["src/a.py"]


def test_a_link_to_a_file_that_was_found_counts_as_that_file(tmp_path: Path) -> None:
    make(tmp_path, "z.py")
    (tmp_path / "a_link.py").symlink_to("z.py")
    assert names(find(".")) == ["z.py"]
    assert names(find("a_link.py")) == ["a_link.py"]


@pytest.mark.parametrize("folder", [".git", ".venv", "node_modules", "__pycache__", "build", "dist", "site-packages"])
def test_folders_of_tools_are_passed_over_unless_named(tmp_path: Path, folder: str) -> None:
    make(tmp_path, f"{folder}/a.py", "b.py")
    assert names(find(".")) == ["b.py"]
    assert names(find(folder)) == [f"{folder}/a.py"]
    assert names(find(f"{folder}/a.py")) == [f"{folder}/a.py"]


def test_a_virtual_environment_of_any_name_is_passed_over(tmp_path: Path) -> None:
    make(tmp_path, "tf-env/pyvenv.cfg", "tf-env/lib/a.py", "b.py")
    assert names(find(".")) == ["b.py"]


class TestGitignore:
    def test_holds_at_every_level_and_the_nearest_speaks_last(self, tmp_path: Path) -> None:
        make(tmp_path, ".git/HEAD", "a.py", "gen/b.py", "gen/kept.py", "gen/deep/c.py")
        (tmp_path / ".gitignore").write_text("gen/*.py\n/a.py\n")
        (tmp_path / "gen/.gitignore").write_text("!kept.py\ndeep/\n")
        assert names(find(".")) == ["gen/kept.py"]

    def test_of_the_folders_above_holds_up_to_the_root_of_the_repository(self, tmp_path: Path) -> None:
        make(tmp_path, "repo/.git/HEAD", "repo/src/a.py", "repo/src/a_pb2.py", "repo/src/outer.py")
        (tmp_path / "repo/.gitignore").write_text("*_pb2.py\n")
        (tmp_path / ".gitignore").write_text("outer.py\n")
        assert names(find("repo/src")) == ["repo/src/a.py", "repo/src/outer.py"]

    def test_says_nothing_about_a_named_file(self, tmp_path: Path) -> None:
        make(tmp_path, ".git/HEAD", "a.py")
        (tmp_path / ".gitignore").write_text("a.py\n")
        assert names(find(".")) == []
        assert names(find("a.py")) == ["a.py"]

    def test_a_named_folder_that_is_ignored_is_walked_with_the_other_patterns(self, tmp_path: Path) -> None:
        make(tmp_path, ".git/HEAD", "out/a.py", "out/a_pb2.py", "b.py")
        (tmp_path / ".gitignore").write_text("out/\n*_pb2.py\n")
        assert names(find(".")) == ["b.py"]
        assert names(find("out")) == ["out/a.py"]

    def test_a_line_that_is_no_pattern_is_passed_over(self, tmp_path: Path) -> None:
        make(tmp_path, "a.py", "b.py")
        (tmp_path / ".gitignore").write_bytes(b"!\n\xff\xfe\nb.py\r\n")
        assert names(find(".")) == ["a.py"]


class TestExclude:
    def test_leaves_out_of_a_walk_but_not_what_is_named(self, tmp_path: Path) -> None:
        make(tmp_path, "old/a.py", "b.py", "b_pb2.py")
        exclude = ("old/", "*_pb2.py")
        assert names(find(".", exclude=exclude)) == ["b.py"]
        assert names(find("old", "b_pb2.py", exclude=exclude)) == ["b_pb2.py", "old/a.py"]

    def test_holds_for_named_paths_when_forced(self, tmp_path: Path) -> None:
        make(tmp_path, "old/a.py", "b.py", "build/c.py")
        found = find("old", "old/a.py", "b.py", "build/c.py", exclude=("old/",), force_exclude=True)
        assert names(found) == ["b.py"]

    def test_is_asked_for_the_folder_that_is_walked(self, tmp_path: Path) -> None:
        make(tmp_path, "one/a.py", "one/b.py", "two/a.py")
        found = discover(["."], lambda folder: (Patterns(folder, ("a.py",) if folder.endswith("one") else ()),))
        assert names(found) == ["one/b.py", "two/a.py"]


class TestLinks:
    def test_a_loop_ends(self, tmp_path: Path) -> None:
        make(tmp_path, "a/b.py")
        (tmp_path / "a/again").symlink_to(tmp_path, target_is_directory=True)
        assert names(find(".")) == ["a/b.py"]

    def test_a_folder_behind_a_link_is_walked_when_named(self, tmp_path: Path) -> None:
        make(tmp_path, "real/a.py")
        (tmp_path / "here").mkdir()
        (tmp_path / "here/link").symlink_to(tmp_path / "real", target_is_directory=True)
        assert names(find("here")) == []
        assert names(find("here/link")) == ["here/link/a.py"]

    def test_a_link_to_itself_is_a_problem_when_named_only(self, tmp_path: Path) -> None:
        (tmp_path / "a.py").symlink_to("a.py")
        (tmp_path / "dead.py").symlink_to("nowhere.py")
        assert find(".") == Found(())
        assert [problem.path for problem in find("a.py", "dead.py").problems] == ["a.py", "dead.py"]


class TestProblems:
    def test_a_missing_path_is_reported_and_the_others_go_on(self, tmp_path: Path) -> None:
        make(tmp_path, "a.py")
        found = find("missing.py", "a.py")
        assert names(found) == ["a.py"]
        assert [(problem.path, problem.message) for problem in found.problems] == [
            ("missing.py", "no such file or directory")
        ]

    def test_what_is_not_a_file_is_reported(self, tmp_path: Path) -> None:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("s.py")
            assert [problem.message for problem in find("s.py").problems] == ["this is not a regular file"]
            assert find(".") == Found(())

    def test_a_folder_that_may_not_be_entered_is_reported(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make(tmp_path, "open/a.py", "shut/b.py")
        scandir = os.scandir

        def refuse(path: str) -> object:
            if path.endswith("shut"):
                raise PermissionError(13, "Permission denied", path)
            return scandir(path)

        monkeypatch.setattr(os, "scandir", refuse)
        found = find(".")
        assert names(found) == ["open/a.py"]
        assert [(problem.path, problem.message) for problem in found.problems] == [("shut", "permission denied")]

    def test_a_folder_inside_one_that_may_not_be_entered_is_reported(self) -> None:
        with plain_user() as folder:
            (folder / "shut/inner").mkdir(parents=True)
            (folder / "shut").chmod(0)
            found = find(str(folder / "shut"), str(folder / "shut/inner"))
            (folder / "shut").chmod(0o700)
        assert [problem.message for problem in found.problems] == ["permission denied"] * 2

    def test_an_empty_name_is_not_the_working_directory(self, tmp_path: Path) -> None:
        make(tmp_path, "a.py")
        found = find("")
        assert found.files == ()
        assert [(problem.path, problem.message) for problem in found.problems] == [("''", "no such file or directory")]
