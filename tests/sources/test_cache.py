"""Texts kept between runs, and all that can be wrong with the folder that they are kept in."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from seqlint.sources.cache import Cache
from tests.unprivileged import plain_user

ROOT = Path(__file__).parents[2]
WRITER = """
import sys
from pathlib import Path
from seqlint.sources.cache import Cache
cache = Cache(Path(sys.argv[1]))
for number in range(40):
    cache.put(f"{sys.argv[2]} {number}".encode(), "text" * 500)
    cache.flush()
"""


def kept(folder: Path, key: bytes = b"key") -> str | None:
    """What a later run finds."""
    return Cache(folder).get(key)


def keep(folder: Path, key: bytes = b"key", text: str = "text") -> Cache:
    cache = Cache(folder)
    cache.put(key, text)
    cache.flush()
    return cache


def test_a_text_is_there_in_this_run_and_in_the_next(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put(b"key", "löss\n")
    assert (cache.get(b"key"), cache.get(b"other")) == ("löss\n", None)
    assert kept(tmp_path / "cache") is None
    cache.flush()
    assert (cache.get(b"key"), kept(tmp_path / "cache")) == ("löss\n", "löss\n")


def test_the_last_text_of_a_key_counts(tmp_path: Path) -> None:
    keep(tmp_path / "cache", text="old")
    keep(tmp_path / "cache", text="new")
    assert kept(tmp_path / "cache") == "new"


def test_nothing_is_made_for_nothing(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.get(b"key")
    cache.flush()
    assert not (tmp_path / "cache").exists()


def test_the_folder_hides_itself_from_git(tmp_path: Path) -> None:
    subprocess.run(("git", "init", "-q", str(tmp_path)), check=True)
    keep(tmp_path / "cache")
    status = subprocess.run(
        ("git", "-C", str(tmp_path), "status", "--short"), capture_output=True, text=True, check=True
    )
    assert status.stdout == ""


def test_a_gitignore_of_the_users_own_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache/.gitignore").write_text("!keep\n")
    keep(tmp_path / "cache")
    assert (tmp_path / "cache/.gitignore").read_text() == "!keep\n"


@pytest.mark.parametrize("content", [b"no database at all, but longer than its header" * 100, b"\0" * 5000])
def test_a_broken_database_is_done_without_and_made_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "texts.db").write_bytes(content)
    keep(tmp_path)
    assert kept(tmp_path) is None
    keep(tmp_path)
    assert kept(tmp_path) == "text"


def test_a_torn_database_never_gives_a_wrong_text(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for number in range(200):
        cache.put(str(number).encode(), f"text {number} " * 100)
    cache.flush()
    cache.close()
    file = tmp_path / "texts.db"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    later = Cache(tmp_path)
    found = {number: later.get(str(number).encode()) for number in range(200)}
    assert all(text in (None, f"text {number} " * 100) for number, text in found.items())
    assert None in found.values()


def test_a_table_of_another_shape_is_done_without(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "texts.db")
    other.execute("CREATE TABLE texts (key BLOB PRIMARY KEY)")
    other.close()
    keep(tmp_path)
    assert kept(tmp_path) is None


def test_a_locked_database_is_done_without(tmp_path: Path) -> None:
    keep(tmp_path, b"before", "there")
    holder = sqlite3.connect(tmp_path / "texts.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    keep(tmp_path)
    assert kept(tmp_path) is None
    assert kept(tmp_path, b"before") == "there"
    holder.execute("ROLLBACK")
    holder.close()
    keep(tmp_path)
    assert kept(tmp_path) == "text"


def test_a_folder_that_may_not_be_written_is_done_without() -> None:
    with plain_user() as folder:
        folder.chmod(0o500)
        keep(folder / "cache")
        assert kept(folder / "cache") is None
        assert list(folder.iterdir()) == []
        folder.chmod(0o700)


@pytest.mark.parametrize("place", ["file", "file/cache"])
def test_a_folder_that_can_not_be_is_done_without(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    keep(tmp_path / place)
    assert kept(tmp_path / place) is None


def test_the_folders_above_are_made(tmp_path: Path) -> None:
    keep(tmp_path / "missing/too/cache")
    assert kept(tmp_path / "missing/too/cache") == "text"


@pytest.mark.skipif(os.name == "nt", reason="folders have other rights there")
@pytest.mark.parametrize("mode", [0o777, 0o720, 0o702])
def test_a_folder_that_others_may_write_is_not_believed(tmp_path: Path, mode: int) -> None:
    keep(tmp_path / "cache")
    (tmp_path / "cache").chmod(mode)
    assert kept(tmp_path / "cache") is None
    (tmp_path / "cache").chmod(0o700)
    assert kept(tmp_path / "cache") == "text"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make files of others")
def test_a_folder_of_another_user_is_not_believed(tmp_path: Path) -> None:
    keep(tmp_path / "cache")
    os.chown(tmp_path / "cache", 65534, -1)
    assert kept(tmp_path / "cache") is None


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "cache").symlink_to("elsewhere")
    keep(tmp_path / "cache")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_full_disk_is_done_without(tmp_path: Path) -> None:
    cache = keep(tmp_path, b"before", "there")
    connection = cache._database._connection
    assert connection is not None
    connection.execute("PRAGMA max_page_count = 4")
    cache.put(b"key", "x" * 100_000)
    cache.flush()
    assert (cache.get(b"key"), kept(tmp_path), kept(tmp_path, b"before")) == (None, None, "there")


def test_a_python_without_sqlite_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path)
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    keep(tmp_path, text="new")
    assert kept(tmp_path) is None


def test_what_grew_too_big_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqlint.sources.cache._MOST", 50_000)
    keep(tmp_path, b"old", "x" * 60_000)
    keep(tmp_path, b"new")
    keep(tmp_path, b"newer")
    assert [kept(tmp_path, key) for key in (b"old", b"new", b"newer")] == [None, "text", "text"]


def test_processes_share_a_folder(tmp_path: Path) -> None:
    command = (sys.executable, "-c", WRITER, str(tmp_path / "cache"))
    running = [subprocess.Popen((*command, name), cwd=ROOT, stderr=subprocess.PIPE) for name in "abc"]
    assert [process.communicate(timeout=60)[1] for process in running] == [b""] * 3
    later = Cache(tmp_path / "cache")
    assert sum(later.get(f"{name} {number}".encode()) is not None for name in "abc" for number in range(40)) == 120
