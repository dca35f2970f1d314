"""Counts what each rule finds in public code, and lists findings for a person to read.

    python benchmarks/noise.py FOLDER...                      # a table: rule, level, findings, repositories
    python benchmarks/noise.py --read SEQ203 30 FOLDER...     # thirty of them, spread over the repositories

Each folder is a project of its own: its requirement files decide the Keras in use, as for somebody who runs seqlint there.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True)
class Found:
    """One finding."""

    code: str
    level: str
    project: str
    place: str
    message: str


def found(folder: Path) -> Iterator[Found]:
    """All findings in a project, with every rule on."""
    command = [
        sys.executable,
        "-m",
        "seqlint",
        "check",
        "--select",
        "ALL",
        "--no-cache",
        "--output-format",
        "json",
        ".",
    ]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if not ran.stdout:
        sys.exit(f"{folder}: {ran.stderr}")
    for item in json.loads(ran.stdout)["findings"]:
        place = f"{folder / item['path']}:{item['start']['line']}"
        yield Found(item["code"], item["level"], folder.name, place, item["message"])


def spread(items: Iterable[Found], most: int) -> list[Found]:
    """Some of the findings, one of each project in turn."""
    by_project: dict[str, list[Found]] = defaultdict(list)
    for item in items:
        by_project[item.project].append(item)
    turns = [(number, project, item) for project, own in by_project.items() for number, item in enumerate(own)]
    turns.sort(key=lambda turn: turn[:2])
    return [item for _, _, item in turns[:most]]


def table(items: list[Found]) -> Iterator[str]:
    """One line for each rule and level."""
    counts = Counter((item.code, item.level) for item in items)
    projects = defaultdict(set)
    for item in items:
        projects[item.code, item.level].add(item.project)
    yield "| rule | level | findings | repositories |"
    yield "| --- | --- | --- | --- |"
    for (code, level), number in sorted(counts.items()):
        yield f"| {code} | {level} | {number} | {len(projects[code, level])} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--read", nargs=2, metavar=("CODE", "MOST"))
    parser.add_argument("folders", nargs="+", type=Path)
    given = parser.parse_args()
    items = [item for folder in given.folders for item in found(folder)]
    if given.read is None:
        print(*table(items), sep="\n")
        return
    code, most = given.read
    for item in spread((item for item in items if item.code == code), int(most)):
        print(f"{item.place}: {item.level}: {item.message}")


if __name__ == "__main__":
    main()
