"""What `check` and `fix` keep between runs: each run is a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import seqlint
from seqlint.config import load_config
from seqlint.runner import plan
from seqlint.sources import user
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


def cache_of(folder: Path) -> Path:
    """Where the results of a project are kept."""
    found = plan.kept_at(load_config(folder))
    assert found is not None
    return found


def cached(folder: Path) -> bool:
    return cache_of(folder).exists()


def clean(database: Path) -> None:
    """Make a cache say that nothing was found in any file."""
    with closing(sqlite3.connect(database)) as connection, connection:
        rows = connection.execute("SELECT scope, path, found FROM results WHERE found != ''").fetchall()
        emptied = [
            (json.dumps([json.loads(found)[0], []], separators=(",", ":")), scope, path) for scope, path, found in rows
        ]
        assert connection.executemany("UPDATE results SET found = ? WHERE scope = ? AND path = ?", emptied).rowcount


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
def test_a_project_has_one_cache_wherever_it_is_asked_from(tmp_path: Path, mark: str) -> None:
    write(tmp_path, {"in/base.py": BASE, "in/feed.py": FEED})
    (tmp_path / mark).mkdir() if mark == ".git" else (tmp_path / mark).touch()
    os.symlink(tmp_path / "in", tmp_path / "link")
    before = sorted(tmp_path.rglob("*"))
    run(tmp_path / "in", "check", "feed.py")
    # The names say what is kept where: `in` is no project of its own.
    assert [place.name.rpartition("-")[0] for place in caches_of(tmp_path)] == [tmp_path.name]
    assert sorted(tmp_path.rglob("*")) == before


def caches_of(folder: Path) -> list[Path]:
    """All caches of a project and of what lies in it."""
    names = {user.name_of(place) for place in (folder, *folder.rglob("*"))}
    home = user.cache_folder()
    assert home is not None
    return [place for place in home.iterdir() if place.name in names]


def test_a_plain_folder_has_a_cache_too(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "lone.py": FEED.replace("Base", "keras.utils.PyDataset").replace(
                "from base import keras.utils.PyDataset", ""
            )
        },
    )
    first = run(tmp_path, "check")
    assert first[0] == 1
    (place,) = caches_of(tmp_path)
    # The second run says what is kept, and so does not look at the file again.
    clean(place / "results.db")
    assert run(tmp_path, "check")[0] == 0
    assert run(tmp_path, "check", "--no-cache") == first


@pytest.mark.parametrize("folder", [".seqlint_cache", "seqlint", ".cache/seqlint", "~/.cache/seqlint"])
def test_a_cache_that_lies_in_the_repository_is_not_believed(project: Path, tmp_path: Path, folder: str) -> None:
    found = run(project, "check")
    planted = project / folder / cache_of(project).name
    cache_of(project).rename(tmp_path / "own")
    clean(tmp_path / "own/results.db")
    shutil.copytree(tmp_path / "own", planted)
    shutil.copytree(tmp_path / "own", project / folder, dirs_exist_ok=True)
    again = run(project, "check")
    # The last line counts what was skipped, and so the folder that was planted.
    assert (again[0], again[1].splitlines()[:-1]) == (found[0], found[1].splitlines()[:-1])


def test_a_user_without_a_home_keeps_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a folder of the working directory taken for the home."""
    for name in ("SEQLINT_CACHE_DIR", "SEQLINT_CONFIG_DIR", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    for given in ("", "relative", "../up"):
        monkeypatch.setenv("XDG_CACHE_HOME", given)
        monkeypatch.setenv("XDG_CONFIG_HOME", given)
        assert (user.cache_folder(), user.settings_folder()) == (None, None)


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
    folder = cache_of(project)
    if broken == "file":
        folder.touch()
    elif broken == "link":
        folder.symlink_to("nowhere")
    else:
        write(folder, {"texts.db": "no database " * 1000})
    assert run(project, "check") == without
    assert run(project, "check") == without


def test_a_folder_that_may_not_be_written_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    with plain_user() as folder:
        write(folder, {"base.py": BASE, "feed.py": FEED, "seqlint.toml": ""})
        monkeypatch.setenv("SEQLINT_CACHE_DIR", str(folder / "cache"))
        folder.chmod(0o500)
        here = seqlint_in(folder)
        folder.chmod(0o700)
        assert (here, (folder / "cache").exists()) == (["SEQ221"], False)


def seqlint_in(folder: Path) -> list[str]:
    """The codes that the command line's own work finds in the feed, in this process."""
    from seqlint.config import Overrides
    from seqlint.runner import work

    planned = plan.plan([str(folder / "feed.py")], plan.Request(Overrides(), cache=True))
    assert planned.jobs[0].config.cache == cache_of(folder)
    return [found.code for found in work.check(planned.jobs[0]).diagnostics]


def test_caches_that_nobody_has_used_for_long_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEQLINT_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("old", "new", "next"):
        write(tmp_path, {f"{name}/feed.py": FEED, f"{name}/base.py": BASE})
    for name in ("old", "new"):
        run(tmp_path / name, "check")
    write(tmp_path, {"cache/notes-of-mine/results.db": "", "cache/other-0123456789abcdef0123/letter.txt": ""})
    month = time.time() - 40 * 86_400
    for file in (tmp_path / "cache").rglob("*"):
        if not file.parent.name.startswith("new-"):
            os.utime(file, (month, month))
    run(tmp_path / "next", "check")
    left = sorted(place.name.partition("-")[0] for place in (tmp_path / "cache").iterdir())
    assert left == ["new", "next", "notes", "other"]
