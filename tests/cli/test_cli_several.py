"""A fix that changes another file, too: told in every form, made whole or not at all."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.sources import disk
from tests.notebooks import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Result

    Cli = Callable[..., Result]

FEED = '''\
import keras


class Feed(keras.utils.PyDataset):
    """Rows in batches."""

    def __init__(self, rows):
        super().__init__()
        self.rows = rows  # all of them

    def __len__(self):
        return -(-len(self.rows) // 2)

    def __getitem__(self, index):
        return self.rows[index * 2 : index * 2 + 2], self.rows[index * 2 : index * 2 + 2, :1]
'''
FIXED_FEED = FEED.replace("self, rows)", "self, rows, **kwargs)").replace("__init__()", "__init__(**kwargs)")
HEAD = """\
import keras
import numpy as np

from data import Feed

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
"""
TRAIN = HEAD + "model.fit(Feed(np.ones((8, 3))), workers=4, verbose=0)\n"
FIXED_TRAIN = TRAIN.replace("3)))", "3)), workers=4)").replace(", workers=4, verbose", ", verbose")
SCORE = HEAD + "model.evaluate(Feed(np.ones((8, 3))), workers=2, verbose=0)\n"
FIXED_SCORE = SCORE.replace("3)))", "3)), workers=2)").replace(", workers=2, verbose", ", verbose")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose training makes its Sequence of a class that takes no workers yet, in another file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEQLINT_CACHE_DIR", str(tmp_path / ".cache"))
    (tmp_path / "seqlint.toml").write_text('keras = ">=3.10"\nselect = ["SEQ701"]\n')
    (tmp_path / "data.py").write_text(FEED)
    (tmp_path / "train.py").write_text(TRAIN)
    return tmp_path


def texts() -> tuple[str, str]:
    return Path("train.py").read_text(), Path("data.py").read_text()


class TestTold:
    def test_people_read_which_file_changes_too(self, cli: Cli) -> None:
        result = cli("check")
        assert "fix (safe): Move the worker arguments to the dataset; changes `data.py`, too\n" in result.out

    def test_json_names_the_file_of_each_edit_that_is_elsewhere(self, cli: Cli) -> None:
        (finding,) = json.loads(cli("check", "--output-format", "json").out)["findings"]
        (fix,) = finding["fixes"]
        assert [(edit.get("path"), edit["start"]["line"], edit["text"]) for edit in fix["edits"]] == [
            (None, 8, ""),
            (None, 8, ", workers=4"),
            ("data.py", 7, ", **kwargs"),
            ("data.py", 8, "**kwargs"),
        ]

    def test_sarif_has_a_change_for_each_file(self, cli: Cli) -> None:
        (run,) = json.loads(cli("check", "--output-format", "sarif").out)["runs"]
        ((fix,),) = [result["fixes"] for result in run["results"]]
        found = {change["artifactLocation"]["uri"]: len(change["replacements"]) for change in fix["artifactChanges"]}
        assert found == {"train.py": 2, "data.py": 2}

    def test_reviewdog_gets_no_half_of_it(self, cli: Cli) -> None:
        (found,) = json.loads(cli("check", "--output-format", "rdjson").out)["diagnostics"]
        assert "suggestions" not in found

    def test_a_result_of_an_earlier_run_says_the_same(self, cli: Cli) -> None:
        first = cli("check", "--output-format", "json")
        assert cli("check", "--output-format", "json") == first
        Path("data.py").write_text(FIXED_FEED)
        (finding,) = json.loads(cli("check", "--output-format", "json").out)["findings"]
        assert [edit for edit in finding["fixes"][0]["edits"] if "path" in edit] == []

    def test_what_decides_whether_the_other_file_may_change_is_asked_again(self, cli: Cli, here: Path) -> None:
        def offered() -> bool:
            (finding,) = json.loads(cli("check", "--output-format", "json", "train.py").out)["findings"]
            return bool(finding["fixes"])

        (here / ".git").mkdir()
        assert offered()
        assert offered()
        Path(".gitignore").write_text("data.py\n")
        assert not offered()
        Path(".gitignore").unlink()
        assert offered()
        Path("data.py").chmod(0o444)
        Path("train.py").write_text(TRAIN + "\n")
        assert not offered()
        Path("data.py").chmod(0o644)
        assert offered()
        settings = Path("seqlint.toml").read_text()
        Path("seqlint.toml").write_text(f'{settings}exclude = ["data.py"]\n')
        assert not offered()

    def test_the_diff_is_of_both_files_and_nothing_is_written(self, cli: Cli) -> None:
        result = cli("fix", "--diff")
        assert (result.code, texts()) == (1, (TRAIN, FEED))
        assert "--- a/data.py\n" in result.out
        assert "--- a/train.py\n" in result.out
        assert result.err.endswith("would apply 1 fix in 2 files\n")


class TestMade:
    @pytest.mark.parametrize("paths", [(), ("train.py",)])
    def test_both_files_change(self, cli: Cli, paths: tuple[str, ...]) -> None:
        result = cli("fix", *paths)
        assert (result.code, texts()) == (0, (FIXED_TRAIN, FIXED_FEED))
        assert "(safe); changes `data.py`, too\n" in result.out
        assert "applied 1 fix in 2 files; no findings left" in result.out
        assert cli("check", "--select", "SEQ7").code == 0

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_of_two_that_change_a_third_one_comes_after_the_other(self, cli: Cli, jobs: str) -> None:
        Path("score.py").write_text(SCORE)
        many = [f"copy{number}.py" for number in range(30)]
        for name in many:
            Path(name).write_text(TRAIN)
        result = cli("fix", "--jobs", jobs)
        assert (result.code, texts()) == (0, (FIXED_TRAIN, FIXED_FEED))
        assert Path("score.py").read_text() == FIXED_SCORE
        assert {Path(name).read_text() for name in many} == {FIXED_TRAIN}
        assert "applied 32 fixes in 33 files" in result.out

    def test_the_third_keeps_its_own_fixes(self, cli: Cli) -> None:
        own = "\n\nmodel = keras.Sequential([keras.layers.Dense(1)])\nmodel.compile()\nmodel.fit([1], [1], workers=1)\n"
        Path("data.py").write_text(FEED + own)
        result = cli("fix")
        assert (result.code, texts()) == (0, (FIXED_TRAIN, FIXED_FEED + own.replace(", workers=1", "")))
        assert "applied 2 fixes in 2 files" in result.out

    def test_a_notebook_may_change_a_module(self, cli: Cli) -> None:
        Path("train.py").unlink()
        Path("train.ipynb").write_bytes(written(HEAD, TRAIN.removeprefix(HEAD)))
        assert cli("fix").code == 0
        assert Path("data.py").read_text() == FIXED_FEED
        assert "3)), workers=4)" in Path("train.ipynb").read_text()

    @pytest.mark.parametrize(("answer", "after"), [("y\n", (FIXED_TRAIN, FIXED_FEED)), ("n\n", (TRAIN, FEED))])
    def test_who_is_asked_sees_both_files(self, cli: Cli, answer: str, after: tuple[str, str]) -> None:
        result = cli("fix", "--interactive", stdin=answer.encode())
        assert texts() == after
        assert "+    def __init__(self, rows, **kwargs):" in result.out
        assert "--- a/train.py" in result.out


class TestNotMade:
    @pytest.mark.parametrize(
        ("setting", "why"),
        [('exclude = ["data.py"]', "which is ignored or excluded"), ("", "which is ignored or excluded")],
        ids=["excluded", "ignored"],
    )
    def test_a_file_that_is_left_out_is_left_alone(self, cli: Cli, here: Path, setting: str, why: str) -> None:
        Path("seqlint.toml").write_text(f'keras = ">=3.10"\nselect = ["SEQ701"]\n{setting}\n')
        if not setting:
            (here / ".git").mkdir()
            Path(".gitignore").write_text("data.py\n")
        result = cli("fix")
        assert (result.code, texts()) == (1, (TRAIN, FEED))
        assert f"no fix: it would change `data.py`, too, {why}" in result.out

    def test_a_file_that_may_not_be_written_is_left_alone(self, cli: Cli) -> None:
        Path("data.py").chmod(0o444)
        result = cli("fix")
        assert texts() == (TRAIN, FEED)
        assert "no fix: it would change `data.py`, too, which can't be written" in result.out

    def test_a_file_out_of_the_project_is_left_alone(
        self, cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        inner = here / "inner"
        inner.mkdir()
        for name in ("seqlint.toml", "train.py"):
            shutil.move(name, inner / name)
        (here / "pyproject.toml").write_text("")
        (here / ".git").mkdir()
        (inner / "data.py").symlink_to(here / "data.py")
        monkeypatch.chdir(inner)
        result = cli("fix", "train.py")
        assert (inner / "train.py").read_text() == TRAIN
        assert (here / "data.py").read_text() == FEED
        assert "which lies outside of the project" in result.out

    def test_standard_input_is_all_that_is_at_hand(self, cli: Cli) -> None:
        result = cli("fix", "-", "--stdin-filename", "train.py", stdin=TRAIN.encode())
        assert (result.out, texts()) == (TRAIN, (TRAIN, FEED))
        assert "only this text is at hand" in result.err

    def test_what_fails_half_way_is_taken_back(self, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        replace = disk.Prepared.replace

        def fails(self: disk.Prepared) -> None:
            if self.target.endswith("data.py"):
                raise OSError(28, "No space left on device")
            replace(self)

        monkeypatch.setattr(disk.Prepared, "replace", fails)
        result = cli("fix")
        assert (result.code, texts()) == (2, (TRAIN, FEED))
        assert "no space left on device" in result.err
        assert [path.name for path in Path().glob(".*.seqlint")] == []

    def test_a_class_that_others_derive_from_keeps_its_constructor(self, cli: Cli) -> None:
        Path("more.py").write_text("from data import Feed\n\n\nclass More(Feed):\n    pass\n")
        cli("fix")
        assert Path("data.py").read_text() == FEED
        assert "batches.workers = 4\nmodel.fit(batches, verbose=0)\n" in Path("train.py").read_text()

    def test_a_fix_that_brings_something_new_to_the_other_file_is_refused(self, cli: Cli) -> None:
        Path("seqlint.toml").write_text('keras = ">=3.10"\nselect = ["SEQ701", "SEQ003"]\n')
        Path("data.py").write_text(FEED.replace("super().__init__()", "super().__init__()  # workers stay 1"))
        before = texts()
        cli("fix")
        assert texts() == before or Path("data.py").read_text().count("# workers stay 1") == 1


def test_a_run_that_is_killed_between_two_files_is_finished_by_the_next(cli: Cli, here: Path) -> None:
    import os

    child = os.fork()
    if child == 0:
        replace = disk.Prepared.replace

        def killed(self: disk.Prepared) -> None:
            replace(self)
            os.kill(os.getpid(), signal.SIGKILL)

        disk.Prepared.replace = killed  # type: ignore[method-assign]
        cli("fix", "--jobs", "1")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert texts() == (FIXED_TRAIN, FEED)  # torn
    assert cli("check").code == 0
    assert texts() == (FIXED_TRAIN, FIXED_FEED)
    assert [path.name for path in here.glob(".*.seqlint")] == []
