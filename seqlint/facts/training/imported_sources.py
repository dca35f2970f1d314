"""Whether a file can get a Sequence or a dataset from another file of the project, as far as its imports tell."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from seqlint.facts.classes.kinds import judged
from seqlint.facts.project.import_statements import Statement, statement
from seqlint.facts.project.reading import imported_from
from seqlint.facts.project.summary import GENERATOR
from seqlint.knowledge.canonical_names import canonical
from seqlint.knowledge.dataset_functions import is_dataset

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from seqlint.facts.project import Project

_SOURCE = re.compile(r"data|[sS]equence|Iterator|ImageDataGenerator")
_CHAIN = re.compile(r"\w+(?:\s*\.\s*\w+)+")
_WORD = re.compile(r"\w+")
_Asked = dict[str, dict[tuple[str, ...], None]]


def may_import_source(project: Project, path: Path, text: str, imports: Iterable[str]) -> bool:
    """Whether something that a file takes from other files of the project may be, or make, a Sequence or a dataset.

    Args:
        project: seen from the file, by a view of its own: whom this leads to must not change what others find.
        imports: the statements of the text that import something, and what only looks like them.
    """
    module, package = project.module_name(path), path.name == "__init__.py"
    statements = [statement(each) for each in imports]
    if None in statements:
        return True
    asked = _asked(text)
    for _ in range(2):  # a module that is met on the way may have a name that was outside before
        taken = [name for node in statements if node for name in _taken(project, node, module, package, asked)]
        if any(_may_be_source(project, name) for name in dict.fromkeys(taken)):
            return True
    return False


def _asked(text: str) -> _Asked:
    """What a text asks each name for, behind dots."""
    found: _Asked = {}
    for chain in _CHAIN.findall(text):
        parts = _WORD.findall(chain)
        for place, part in enumerate(parts[:-1]):
            found.setdefault(part, {})[tuple(parts[place + 1 :])] = None
    return found


def _taken(project: Project, node: Statement | ast.Pass, module: str, package: bool, asked: _Asked) -> Iterator[str]:
    """The absolute names of what is taken from the project: what is imported, and what is asked of that."""
    if isinstance(node, ast.Pass):
        return
    home = imported_from(node, module, package=package) if isinstance(node, ast.ImportFrom) else ""
    for alias in node.names:
        name = f"{home}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
        if not project.has(name):
            continue
        yield name
        top = alias.name.partition(".")[0]
        known, origin = (alias.asname or top, name) if alias.asname or home else (top, top)
        for parts in asked.get(known, ()) if alias.name != "*" else ():
            yield from (".".join((origin, *parts[: end + 1])) for end in range(len(parts)))


def _may_be_source(project: Project, name: str) -> bool:
    if name.endswith(".*"):
        return True
    if _is_sequence(project, name):
        return True
    made = [each.removesuffix("()") for each in project.origins(f"{name}()") if each.endswith("()")]
    if any(each == GENERATOR or is_dataset(each) or _is_sequence(project, each) for each in made):
        return True
    # What a module has from a library goes by the name that it has there.
    return any(_SOURCE.search(origin) is not None and not project.has(origin) for origin in project.origins(name))


def _is_sequence(project: Project, name: str) -> bool:
    return project.descends(name, lambda found: judged(canonical(found), "sequence")) is True
