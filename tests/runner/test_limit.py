"""A file that takes too long is said to, and holds up no other."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from seqlint.config import Config, load_config
from seqlint.engine import within
from seqlint.engine.parse import with_tree
from seqlint.model import ConfigError
from seqlint.runner import plan, pool, text, work
from seqlint.runner.plan import Job
from seqlint.sources import Source

if TYPE_CHECKING:
    from seqlint.engine import Checked, Fixed

FEED = """\
import keras


class Feed(keras.utils.PyDataset):
    def __init__(self, data):
        self.data = data

    def __getitem__(self, index):
        return self.data[index]
"""
SLOW = "slow.py"


def spin() -> str:
    """What never ends, and keeps at it where it is told to stop in the way that ends other code."""
    while True:
        try:
            sum(range(100))
        except Exception:  # as a rule may write it
            continue


def sleep() -> str:
    threading.Event().wait()
    return "awake"


def endless(job: Job) -> str | None:
    """What a pool does; its processes find it by its name."""
    return within(job.config.time_limit, spin) if job.path == SLOW else job.path


def stuck(job: Job) -> str | None:
    return within(job.config.time_limit, sleep) if job.path == SLOW else job.path


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """One file for which the rules need for ever."""
    check, fix = text.check, text.fix

    def slow_check(source: Source, config: Config) -> Checked:
        if source.path.endswith(SLOW):
            spin()
        return check(source, config)

    def slow_fix(source: Source, config: Config) -> Fixed:
        if source.path.endswith(SLOW):
            spin()
        return fix(source, config)

    check(Source.from_text(FEED, "warm.py"), Config(Path("/")))  # which loads the rules, and takes its time
    monkeypatch.setattr(text, "check", slow_check)
    monkeypatch.setattr(text, "fix", slow_fix)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("a.py", SLOW, "z.py"):
        (tmp_path / name).write_text(FEED)
    (tmp_path / "seqlint.toml").write_text("file-time-limit = 2\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> dict[str, set[str]]:
    """The codes that are reported of each file."""
    found: dict[str, set[str]] = {}
    for finding in json.loads(capsys.readouterr().out)["findings"]:
        found.setdefault(Path(finding["path"]).name, set()).add(finding["code"])
    return found


class TestWithin:
    def test_what_is_done_in_time_is_given(self) -> None:
        assert within(60, lambda: "done") == "done"
        assert within(0, lambda: "done") == "done"

    def test_what_never_ends_is_ended(self) -> None:
        assert within(0.05, spin) is None

    def test_on_another_thread(self) -> None:
        found: list[str | None] = ["nothing"]
        thread = threading.Thread(target=lambda: found.__setitem__(0, within(0.05, spin)))
        thread.start()
        thread.join()
        assert found == [None]

    def test_code_that_is_nested_so_deep_that_it_has_a_thread_of_its_own(self) -> None:
        source = Source.from_text(f"x = {'-' * 500}1\n", "deep.py")
        assert within(0.5, lambda: with_tree(source, lambda grown: spin())) is None
        assert within(60, lambda: with_tree(source, lambda grown: "done")) == "done"

    def test_what_goes_wrong_in_time_is_raised(self) -> None:
        with pytest.raises(ZeroDivisionError):
            within(60, lambda: 1 / 0)

    def test_the_next_work_is_not_ended_for_the_last(self) -> None:
        for _ in range(50):
            within(0.001, lambda: sum(range(20_000)))
            assert sum(range(20_000)) == 199_990_000


@pytest.mark.usefixtures("slow", "folder")
class TestCommands:
    def test_check_reports_it_and_goes_on(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["check", "--jobs", "1", "--output-format", "json", "."]) == 2
        assert said(capsys) == {"a.py": {"SEQ221"}, SLOW: {"SEQ006"}, "z.py": {"SEQ221"}}

    def test_fix_leaves_it_as_it_is_and_goes_on(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["fix", "--jobs", "1", "--output-format", "json", "."]) == 2
        assert said(capsys) == {SLOW: {"SEQ006"}}
        assert (folder / SLOW).read_text() == FEED
        assert all("super().__init__" in (folder / name).read_text() for name in ("a.py", "z.py"))

    def test_the_command_line_says_how_long(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["check", "--jobs", "1", "--file-time-limit", "0.5", "slow.py"]) == 2
        assert "more than 0.5 s" in capsys.readouterr().out

    def test_it_is_looked_at_again(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / ".git").mkdir()
        assert run(["check", "--jobs", "1", "."]) == 2
        monkeypatch.undo()
        monkeypatch.chdir(folder)
        capsys.readouterr()
        assert run(["check", "--jobs", "1", "--output-format", "json", "."]) == 1
        assert said(capsys)[SLOW] == {"SEQ221"}


class TestPool:
    def jobs(self, seconds: float) -> tuple[Job, ...]:
        return tuple(Job(name, b"", Config(Path("/"), time_limit=seconds)) for name in ("a.py", SLOW, "z.py"))

    def test_what_never_ends_is_ended(self) -> None:
        assert pool.run(endless, self.jobs(0.5), 2) == ["a.py", None, "z.py"]

    def test_a_process_that_never_answers_is_ended(self) -> None:
        first, problem, last = pool.run(stuck, self.jobs(0.1), 2)
        assert (first, last) == ("a.py", "z.py")
        assert "died" in str(problem)


class TestConfiguration:
    def test_a_number_of_seconds(self, folder: Path) -> None:
        assert load_config(folder).time_limit == 2
        assert Config.default().time_limit > 1

    @pytest.mark.parametrize("value", ["-1", "true", "'1'", "[1]", "inf", "nan"])
    def test_anything_else_is_an_error(self, value: str, folder: Path) -> None:
        (folder / "seqlint.toml").write_text(f"\nfile-time-limit = {value}\n")
        with pytest.raises(ConfigError, match=r"seqlint.toml:2: 'file-time-limit' must be a number"):
            load_config(folder)

    def test_0_is_no_limit(self, folder: Path) -> None:
        (folder / "seqlint.toml").write_text("file-time-limit = 0\n")
        assert work.find(Job("a.py", FEED.encode(), load_config(folder))).diagnostics

    def test_results_do_not_hang_on_it(self, folder: Path) -> None:
        (job, *_) = plan.plan([str(folder / "a.py")], plan.Request()).jobs
        slower = replace(job, config=replace(job.config, time_limit=99.0))
        assert work.find(job).diagnostics == work.find(slower).diagnostics


AFTER_LATE = """\
import sys
import time

from seqlint.engine import within


def spin():
    while True:
        pass


assert within(0.05, spin) is None
called = []
sys.setprofile(lambda frame, event, given: called.append(event))
len(str(time.time()))
(lambda: [number for number in range(10)])()
sys.setprofile(None)
print("call" in called)
"""


def test_a_process_is_as_it_was_once_a_file_was_late(tmp_path: Path) -> None:
    """Python 3.11 would go round and round in the profiled code if an exception were still looked for."""
    program = tmp_path / "late.py"
    program.write_text(AFTER_LATE, encoding="utf-8")
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")
