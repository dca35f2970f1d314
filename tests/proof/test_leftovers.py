"""Nothing that a run started or wrote stays behind, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import suppress
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
# It leaves a file behind, and processes: in its group, in a session of their own, and orphaned. Their command lines hold a token, and its own
# name is one; the text holds none, since it is in the command line of the process that proves it.
MESSY = """
import ctypes
import os
import subprocess
import sys
import tempfile

open("left.txt", "w").write("left")
tempfile.mkdtemp()
token = "-".join({token!r})
ctypes.CDLL(None).prctl(15, token.encode(), 0, 0, 0)
sleep = [sys.executable, "-c", "import time; time.sleep(600)", token]
pids = [os.getpid(), subprocess.Popen(sleep).pid, subprocess.Popen(sleep, start_new_session=True).pid]
in_shell = ["sh", "-c", '"$@" > /dev/null & echo $!', "sh", *sleep]
orphan = subprocess.run(in_shell, stdout=subprocess.PIPE, text=True)
print(*pids, orphan.stdout.strip())
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


@pytest.fixture
def token() -> str:
    """What names the process of a run, and is in the command lines of those that it starts."""
    return f"left-{uuid.uuid4().hex[:8]}"


def alive(token: str, place: Path | None = None) -> list[str]:
    """The processes with a token, and those that inherited the mark of a test."""
    mark, found = f"SEQLINT_TEST_MARK={place}\0".encode(), []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (entry / "cmdline").read_text("utf-8", "replace")
            named = token in (command + (entry / "comm").read_text("utf-8", "replace"))
            if named or (place is not None and mark in (entry / "environ").read_bytes() + b"\0"):
                found.append(command.replace("\0", " ")[:200])
    return [command for command in found if command]  # what has ended and waits for its parent has none


def wait_until(happens: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and not happens():
        time.sleep(0.1)


def nothing_is_left(place: Path, token: str) -> None:
    wait_until(lambda: not alive(token, place) and not any((place / "tmp").iterdir()))
    assert alive(token, place) == []
    assert [path.name for path in (place / "tmp").rglob("*")] == []


@pytest.mark.parametrize("end", ENDS)
def test_after_a_run_that_ends_badly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent: Workers, end: str, token: str
) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    text = FEED + MESSY.format(token=token.split("-")) + ENDS[end]
    run = lent.under(Settings(limit_s=5)).run(text, "program.py", None)
    assert run.status == ("limit" if end == "hang" else "crashed")
    assert len(run.output.split()) == 4  # its own process, and the three that it started
    nothing_is_left(tmp_path, token)


@pytest.mark.parametrize("fork", [True, False], ids=["forked", "alone"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_after_a_signal_to_the_parent(tmp_path: Path, number: signal.Signals, fork: bool, token: str) -> None:
    text = MESSY.format(token=token.split("-")) + ENDS["hang"]
    parent = started(text, tmp_path, fork=fork)
    wait_until(lambda: len(alive(token)) == 4)
    assert len(alive(token)) == 4
    os.killpg(parent.pid, number)
    assert parent.wait(PATIENCE_S) != 0
    nothing_is_left(tmp_path, token)
