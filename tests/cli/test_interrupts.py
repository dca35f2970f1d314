"""Ctrl-C ends a run with 130 and without a word, whatever it is doing: also while it still imports."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOOK = """
import os, signal, sys

def hear(event, arguments, seen=[]):
    if event == "import" and arguments[0] == os.environ["INTERRUPT_AT"] and not seen:
        seen.append(1)
        os.killpg(0, signal.SIGINT)  # as a terminal does: all processes of the run

sys.addaudithook(hear)
"""
PROGRAM = "import keras\n\nkeras.utils.set_random_seed(7)  # seqlint: ignore[SEQ102]\n"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="interrupts are other there")


@pytest.mark.parametrize("command", ["check --jobs 1", "check --jobs 2", "fix --jobs 1", "fix --jobs 2"])
@pytest.mark.parametrize(
    "module", ["seqlint.runner.process", "seqlint.model", "seqlint.runner.plan", "libcst", "seqlint.engine.check"]
)
def test_a_run_is_interrupted_while_it_imports(tmp_path: Path, command: str, module: str) -> None:
    assert interrupted(tmp_path, command, module) == (130, b"", b"")


@pytest.mark.parametrize("module", ["seqlint.runner.warm", "multiprocessing.forkserver", "concurrent.futures.process"])
def test_a_pool_is_interrupted_while_it_starts(tmp_path: Path, module: str) -> None:
    assert interrupted(tmp_path, "check --jobs 2", module) == (130, b"", b"")


@pytest.mark.parametrize("module", ["typer", "seqlint.server.main", "pygls"])
def test_a_server_is_interrupted_while_it_starts(tmp_path: Path, module: str) -> None:
    assert interrupted(tmp_path, "server", module) == (130, b"", b"")


def interrupted(folder: Path, command: str, module: str) -> tuple[int, bytes, bytes]:
    """How a run ends that is interrupted where one of its processes imports a module, and what it says."""
    (folder / "hook").mkdir()
    (folder / "hook/sitecustomize.py").write_text(HOOK)
    (folder / "src").mkdir()
    for number in range(31):  # enough for a pool
        (folder / f"src/a{number}.py").write_text(PROGRAM)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder / "hook"), str(ROOT))), "INTERRUPT_AT": module}
    line = (sys.executable, "-m", "seqlint", *command.split())
    done = subprocess.run(
        line,
        cwd=folder / "src",
        env=env,
        capture_output=True,
        check=False,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
    )
    assert sorted(path.name for path in (folder / "src").iterdir() if path.suffix != ".py") in ([], [".seqlint_cache"])
    return done.returncode, done.stdout, done.stderr
