"""What a killed run has left goes with the next run, and nothing else does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from seqlint.sources import disk, drafts

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
FIXABLE = "import keras\n\nkeras.utils.set_random_seed(7)  # seqlint: ignore[SEQ102]\n"
WRITER = """
import os, sys
from seqlint.sources import drafts
with drafts.written(sys.argv[1], b"new") as path:
    print(path, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    path = tmp_path / "src/a.py"
    path.write_text(FIXABLE)
    return path


@pytest.fixture
def writer(file: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that is about to replace a file, and what it has written so far."""
    command = (sys.executable, "-c", WRITER, str(file))
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    "line", ["check .", "check src/a.py", "fix src", "fix --diff src", "fix src/a.py", "check link.py"]
)
def test_the_next_run_removes_what_a_killed_one_has_left(
    file: Path, writer: tuple[subprocess.Popen[str], Path], line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, left = writer
    process.kill()
    process.wait()
    assert left.exists()
    monkeypatch.chdir(file.parents[1])
    (file.parents[1] / "link.py").symlink_to("src/a.py")
    run(line.split())
    assert names(file.parent) == ["a.py"]


def test_what_a_living_process_is_writing_stays(file: Path, writer: tuple[subprocess.Popen[str], Path]) -> None:
    _, here = writer
    assert run(["check", str(file.parent)]) == 1
    assert here.read_bytes() == b"new"


@pytest.mark.parametrize(
    "name", [".a.py.x1b2c3d4.seqlint", "notes.seqlint", f".a.py.{'0' * 32}.seqlint", f".{'0' * 32}.seqlint", ".seqlint"]
)
def test_what_a_user_has_named_in_such_a_way_stays(file: Path, name: str) -> None:
    (file.parent / name).write_text("mine")
    run(["fix", str(file.parent)])
    assert (file.parent / name).read_text() == "mine"


def left_over(file: Path) -> Path:
    """The name of one that was written for a file."""
    with pytest.raises(KeyboardInterrupt), drafts.written(str(file), b"new") as path:
        raise KeyboardInterrupt
    assert not os.path.exists(path)
    return Path(path)


def test_a_folder_or_a_link_of_such_a_name_stays(file: Path) -> None:
    folder, link = left_over(file), left_over(file)
    folder.mkdir()
    link.symlink_to(file)
    drafts.sweep([str(folder), str(link)])
    assert folder.is_dir()
    assert link.is_symlink()
    assert file.read_text() == FIXABLE


def test_a_pipe_of_such_a_name_does_not_stop_a_run(file: Path) -> None:
    pipe = left_over(file)
    os.mkfifo(pipe)
    assert run(["check", str(file.parent)]) == 1


def test_one_whose_file_could_not_be_written_any_more_goes_too(file: Path) -> None:
    left = left_over(file)
    left.touch(mode=0o400)
    drafts.sweep([str(left)])
    assert names(file.parent) == ["a.py"]


def test_a_file_with_the_longest_name_can_be_fixed(tmp_path: Path) -> None:
    file = tmp_path / f"{'ü' * 126}.py"
    file.write_text(FIXABLE)
    disk.write(file, b"new", read=FIXABLE.encode())
    assert file.read_bytes() == b"new"
    assert len(names(tmp_path)) == 1


def test_one_that_is_swept_before_it_is_locked_is_made_anew(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run may look between the making of a file and its lock."""
    locked = drafts.lock
    swept: list[str] = []

    def lock(handle: int, *, wait: bool) -> bool:
        if wait and not swept:
            swept.extend(str(path) for path in file.parent.iterdir() if drafts.is_draft(path.name))
            os.unlink(swept[0])
        return locked(handle, wait=wait)

    monkeypatch.setattr(drafts, "lock", lock)
    disk.write(file, b"new", read=FIXABLE.encode())
    assert len(swept) == 1
    assert file.read_bytes() == b"new"
    assert names(file.parent) == ["a.py"]
