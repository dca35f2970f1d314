"""The command line as a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import RULES, UNKNOWN

ROOT = Path(__file__).parents[2]


def seqlint(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = (sys.executable, "-m", "seqlint", *arguments)
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)


def test_runs_as_a_module(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import keras\n")
    done = seqlint(tmp_path, "check")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"no findings in 1 file\n{UNKNOWN}\n".encode(), b"")


def test_a_closed_pipe_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1  # seqlint: ignore[SEQ987]\n" * 500)
    assert len(seqlint(tmp_path, "check", "--output-format", "json").stdout) > 2**17  # more than a pipe holds
    command = f"{sys.executable} -m seqlint check --output-format json | head -c 1"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, shell=True, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"{", b"")


@pytest.mark.parametrize("count", [1, 40])
def test_python_warns_of_nothing_that_stands_in_the_files(tmp_path: Path, count: int) -> None:
    for number in range(count):  # many are looked at by other processes
        (tmp_path / f"a{number}.py").write_text('import keras\n\nmodel = keras.Model()\nmodel.fit("\\d", y=1)\n')
    done = seqlint(tmp_path, "check", "--jobs", "2", PYTHONWARNINGS="always")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("shell", "code", "message"),
    [
        ("check a.py | true; exit ${PIPESTATUS[0]}", 1, ""),
        ("check a.py >&-", 1, ""),
        ("check a.py >/dev/full", 2, "error: standard output can't be written: no space left on device\n"),
        ("rules >/dev/full", 2, "error: standard output can't be written: no space left on device\n"),
        ("fix --diff a.py >/dev/full", 2, "error: standard output can't be written: no space left on device\n"),
        ("check missing.py 2>&-", 2, ""),
        ("check - <&-", 0, ""),
    ],
)
def test_a_stream_that_fails_is_no_fault(tmp_path: Path, shell: str, code: int, message: str) -> None:
    (tmp_path / "a.py").write_text("import keras\n\n\nx = 1  # seqlint: ignore[SEQ102]\n")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = ("bash", "-c", f"{sys.executable} -m seqlint {shell}")
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, message)


SLOW = RULES["tst202_file_fetched.py"].replace(
    'raise RuntimeError("boom")', 'import pathlib, time; pathlib.Path("started").touch(); time.sleep(6)'
)


@pytest.mark.skipif(os.name == "nt", reason="interrupts are other there")
@pytest.mark.parametrize("whole_group", [True, False], ids=["ctrl-c", "kill"])
def test_an_interrupt_ends_a_pool_at_once(tmp_path: Path, whole_group: bool) -> None:
    """Forty files of six seconds each wait for two workers."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/tst202_file_fetched.py").write_text(SLOW)
    (tmp_path / "seqlint.toml").write_text('rules = ["rules"]\nselect = ["TST"]\nexclude = ["rules/"]\n')
    for number in range(40):
        (tmp_path / f"f{number}.py").write_text("import keras\n\nkeras.utils.fetch()\n")
    command = (sys.executable, "-m", "seqlint", "check", "--trust-rules", "--jobs", "2")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, start_new_session=True) as process:
        while not (tmp_path / "started").exists() and process.poll() is None:
            time.sleep(0.1)
        (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=90)
    assert (process.returncode, errors) == (130, b"")


def test_a_terminal_that_only_knows_ascii_gets_escapes(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import keras\n'日本' (\n", encoding="utf-8")
    done = seqlint(tmp_path, "check", PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert b"\\u65e5" in done.stdout
    assert b"Traceback" not in done.stderr
