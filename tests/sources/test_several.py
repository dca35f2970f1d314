"""Several files are written together, or none is: whatever fails, and whenever a run is killed."""

from __future__ import annotations

import os
import signal
import sys
from itertools import count
from typing import TYPE_CHECKING

import pytest

from seqlint.model import UnreadableSource
from seqlint.sources import disk, user
from seqlint.sources.several import Change, recover, write
from tests.unprivileged import plain_user

if TYPE_CHECKING:
    from pathlib import Path

OLD, NEW = (
    {"a.py": b"a = 1\n", "b.py": b"b = 1\n", "c.py": b"c = 1\n"},
    {"a.py": b"a = 2\n", "b.py": b"b = 2\n", "c.py": b"c = 2\n"},
)
STEPS = ("open", "os.rename", "os.remove", "os.chmod", "os.chown")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEQLINT_CACHE_DIR", str(tmp_path / "cache"))
    made = tmp_path / "project"
    made.mkdir()
    reset(made)
    return made


def reset(folder: Path) -> None:
    for name, data in OLD.items():
        (folder / name).write_bytes(data)


def held(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in OLD}


def changes(folder: Path) -> list[Change]:
    return [Change(str(folder / name), NEW[name], OLD[name]) for name in OLD]


def journals(folder: Path) -> list[str]:
    return [path.name for path in (folder.parent / "cache/journals").glob("*")]


def test_all_are_written(folder: Path) -> None:
    (folder / "b.py").chmod(0o640)
    write(changes(folder))
    assert held(folder) == NEW
    assert (folder / "b.py").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in folder.iterdir()) == sorted(OLD)
    assert journals(folder) == []


@pytest.mark.parametrize("name", OLD)
def test_one_that_has_changed_keeps_all_as_they_are(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"mine\n")
    told = "this file" if name == "a.py" else f"{name}: this file"
    with pytest.raises(UnreadableSource, match=f"^{told} has changed since it was read"):
        write(changes(folder))
    assert held(folder) == {**OLD, name: b"mine\n"}
    assert sorted(path.name for path in folder.iterdir()) == sorted(OLD)
    assert journals(folder) == []


def test_what_fails_half_way_is_taken_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = disk.Prepared.replace

    def fails(self: disk.Prepared) -> None:
        if self.target.endswith("c.py") and self.read == OLD["c.py"]:
            raise OSError(28, "No space left on device")
        replace(self)

    monkeypatch.setattr(disk.Prepared, "replace", fails)
    with pytest.raises(UnreadableSource, match="no space left on device"):
        write(changes(folder))
    assert held(folder) == OLD
    assert sorted(path.name for path in folder.iterdir()) == sorted(OLD)
    assert journals(folder) == []


def test_one_that_may_not_be_written_keeps_all_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    with plain_user() as home:
        monkeypatch.setenv("SEQLINT_CACHE_DIR", str(home / "cache"))
        reset(home)
        (home / "b.py").chmod(0o444)
        with pytest.raises(UnreadableSource, match="permission denied"):
            write(changes(home))
        assert held(home) == OLD


def killed(folder: Path, at: int) -> int:
    """Write the files in a process that is killed at a step of its work; the signal that has ended it, 0 if it came to its end."""
    child = os.fork()
    if child == 0:
        steps = count(1)

        def watch(event: str, arguments: tuple[object, ...]) -> None:
            if event in STEPS and str(arguments[0]).startswith(str(folder.parent)) and next(steps) == at:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        write(changes(folder))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_run_that_is_killed_at_any_step_leaves_all_old_or_all_new_to_the_next(folder: Path) -> None:
    ends, torn = [], 0
    for at in range(1, 200):
        reset(folder)
        ends.append(killed(folder, at))
        torn += len({held(folder)[name] == NEW[name] for name in OLD}) == 2
        assert list(recover()) == []
        assert held(folder) in (OLD, NEW), at
        assert journals(folder) == []
        if ends[-1] == 0:
            break
    assert set(ends) == {-signal.SIGKILL, 0}
    assert torn >= 2  # the kill came between two files, and that was mended


def begun(folder: Path) -> None:
    """What a run leaves that is killed after its first file."""
    for at in range(1, 200):
        reset(folder)
        for path in (folder.parent / "cache/journals").glob("*"):
            path.unlink()
        assert killed(folder, at) == -signal.SIGKILL
        if held(folder) == {**OLD, "a.py": NEW["a.py"]}:
            return


def test_where_somebody_has_changed_a_file_since_all_stay_as_they_are(folder: Path) -> None:
    begun(folder)
    (folder / "b.py").write_bytes(b"mine\n")
    ((path, why),) = recover()
    assert path == str(folder / "b.py")
    assert "interrupted" in why
    assert "a.py" in why
    assert held(folder) == {**OLD, "a.py": NEW["a.py"], "b.py": b"mine\n"}
    assert list(recover()) == []  # it is said once


def test_what_a_living_process_writes_is_left_to_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    replace = disk.Prepared.replace

    def watched(self: disk.Prepared) -> None:
        asked.append(list(recover()))
        assert len(journals(folder)) == 1
        replace(self)

    monkeypatch.setattr(disk.Prepared, "replace", watched)
    write(changes(folder))
    assert asked == [[], [], []]
    assert held(folder) == NEW


def test_a_text_that_is_no_journal_does_nothing(folder: Path) -> None:
    home = folder.parent / "cache/journals"
    home.mkdir(parents=True, mode=0o700)
    (home / "0.json").write_text("[1]")
    (home / "1.json").write_text('{"files": [{"path": 3}]}')
    assert list(recover()) == []
    assert held(folder) == OLD
    assert journals(folder) == []


def test_what_somebody_else_may_write_is_not_believed(folder: Path) -> None:
    begun(folder)
    home = folder.parent / "cache/journals"
    home.chmod(0o777)
    assert list(recover()) == []
    assert held(folder) == {**OLD, "a.py": NEW["a.py"]}


def test_without_a_home_all_are_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user, "cache_folder", lambda: None)
    write(changes(folder))
    assert held(folder) == NEW
