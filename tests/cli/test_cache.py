"""What `check` and `fix` keep between runs: each run is a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import seqlint
from seqlint.config import load_config
from tests.facts.projects import write
from tests.unprivileged import plain_user

ROOT = Path(__file__).parents[2]
BASE = "import keras\n\n\nclass Base(keras.utils.PyDataset):\n    pass\n"
FEED = "import keras\nfrom base import Base\n\n\nclass Feed(Base):\n    def __init__(self, x):\n        self.x = x\n"


def run(folder: Path, *arguments: str, data: bytes = b"") -> tuple[int, str]:
    """The exit code and what is said of the files, with nothing said of faults."""
    command = (sys.executable, "-m", "seqlint", *arguments)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=env, input=data, capture_output=True, check=False)
    assert done.stderr == b""
    return done.returncode, done.stdout.decode()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path, {"base.py": BASE, "feed.py": FEED, "seqlint.toml": ""})
    return tmp_path


def cached(folder: Path) -> bool:
    return (folder / ".seqlint_cache").exists()


def test_a_later_run_says_the_same(project: Path) -> None:
    without = run(project, "check", "--no-cache")
    assert "SEQ221" in without[1]
    assert not cached(project)
    assert run(project, "check") == without
    assert cached(project)
    assert run(project, "check") == without


def test_a_base_that_changes_is_seen(project: Path) -> None:
    run(project, "check", "feed.py")
    (project / "base.py").write_text("class Base:\n    pass\n")
    assert run(project, "check", "feed.py")[0] == 0


@pytest.mark.parametrize("mark", [".git", "seqlint.toml"])
def test_the_cache_is_at_the_root_of_the_project(tmp_path: Path, mark: str) -> None:
    write(tmp_path, {"in/base.py": BASE, "in/feed.py": FEED})
    (tmp_path / mark).mkdir() if mark == ".git" else (tmp_path / mark).touch()
    run(tmp_path / "in", "fix", "feed.py")
    assert (cached(tmp_path), cached(tmp_path / "in")) == (True, False)


def test_outside_any_project_nothing_is_kept(tmp_path: Path) -> None:
    write(tmp_path, {"base.py": BASE, "feed.py": FEED})
    assert run(tmp_path, "check")[0] == 1
    assert not cached(tmp_path)


def test_standard_input_and_the_python_api_keep_nothing(project: Path) -> None:
    assert run(project, "check", "-", "--stdin-filename", "feed.py", data=FEED.encode())[0] == 1
    path = str(project / "feed.py")
    assert seqlint.check_source(FEED, path=path, config=load_config(path)).diagnostics
    assert not cached(project)


def test_many_processes_share_the_cache(project: Path) -> None:
    write(project, {f"feed{number}.py": FEED for number in range(35)})
    without = run(project, "check", "--no-cache", "-j", "2", "--output-format", "concise")
    assert run(project, "check", "-j", "2", "--output-format", "concise") == without
    assert run(project, "check", "-j", "2", "--output-format", "concise") == without
    assert without[1].count("SEQ221") == 36


@pytest.mark.parametrize("broken", ["file", "database", "link"])
def test_a_broken_cache_is_no_fault(project: Path, broken: str) -> None:
    without = run(project, "check", "--no-cache")
    folder = project / ".seqlint_cache"
    if broken == "file":
        folder.touch()
    elif broken == "link":
        folder.symlink_to("nowhere")
    else:
        write(project, {".seqlint_cache/texts.db": "no database " * 1000})
    assert run(project, "check") == without
    assert run(project, "check") == without


def test_a_project_that_may_not_be_written_is_no_fault() -> None:
    with plain_user() as folder:
        write(folder, {"base.py": BASE, "feed.py": FEED, "seqlint.toml": ""})
        folder.chmod(0o500)
        here = seqlint_in(folder)
        folder.chmod(0o700)
        assert (here, cached(folder)) == (["SEQ221"], False)


def seqlint_in(folder: Path) -> list[str]:
    """The codes that the command line's own work finds in the feed, in this process."""
    from seqlint.config import Overrides
    from seqlint.runner import plan, work

    planned = plan.plan([str(folder / "feed.py")], plan.Request(Overrides(), cache=True))
    assert planned.jobs[0].config.cache == folder / ".seqlint_cache"
    return [found.code for found in work.check(planned.jobs[0]).diagnostics]
