"""Runs rules in two checkouts side by side, and prints every finding that only one of them has.

    git worktree add ../before main
    .venv/bin/python benchmarks/shadow.py ../before SEQ107,SEQ232 [folder ...]

For a rule that moves to other facts. Without a folder the programs are the case pages of this checkout and the examples of all rules. A
folder of projects is read one project after the other. A difference is a question for a reader; none is an answer.
"""

from __future__ import annotations

import difflib
import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, sys.argv[2] if sys.argv[1:2] == ["--find"] else str(Path(__file__).parents[1]))

from seqlint import registry
from seqlint.config import Config
from seqlint.engine import check
from seqlint.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parents[1]
Program = tuple[str, str, str]
"""The folder of its project, the file in it, and what a reader is told of both."""


def pages(folder: Path) -> Iterator[Program]:
    """Write the case pages and examples into a folder, one project each."""
    from tests.rules.casebook import pages as read

    cases = [(str(case), case.others, case.text) for page in read() for case in page]
    for loaded in registry.load():
        for number, made in enumerate(loaded.rule.examples):
            cases.append((f"{loaded.rule.code}, example {number}", (), made.before))
    for number, (title, others, text) in enumerate(cases):
        root = folder / str(number)
        for name, content in (*others, ("main.py", text)):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content, encoding="utf-8")
        yield str(root), str(root / "main.py"), title


def projects(folder: Path) -> Iterator[Program]:
    """The files of a folder of projects that speak of Keras."""
    for root in sorted(each for each in folder.iterdir() if each.is_dir()):
        for path in sorted(root.rglob("*.py")):
            if b"keras" in path.read_bytes():
                yield str(root), str(path), str(path)


def found(codes: str, programs: list[Program]) -> Iterator[str]:
    """What the rules of the checkout that runs say."""
    rules = [loaded for loaded in registry.load() if loaded.rule.code in codes.split(",")]
    for root, path, title in programs:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
        config = replace(Config.default(), root=Path(root))
        for each in check(Source(path, text), rules, config).diagnostics:
            yield f"{title}:{each.start.line}: {each.code} {each.message}{' (fix)' if each.fixes else ''}"


def said(checkout: str, codes: str, listed: Path) -> list[str]:
    """What the rules of a checkout say, in a process of its own."""
    command = [sys.executable, "-W", "ignore", __file__, "--find", checkout, codes, str(listed)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


if __name__ == "__main__":
    if sys.argv[1] == "--find":
        print(*found(sys.argv[3], json.loads(Path(sys.argv[4]).read_text())), sep="\n")
    else:
        with tempfile.TemporaryDirectory() as name:
            folders = [Path(each) for each in sys.argv[3:]]
            programs = [each for folder in folders for each in projects(folder)] or [*pages(Path(name) / "pages")]
            listed = Path(name) / "programs.json"
            listed.write_text(json.dumps(programs))
            both = [said(checkout, sys.argv[2], listed) for checkout in (sys.argv[1], str(HERE))]
            print(*difflib.unified_diff(*both, "before", "here", n=0, lineterm=""), sep="\n")
