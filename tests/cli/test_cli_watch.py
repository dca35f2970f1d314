"""`check --watch` checks again when a file changes on which a finding depends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from queue import Queue
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tests.cli.conftest import Result

BASE = "import keras\n\n\nclass Base(keras.utils.PyDataset):\n    def __len__(self):\n        return 3\n"
CHILD = (
    "from base import Base\n\n\nclass Child(Base):\n    def __init__(self, x):\n        self.x = x\n\n"
    "    def __getitem__(self, index):\n        return self.x[index], self.x[index]\n"
)


def _read(stream: Iterable[str], lines: Queue[str]) -> None:
    for line in stream:
        lines.put(line)


@contextmanager
def _watching(folder: Path, *options: str) -> Iterator[Queue[str]]:
    """The lines that `check --watch child.py` prints in a folder; Ctrl-C ends it."""
    (folder / "base.py").write_text(BASE)
    (folder / "child.py").write_text(CHILD)
    command = [sys.executable, "-m", "seqlint", "check", "--watch", "--select", "SEQ221", *options, "child.py"]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        env={**os.environ, "SEQLINT_CACHE_DIR": str(folder / "cache")},
    )  # fmt: skip
    lines: Queue[str] = Queue()
    assert process.stdout is not None
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    try:
        yield lines
    finally:
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=60) == 130


def _until(text: str, lines: Queue[str]) -> list[str]:
    seen = [lines.get(timeout=120)]
    while text not in seen[-1]:
        assert "Traceback" not in seen[-1]
        seen.append(lines.get(timeout=120))
    return seen


def test_a_change_of_a_module_that_is_imported_is_seen(tmp_path: Path) -> None:
    with _watching(tmp_path, "--output-format", "concise") as lines:
        _until("SEQ221", lines)
        # Before it says that it watches: what changes while a check runs is not lost.
        (tmp_path / "base.py").write_text(BASE.replace("keras.utils.PyDataset", "object"))
        _until("base.py has changed", lines)
        (tmp_path / "base.py").write_text(BASE)
        _until("SEQ221", lines)


def test_its_own_report_is_no_change(tmp_path: Path) -> None:
    with _watching(tmp_path, "--output-format", "json:report.json", "--output-format", "concise") as lines:
        _until("watching", lines)
        (tmp_path / "base.py").write_text(BASE + "\n")
        _until("base.py has changed", lines)
        _until("SEQ221", lines)
        (tmp_path / "child.py").write_text(CHILD + "\n")
        between = _until("child.py has changed", lines)
        assert not any("report.json" in line for line in between)


@pytest.mark.parametrize(
    "given", [("-",), ("nowhere.py",), ("--fix",), ("--add-ignore",), ("--show-files",), ("--show-settings",)]
)
def test_what_can_not_be_watched_ends_at_once(
    project: Path, cli: Callable[..., Result], given: tuple[str, ...]
) -> None:
    result = cli("check", "--watch", *given)
    assert (result.code, result.out) == (2, "")
    assert "--watch" in result.err
