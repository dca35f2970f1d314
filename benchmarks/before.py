"""What a check of a hundred Keras files costs in this checkout and in another, in turns, with the rules that both have.

    git worktree add ../before v0.1.0
    python benchmarks/before.py ../before FOLDER... [--runs N]

The folders hold projects of public code. The files are drawn with a fixed seed, and checked where they lie: what they import is
read, too. Each row has the least CPU of the runs, since a busy machine only adds to it, and its ratio to the other checkout.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import inputs

HERE = Path(__file__).parents[1]
SEQLINT = "import sys; from seqlint.cli import main; sys.exit(main())"
PLAIN = "def double(x):\n    return 2 * x\n"


def codes(checkout: Path) -> set[str]:
    """The codes of the rules of a checkout, as the names of their files say."""
    return {path.name.partition("_")[0].upper() for path in (checkout / "rules").glob("seq*.py")}


def cost(checkout: Path, rules: str, files: list[Path], folder: Path) -> float:
    """CPU seconds of one check without a cache, in one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    options = ["--no-cache", "--jobs", "1", "--select", rules, "--output-format", "concise"]
    done = subprocess.run(
        [sys.executable, "-c", SEQLINT, "check", *options, *map(str, files)],
        cwd=folder, env=_environment(checkout), capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"{checkout} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment(checkout: Path) -> dict[str, str]:
    """Modules are compiled once, as they are for a user."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(checkout)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("before", type=lambda text: Path(text).resolve(strict=True))
    parser.add_argument("folders", type=lambda text: Path(text).resolve(strict=True), nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="rows whose title has this in it")
    asked = parser.parse_args()
    rules = ",".join(sorted(codes(asked.before) & codes(HERE)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "plain.py").write_text(PLAIN, encoding="utf-8")
        inputs.hundred(folder / "alone", asked.folders)
        in_place = inputs.hundred_in_place(asked.folders)
        rows = {
            "a file without Keras": [folder / "plain.py"],
            "one Keras file": in_place[:1],
            "a hundred, each alone": [folder / "alone"],
            "a hundred in their projects": in_place,
        }
        for title, files in rows.items():
            if asked.only not in title:
                continue
            turns = [[cost(each, rules, files, folder) for each in (asked.before, HERE)] for _ in range(asked.runs + 1)]
            then, now = (min(column) for column in zip(*turns[1:], strict=True))  # the first turn compiles the modules
            print(f"{title:<28}{then:>7.2f} s before{now:>7.2f} s here{now / then:>7.2f}")


if __name__ == "__main__":
    main()
