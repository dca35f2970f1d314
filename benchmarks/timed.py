"""What a command costs with all the processes that it starts, and medians of several that take turns."""

from __future__ import annotations

import ctypes
import os
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).parents[1]
# What the script of an installed seqlint does.
SEQLINT = (sys.executable, "-c", "import sys; from seqlint.cli import main; sys.exit(main())")
_PEAK = """
import sys
from seqlint.cli import run
run(sys.argv[1:])
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(peak, file=sys.stderr)
"""
_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER


@dataclass(frozen=True)
class Command:
    """A command to measure: its words, where it runs, and what is done before each run without being counted."""

    words: tuple[str, ...]
    folder: Path
    before: Callable[[], object] = lambda: None


@dataclass(frozen=True)
class Cost:
    """Seconds."""

    wall: float
    cpu: float


def medians(runs: int, *commands: Command) -> list[Cost]:
    """The medians of each command. They take turns, so that a busy minute of the machine meets all of them.

    A turn before them is not counted: it reads the files, and compiles the modules, as installing does.
    """
    for command in commands:
        cost(command)
    costs = [[cost(command) for command in commands] for _ in range(runs)]
    return [
        Cost(statistics.median(one.wall for one in column), statistics.median(one.cpu for one in column))
        for column in zip(*costs, strict=True)
    ]


def cost(command: Command) -> Cost:
    """One run. A pool's processes outlive the process that started them; they are adopted, and counted too."""
    return _measured(command)[0]


def cost_and_peak(arguments: Sequence[str], folder: Path) -> tuple[Cost, float]:
    """One run of seqlint, and the most memory in MB that its main process holds."""
    spent, said = _measured(Command((sys.executable, "-c", _PEAK, *arguments), folder))
    return spent, int(said.split()[-1]) / 1024


def _measured(command: Command) -> tuple[Cost, bytes]:
    """What a run costs, and what it writes to standard error."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    command.before()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    said = _run(command.words, command.folder, stdout=subprocess.DEVNULL).stderr
    wall = time.perf_counter() - start
    _wait_for_orphans()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), said


def output(words: Sequence[str], folder: Path) -> bytes:
    """What a command writes to standard output."""
    return _run(words, folder, stdout=subprocess.PIPE).stdout


def _run(words: Sequence[str], folder: Path, *, stdout: int) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(words, cwd=folder, env=environment, stdout=stdout, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1, 2):  # linters end with 1 for findings; seqlint with 2 where a file is no Python
        raise SystemExit(f"{' '.join(words[:6])} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    return done


def _wait_for_orphans() -> None:
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return
