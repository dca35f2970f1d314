"""Nothing that a run started or wrote stays behind, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Settings, missing
from tests.proof.programs import FEED

if TYPE_CHECKING:
    from collections.abc import Callable

    from seqlint.proof import Workers

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]
PATIENCE_S = 60.0
PARENT = """
import sys
from seqlint.proof import Settings, prove

prove({text!r}, {text!r} + "\\n", Settings and __import__("seqlint.model").model.Contract(),
      settings=Settings(limit_s=600, fork={fork}))
"""
# It leaves a file behind, and processes: in its group, in a session of their own, and orphaned.
MESSY = """
import os
import subprocess
import sys
import tempfile

open("left.txt", "w").write("left")
tempfile.mkdtemp()
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
pids = [os.getpid(), subprocess.Popen(sleep).pid, subprocess.Popen(sleep, start_new_session=True).pid]
orphan = subprocess.run(["sh", "-c", "sleep 600 > /dev/null & echo $!"], stdout=subprocess.PIPE, text=True)
print(*pids, orphan.stdout.strip(), file=open({pids!r}, "a"))
"""
ENDS = {
    "hang": "import time; time.sleep(600)\n",
    "abort": "os.abort()\n",
    "kill": "import signal; os.kill(os.getpid(), signal.SIGKILL)\n",
    "segfault": "import ctypes; ctypes.string_at(0)\n",
}


def started(text: str, place: Path, fork: bool) -> subprocess.Popen[bytes]:
    """A process of its own session that proves something, whose temporary files lie in a folder of their own."""
    (place / "tmp").mkdir()
    script = PARENT.format(text=text, fork=fork)
    environment = {**os.environ, "TMPDIR": str(place / "tmp"), "SEQLINT_TEST_MARK": str(place)}
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", script], env=environment, cwd=root, start_new_session=True, stderr=subprocess.DEVNULL
    )


def pids(place: Path) -> list[str]:
    """The process of each run, and the three that it started."""
    file = place / "pids"
    return file.read_text().split() if file.exists() else []


def alive(place: Path) -> list[str]:
    """The processes that a run has named, and those that inherited the mark of a test."""
    mark = f"SEQLINT_TEST_MARK={place}\0".encode()
    named, found = pids(place), []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name in named or (entry.name.isdigit() and mark in (entry / "environ").read_bytes() + b"\0"):
                found.append((entry / "cmdline").read_text("utf-8", "replace").replace("\0", " ")[:200])
        except OSError:
            continue
    return [command for command in found if command]  # what has ended and waits for its parent has none


def wait_until(happens: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and not happens():
        time.sleep(0.1)


def nothing_is_left(place: Path) -> None:
    wait_until(lambda: not alive(place) and not any((place / "tmp").iterdir()))
    assert alive(place) == []
    assert [path.name for path in (place / "tmp").rglob("*")] == []


@pytest.mark.long
@pytest.mark.parametrize("end", ENDS)
def test_after_a_run_that_ends_badly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent: Workers, end: str) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    text = FEED + MESSY.format(pids=str(tmp_path / "pids")) + ENDS[end]
    run = lent.under(Settings(limit_s=5)).run(text, "program.py", None)
    assert run.status == ("limit" if end == "hang" else "crashed")
    assert len(pids(tmp_path)) == 4 * 2  # what crashes or hangs in a fork is run once more, in a process of its own
    nothing_is_left(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("fork", [True, False], ids=["forked", "alone"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_after_a_signal_to_the_parent(tmp_path: Path, number: signal.Signals, fork: bool) -> None:
    text = MESSY.format(pids=str(tmp_path / "pids")) + ENDS["hang"]
    parent = started(text, tmp_path, fork=fork)
    wait_until(lambda: len(pids(tmp_path)) == 4)
    assert len(pids(tmp_path)) == 4
    os.killpg(parent.pid, number)
    assert parent.wait(PATIENCE_S) != 0
    nothing_is_left(tmp_path)
