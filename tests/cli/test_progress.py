"""How far a run is: said on a terminal while it lasts, and nowhere else."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals are other there")
ROOT = Path(__file__).parents[2]
PATIENCE = 120
MAIN = """
import sys
from seqlint.cli import main, progress

progress.AFTER = {after}
main()
"""
WAITS = '''"""Waits until the test has seen enough."""

import time
from pathlib import Path

from seqlint.api import Contract, Example, Levels, Rule

RULE = Rule("TST101", "waits", "0.1.0", Levels.everywhere("error"), contract=Contract(), examples=(Example("x = 1\\n"),))


def check(facts):
    late = time.monotonic() + 60  # a test that fails ends, too
    while "number = 1\\n" in facts.source.text and not Path({go!r}).exists() and time.monotonic() < late:
        time.sleep(0.02)
    yield facts.finding(facts.tree.module.body[0], "it is here")
'''
LINE = re.compile(rb"\r(?:checking|fixing): 1 of 3 files, \d+ s")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three files, of which the second is not done before there is a file `go`."""
    project = tmp_path / "project"
    (project / "house").mkdir(parents=True)
    (project / "src").mkdir()
    (project / "pyproject.toml").write_text('[tool.seqlint]\nrules = ["house"]\nselect = ["TST"]\n')
    (project / "house/tst101_waits.py").write_text(WAITS.format(go=str(tmp_path / "go")))
    for number in range(3):
        (project / f"src/a{number}.py").write_text(f"number = {number}\nimport keras\n")
    return project


@pytest.mark.parametrize("command", ["check", "check --output-format json", "fix", "fix --diff"])
def test_a_run_that_takes_long_says_how_far_it_is(folder: Path, command: str) -> None:
    told, out, code = run(folder, command, after=0, until=lambda told: LINE.search(told) is not None)
    assert LINE.search(told)
    assert code == (0 if command == "fix --diff" else 1)  # nothing would change
    assert "of 3 files" not in on_screen(told)
    assert b"\r" not in out
    assert b"TST101" in out or command == "fix --diff"


def test_it_is_gone_before_anything_else_is_said(folder: Path) -> None:
    told, _, code = run(folder, "check nowhere.py", after=0, until=lambda told: LINE.search(told) is not None)
    assert code == 2
    assert on_screen(told).startswith("error: nowhere.py: ")


@pytest.mark.parametrize(
    ("after", "environment"), [(600, {}), (0, {"TERM": "dumb"}), (0, {"CI": "true"})], ids=["quick", "dumb", "CI"]
)
def test_nothing_is_said(folder: Path, after: int, environment: dict[str, str]) -> None:
    (folder.parent / "go").touch()
    told, out, _ = run(folder, "check", after=after, environment=environment)
    assert told == b""
    assert b"TST101" in out


def test_nothing_is_said_to_a_file(folder: Path) -> None:
    (folder.parent / "go").touch()
    done = subprocess.run(
        line("check", 0), cwd=folder, env=surroundings({}), capture_output=True, check=False, timeout=PATIENCE
    )
    assert done.stderr == b""
    assert b"TST101" in done.stdout


def run(
    folder: Path,
    command: str,
    after: float,
    environment: dict[str, str] | None = None,
    until: Callable[[bytes], bool] | None = None,
) -> tuple[bytes, bytes, int]:
    """What a run writes to a terminal that is its standard error, what to standard output, and its exit code.

    Args:
        until: once this holds of what stands on the terminal, the run may go on to its end.
    """
    import pty

    ours, theirs = pty.openpty()
    with (folder.parent / "out").open("wb") as out:
        process = subprocess.Popen(
            line(command, after), cwd=folder, env=surroundings(environment or {}), stdout=out, stderr=theirs
        )
    os.close(theirs)
    told = b""
    while more := _read(ours):
        told += more
        if until is not None and until(told):
            (folder.parent / "go").touch()
    os.close(ours)
    return told.replace(b"\r\n", b"\n"), (folder.parent / "out").read_bytes(), process.wait(PATIENCE)


def _read(terminal: int) -> bytes:
    """What comes next; nothing once the run has ended."""
    ready, _, _ = select.select([terminal], [], [], PATIENCE)
    assert ready, "nothing comes any more"
    try:
        return os.read(terminal, 4096)
    except OSError:  # Linux says so where the other end is closed
        return b""


def line(command: str, after: float) -> list[str]:
    return [
        sys.executable,
        "-c",
        MAIN.format(after=after),
        *command.split(),
        "src",
        "--trust-rules",
        "--no-cache",
        "--jobs",
        "1",
    ]


def surroundings(more: dict[str, str]) -> dict[str, str]:
    here = {name: value for name, value in os.environ.items() if name not in ("CI", "TERM", "NO_COLOR")}
    return {**here, "PYTHONPATH": str(ROOT), "TERM": "xterm", **more}


def on_screen(told: bytes) -> str:
    """What is left to see after all that was written over."""
    lines = []
    for written in told.decode().split("\n"):
        seen = ""
        for part in written.split("\r"):
            seen = part + seen[len(part) :]
        lines.append(seen.rstrip())
    return "\n".join(lines).strip()
