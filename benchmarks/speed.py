"""What whole commands cost, in CPU and wall seconds over a bare interpreter, and as ratios in one run.

    python benchmarks/speed.py [FOLDER_OF_KERAS_FILES]

Without a folder, a hundred files are made from the programs in fixtures/, about 10 kB each, with other names in each so that no two are equal.
"""

from __future__ import annotations

import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[1]
FILES, BYTES, RUNS = 100, 10_000, 5
PLAIN = "def double(x):\n    return 2 * x\n"


def cost(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """CPU and wall seconds of a command with all its children."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def median(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """Medians over a few runs, after one that warms the file cache."""
    cost(command, folder)
    runs = [cost(command, folder) for _ in range(RUNS)]
    return statistics.median(cpu for cpu, _ in runs), statistics.median(wall for _, wall in runs)


def hundred(folder: Path) -> int:
    """Write a hundred files made from the project's own programs; the number of bytes."""
    programs = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "fixtures/programs").glob("*/program.py"))]
    total = 0
    for number in range(FILES):
        text, turn = "", number
        while len(text) < BYTES:
            text += (
                re.sub(r"^class (\w+)", rf"class \g<1>{turn}", programs[turn % len(programs)], flags=re.MULTILINE)
                + "\n"
            )
            turn += 1
        total += (folder / f"part_{number:03}.py").write_text(text, encoding="utf-8")
    return total


def collected(folder: Path, source: Path) -> int:
    """Copy the first hundred files of a folder that name Keras; the number of bytes."""
    total = number = 0
    for path in sorted(source.rglob("*.py")):
        data = path.read_bytes()
        if b"keras" in data and number < FILES:
            total += (folder / f"part_{number:03}.py").write_bytes(data)
            number += 1
    return total


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plain").mkdir()
        (folder / "plain/plain.py").write_text(PLAIN, encoding="utf-8")
        (folder / "many").mkdir()
        size = collected(folder / "many", Path(sys.argv[1])) if len(sys.argv) > 1 else hundred(folder / "many")
        report(folder, size)


def report(folder: Path, size: int) -> None:
    seqlint = [sys.executable, "-m", "seqlint"]
    bare, _ = median([sys.executable, "-c", "pass"], folder)
    parse, _ = median([sys.executable, "-c", PARSE], folder / "many")
    print(f"bare interpreter: {bare:.2f} s CPU; libcst alone parses the files in {parse - bare:.2f} s CPU\n")
    print(f"{'command':<44}{'CPU over bare':>14}{'wall':>8}{'to parsing':>12}")
    for title, command in (
        ("seqlint --version", [*seqlint, "--version"]),
        ("seqlint check, one file without Keras", [*seqlint, "check", "plain"]),
        (f"seqlint check, {FILES} files, {size / 1e6:.2f} MB", [*seqlint, "check", "many"]),
        (f"seqlint fix --diff, {FILES} files", [*seqlint, "fix", "--unsafe", "--diff", "many"]),
    ):
        _, wall = median(command, folder)
        # A pool's processes outlive its parent's account, so the CPU is that of one job after the other.
        cpu, _ = median([*command, "--jobs", "1"] if command[-1] == "many" else command, folder)
        print(f"{title:<44}{cpu - bare:>12.2f} s{wall:>6.2f} s{(cpu - bare) / (parse - bare):>11.2f}x")


PARSE = """
import pathlib, libcst
for path in sorted(pathlib.Path('.').glob('*.py')):
    try:
        libcst.parse_module(path.read_bytes())
    except Exception:
        pass
"""

if __name__ == "__main__":
    main()
