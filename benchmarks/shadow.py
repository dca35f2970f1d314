"""Runs a rule and the domain that shall replace it side by side, and prints every place that only one of them finds.

    .venv/bin/python benchmarks/shadow.py SEQ107 [folder ...]

Without a folder the programs are the case pages and the examples of all rules. A folder of projects is read one project after the other.
A difference is a question for a reader; none is an answer.
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from seqlint import registry
from seqlint.config import Config
from seqlint.domains.rows.unread import UnreadOrders
from seqlint.engine import check
from seqlint.facts.project.modules import Modules
from seqlint.run import Run
from seqlint.sources import Source
from tests.rules.casebook import pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MAY = re.compile(r"shuffle|permut|\.sample\(")
_RULES = {loaded.rule.code: loaded for loaded in registry.load()}


def _unread(run: Run) -> Iterator[ast.AST]:
    return (each.place for each in run.domain(UnreadOrders).all)


DOMAINS: dict[str, Callable[[Run], Iterator[ast.AST]]] = {"SEQ107": _unread}


def compared(code: str, path: Path, root: Path, text: str) -> None:
    """Print the lines of one file that only the rule, or only the domain, reports."""
    config = replace(Config.default(), root=root)
    found = check(Source(str(path), text), [_RULES[code]], config).diagnostics
    old = {each.start.line for each in found if each.code == code}
    run = Run(Source(str(path), text), path, Modules(root))
    new = {place.lineno for place in DOMAINS[code](run) if isinstance(place, (ast.expr, ast.stmt))}
    if old != new:
        print(f"{path}: only the rule {sorted(old - new)}, only the domain {sorted(new - old)}")


def _written(folder: Path, files: tuple[tuple[str, str], ...]) -> None:
    for name, text in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _pages(code: str) -> None:
    cases = [(str(case), case.others, case.text) for page in pages() for case in page]
    cases += [
        (f"{each.rule.code}, example", (), made.before) for each in _RULES.values() for made in each.rule.examples
    ]
    for title, others, text in cases:
        if _MAY.search(text):
            with tempfile.TemporaryDirectory(prefix=title.replace(" ", "-")) as name:
                _written(Path(name), (*others, ("main.py", text)))
                compared(code, Path(name) / "main.py", Path(name), text)


def _projects(code: str, folder: Path) -> None:
    for project in sorted(each for each in folder.iterdir() if each.is_dir()):
        for path in sorted(project.rglob("*.py")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if _MAY.search(text) and "keras" in text:
                compared(code, path, project, text)


if __name__ == "__main__":
    for each in sys.argv[2:]:
        _projects(sys.argv[1], Path(each))
    if len(sys.argv) == 2:
        _pages(sys.argv[1])
