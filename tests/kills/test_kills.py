"""However a run of `fix` ends, each file is the old or the new one, and the next run leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from seqlint.cli import run
from tests.kills.run import HOWS, KILLED, How, at_once, ended, steps
from tests.kills.tree import Tree, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes and disks are other there")
POINTS = 4


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return tree(tmp_path_factory.mktemp("few") / "tree", files=3)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """Enough for several processes."""
    return tree(tmp_path_factory.mktemp("many") / "tree", files=30)


@pytest.mark.parametrize("how", HOWS)
def test_a_run_that_ends_at_any_step_leaves_whole_files(few: Tree, how: How) -> None:
    number = steps(few, 1, how)
    assert number >= 3 * len(few.old) - 3  # three steps at least for each file that is fixed
    codes = []
    for point in range(POINTS):
        result = ended(few, 1, 1 + point * number // POINTS, how)
        assert not result.faults
        codes.append(result.code)
    assert set(codes) == {2 if how == "full" else KILLED}


@pytest.mark.parametrize("how", ["group", "one"])
def test_one_with_several_processes_does_too(many: Tree, how: How) -> None:
    result = ended(many, 2, 40, how)
    assert not result.faults
    assert result.code == (KILLED if how == "group" else 2)


def test_two_runs_at_once_fix_every_file_once(few: Tree) -> None:
    assert not at_once(few, 1).faults


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 kilobytes."""
    command = ("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path))
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no disk can be made here")
    yield tmp_path
    subprocess.run(("umount", "-l", str(tmp_path)), check=True)


def test_a_disk_without_room_leaves_the_old_files(small_disk: Path) -> None:
    subject = tree(small_disk / "tree", files=2)
    filler = small_disk / "filler"
    with pytest.raises(OSError, match="No space left"):
        filler.write_bytes(bytes(100_000))
    assert run(["fix", "--no-cache", str(subject.root)]) == 2
    assert subject.unfixed() == [name for name in subject.old if subject.old[name] != subject.new[name]]
    assert not subject.torn()
    assert not subject.left()
    filler.unlink()
    assert run(["fix", "--no-cache", str(subject.root)]) != 2
    assert not subject.unfixed()


def test_a_torn_file_and_a_file_that_is_left_are_noticed(few: Tree) -> None:
    few.reset()
    name = next(iter(few.old))
    (few.root / name).write_bytes(few.new[name][:-5])
    (few.root / ".a.py.seqlint").touch()
    assert few.torn() == [name]
    assert name in few.unfixed()
    assert few.left() == [".a.py.seqlint"]
