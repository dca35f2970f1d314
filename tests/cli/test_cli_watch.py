"""`check --watch` checks again when a file changes on which a finding depends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from queue import Queue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tests.cli.conftest import Result

BASE = "import keras\n\n\nclass Base(keras.utils.PyDataset):\n{init}    def __len__(self):\n        return 3\n"
CHILD = (
    "from base import Base\n\n\nclass Child(Base):\n    def __init__(self, x):\n        self.x = x\n\n"
    "    def __getitem__(self, index):\n        return self.x[index], self.x[index]\n"
)


def _read(stream: Iterable[str], lines: Queue[str]) -> None:
    for line in stream:
        lines.put(line)


def test_a_change_of_a_module_that_is_imported_is_seen(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(BASE.format(init=""))
    (tmp_path / "child.py").write_text(CHILD)
    command = [
        sys.executable,
        "-m",
        "seqlint",
        "check",
        "--watch",
        "--select",
        "SEQ221",
        "--output-format",
        "concise",
        "child.py",
    ]
    watching = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        env={**os.environ, "SEQLINT_CACHE_DIR": str(tmp_path / "cache")},
    )  # fmt: skip
    lines: Queue[str] = Queue()
    assert watching.stdout is not None
    threading.Thread(target=_read, args=(watching.stdout, lines), daemon=True).start()
    try:
        assert "SEQ221" in lines.get(timeout=120)
        assert "watching" in lines.get(timeout=120)
        (tmp_path / "base.py").write_text(BASE.format(init="").replace("keras.utils.PyDataset", "object"))
        seen = [lines.get(timeout=120), lines.get(timeout=120)]
        assert any("base.py has changed" in line for line in seen)
        (tmp_path / "base.py").write_text(BASE.format(init=""))
        while "SEQ221" not in (line := lines.get(timeout=120)):
            assert "Traceback" not in line
    finally:
        os.killpg(watching.pid, signal.SIGINT)
        assert watching.wait(timeout=60) == 130


def test_standard_input_can_not_be_watched(project: Path, cli: Callable[..., Result]) -> None:
    assert cli("check", "--watch", "-").code == 2
