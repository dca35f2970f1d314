from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from seqlint.model import UnreadableSource
from seqlint.sources import disk
from tests.unprivileged import plain_user

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    return path


def listing(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class TestRead:
    def test_gives_the_bytes_as_they_are(self, file: Path) -> None:
        file.write_bytes(b"\xef\xbb\xbfa\r\n\x00")
        assert disk.read(file) == b"\xef\xbb\xbfa\r\n\x00"

    def test_says_why_a_file_can_not_be_read(self, tmp_path: Path) -> None:
        with pytest.raises(UnreadableSource, match="no such file or directory"):
            disk.read(tmp_path / "b.py")

    def test_does_not_wait_for_a_pipe(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.py")
        with pytest.raises(UnreadableSource, match="not a regular file"):
            disk.read(tmp_path / "pipe.py")

    def test_says_that_it_may_not(self) -> None:
        with plain_user() as folder:
            file = folder / "a.py"
            file.touch(mode=0)
            with pytest.raises(UnreadableSource, match="permission denied"):
                disk.read(file)


class TestWrite:
    def test_replaces_the_file_and_leaves_nothing_beside_it(self, file: Path) -> None:
        disk.write(file, b"new", read=b"old")
        assert file.read_bytes() == b"new"
        assert listing(file.parent) == ["a.py"]

    @pytest.mark.parametrize("mode", [0o644, 0o755, 0o600])
    def test_keeps_the_mode(self, file: Path, mode: int) -> None:
        file.chmod(mode)
        disk.write(file, b"new", read=b"old")
        assert stat.S_IMODE(file.stat().st_mode) == mode

    def test_follows_a_link_and_leaves_it_a_link(self, file: Path, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        link = tmp_path / "elsewhere/link.py"
        link.symlink_to("../a.py")
        disk.write(link, b"new", read=b"old")
        assert os.readlink(link) == "../a.py"
        assert file.read_bytes() == b"new"
        assert listing(tmp_path / "elsewhere") == ["link.py"]

    def test_leaves_a_file_alone_that_has_changed(self, file: Path) -> None:
        file.write_bytes(b"edited in the meantime")
        with pytest.raises(UnreadableSource, match="changed since it was read"):
            disk.write(file, b"new", read=b"old")
        assert file.read_bytes() == b"edited in the meantime"
        assert listing(file.parent) == ["a.py"]

    def test_leaves_a_file_alone_that_is_gone(self, file: Path) -> None:
        file.unlink()
        with pytest.raises(UnreadableSource):
            disk.write(file, b"new", read=b"old")
        assert listing(file.parent) == []

    def test_a_crash_before_the_rename_leaves_the_old_file(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(number: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(UnreadableSource, match="no space left on device"):
            disk.write(file, b"new", read=b"old")
        assert file.read_bytes() == b"old"
        assert listing(file.parent) == ["a.py"]

    def test_leaves_a_read_only_file_alone(self) -> None:
        with plain_user() as folder:
            file = folder / "a.py"
            file.write_bytes(b"old")
            file.chmod(0o444)
            with pytest.raises(UnreadableSource, match="can't be written: permission denied"):
                disk.write(file, b"new", read=b"old")
            assert file.read_bytes() == b"old"

    def test_leaves_a_file_alone_in_a_read_only_folder(self) -> None:
        with plain_user() as folder:
            file = folder / "a.py"
            file.write_bytes(b"old")
            folder.chmod(0o555)
            with pytest.raises(UnreadableSource, match="can't be written: permission denied"):
                disk.write(file, b"new", read=b"old")
            assert file.read_bytes() == b"old"
            folder.chmod(0o777)
