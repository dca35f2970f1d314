"""Ends `seqlint fix` at many points of its work, and looks at what is left: nothing torn, and nothing behind after the next run."""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from seqlint import cli
from tests.kills.tree import Tree, tree

ROOT = Path(__file__).parents[2]
How = Literal["group", "one", "full"]
"""All processes are killed; the one is killed that does this step; from this step on the disk is full."""
HOWS: tuple[How, ...] = ("group", "one", "full")
KILLED, NEVER = -9, 10**9


@dataclass(frozen=True)
class Ended:
    """How a run went, and what was wrong with what it left.

    Attributes:
        code: its exit code; below 0 the signal that ended it.
        faults: a sentence each.
    """

    code: int
    faults: tuple[str, ...]


def steps(subject: Tree, jobs: int, how: How) -> int:
    """How many steps a run over a tree takes that nobody ends."""
    subject.reset()
    with tempfile.TemporaryDirectory() as folder:
        counter = Path(folder, "steps")
        _finished(_started(subject, jobs, counter, NEVER, how))
        return counter.stat().st_size


def ended(subject: Tree, jobs: int, at: int, how: How) -> Ended:
    """Run `fix` over the old files, end it at a step, and look; then run it once more, and look again."""
    subject.reset()
    with tempfile.TemporaryDirectory() as folder:
        code = _finished(_started(subject, jobs, Path(folder, "steps"), at, how))
    faults = [f"{name} is torn" for name in subject.torn()]
    if how == "full":  # a process that is killed can't clean up; one that fails must
        faults += [f"{name} is left" for name in subject.left()]
    return Ended(code, (*faults, *_after(subject)))


def at_once(subject: Tree, jobs: int, fixers: int = 2) -> Ended:
    """Run several `fix` at once over one tree."""
    subject.reset()
    with tempfile.TemporaryDirectory() as folder:
        started = [_started(subject, jobs, Path(folder, "steps"), NEVER, "group") for _ in range(fixers)]
        codes = [_finished(process) for process in started]
    faults = [f"{name} is not fixed" for name in subject.unfixed()] + [f"{name} is left" for name in subject.left()]
    return Ended(min(codes), (*faults, *_after(subject)))


def _started(subject: Tree, jobs: int, counter: Path, at: int, how: How) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(map(str, (ROOT / "tests/kills/hook", ROOT)))
    told = {"KILLS_TREE": str(subject.root), "KILLS_COUNTER": str(counter), "KILLS_AT": str(at), "KILLS_HOW": how}
    command = (sys.executable, "-m", "seqlint", "fix", "--no-cache", "--jobs", str(jobs), str(subject.root))
    env = {**os.environ, "PYTHONPATH": path, **told}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)


def _finished(process: subprocess.Popen[bytes]) -> int:
    """Its exit code, once all processes that it has started are gone: each of them holds its standard output open."""
    process.communicate()
    return process.returncode


def _after(subject: Tree) -> list[str]:
    """What is wrong after one more run that nobody ends."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as said:
        code = cli.run(["fix", "--no-cache", "--jobs", "1", str(subject.root)])
    faults = [f"the next run ends with 2: {said.getvalue()}"] if code == 2 else []
    faults += [f"{name} is not fixed by the next run" for name in subject.unfixed()]
    return [*faults, *(f"{name} is left after the next run" for name in subject.left())]


def main() -> int:
    """Run from the command line; 1 where something was wrong."""
    parser = argparse.ArgumentParser(prog="scripts/kills", description="End `seqlint fix` at many points of its work.")
    parser.add_argument("--points", type=int, default=300, help="how many, spread over all steps of a run")
    parser.add_argument("--files", type=int, default=40, help="how many files there are to fix")
    parser.add_argument("--jobs", type=int, default=2, help="the processes of each run")
    asked = parser.parse_args()
    codes: Counter[str] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        subject = _quietly(Path(folder).resolve() / "tree", asked.files)
        numbers = {how: steps(subject, asked.jobs, how) for how in HOWS}
        print(f"a run over {asked.files} files takes {numbers['group']} steps", flush=True)
        for point in range(asked.points):
            how = HOWS[point % len(HOWS)]
            at = 1 + point * numbers[how] // asked.points
            result = ended(subject, asked.jobs, at, how)
            wrong += _told(f"{how} at step {at}", result)
            codes[f"{how}: exit code {result.code}"] += 1
        for _ in range(max(asked.points // 30, 1)):
            result = at_once(subject, asked.jobs)
            wrong += _told("two at once", result)
            codes[f"two at once: exit code {result.code}"] += 1
    for what, times in sorted(codes.items()):
        print(f"{times:5}  {what}")
    print(f"{sum(codes.values())} runs, {wrong} with a fault")
    return 1 if wrong else 0


def _quietly(root: Path, files: int) -> Tree:
    with redirect_stdout(io.StringIO()):
        return tree(root, files)


def _told(what: str, result: Ended) -> bool:
    for fault in result.faults:
        print(f"{what}: {fault}", flush=True)
    return bool(result.faults)


if __name__ == "__main__":
    sys.exit(main())
