"""The command line as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def seqlint(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = (sys.executable, "-m", "seqlint", *arguments)
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)


def test_runs_as_a_module(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import keras\n")
    done = seqlint(tmp_path, "check")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"no findings in 1 file\n", b"")


def test_a_closed_pipe_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1  # seqlint: ignore[SEQ987]\n" * 500)
    assert len(seqlint(tmp_path, "check", "--output-format", "json").stdout) > 2**17  # more than a pipe holds
    command = f"{sys.executable} -m seqlint check --output-format json | head -c 1"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, shell=True, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"{", b"")


def test_a_terminal_that_only_knows_ascii_gets_escapes(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import keras\n'日本' (\n", encoding="utf-8")
    done = seqlint(tmp_path, "check", PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert b"\\u65e5" in done.stdout
    assert b"Traceback" not in done.stderr
