"""Compares what the facts know of classes with a plain scan by name, over folders of public code.

    python benchmarks/corpus.py FOLDER...

The scan takes every class for a Sequence or Callback that has a base whose last name ends so, whatever it is. The facts must find all that really are, and
only these. Each difference is printed with its line, to be read by a person.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.config import Config
from seqlint.engine import facts_of
from seqlint.model import UnreadableSource
from seqlint.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts import Kind

NAMES: dict[Kind, tuple[str, ...]] = {"sequence": ("Sequence", "PyDataset"), "callback": ("Callback",)}


@dataclass(frozen=True)
class Class:
    """A class as one of the two sees it."""

    path: Path
    line: int
    name: str
    kind: str


def scanned(path: Path, text: str) -> Iterator[Class]:
    """The classes that a plain scan takes for a kind."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ClassDef):
            continue
        ends = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases]
        for kind, names in NAMES.items():
            if any(end.endswith(names) for end in ends):
                yield Class(path, node.lineno, node.name, kind)


def known(path: Path, source: Source, config: Config) -> Iterator[Class]:
    """The classes that surely are of a kind."""
    facts = facts_of(source, config)
    for owner in facts.classes:
        for kind in NAMES:
            if owner.is_a(kind) == "yes":
                line = source.position(facts.span(owner.node.name)[0]).line
                yield Class(path, line, owner.name, kind)


def compare(folder: Path) -> tuple[int, int, int, list[str]]:
    """Files, classes of the scan, classes of the facts, and the differences."""
    config = Config(folder)
    files, by_name, by_fact = 0, set[Class](), set[Class]()
    for path in sorted(folder.rglob("*.py")):
        try:
            source = Source.from_bytes(path.read_bytes(), str(path))
            seen = set(scanned(path, source.text))
            facts = set(known(path, source, config))
        except (UnreadableSource, SyntaxError, ValueError, RecursionError):
            continue
        files += 1
        by_name |= seen
        by_fact |= facts
    differences = [f"  by name only: {_shown(found, folder)}" for found in sorted(by_name - by_fact, key=str)]
    differences += [f"  by facts only: {_shown(found, folder)}" for found in sorted(by_fact - by_name, key=str)]
    return files, len(by_name), len(by_fact), differences


def _shown(found: Class, folder: Path) -> str:
    return f"{found.path.relative_to(folder)}:{found.line} {found.name} ({found.kind})"


def main() -> None:
    for folder in map(Path, sys.argv[1:]):
        files, by_name, by_fact, differences = compare(folder.absolute())
        print(f"{folder.name}: {files} files, {by_name} by name, {by_fact} by facts")
        print("\n".join(differences))


if __name__ == "__main__":
    main()
