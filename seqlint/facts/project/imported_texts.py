"""The texts of the project's files that a file imports: what a rule needs may stand there."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.facts.project.import_statements import Statement, statement
from seqlint.facts.project.reading import imported_from
from seqlint.sources import surroundings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.facts.project.modules import Modules

_BIGGEST = 200_000  # bytes; a bigger file is not followed either
_MOST = 30


def imported_texts(modules: Modules, path: Path, imports: Iterable[str]) -> Iterator[str]:
    """The text of each file of the project that a file imports, and of what packages among these hand on; each once, at most 30.

    Args:
        modules: of the project.
        path: the file, absolute.
        imports: the texts of its import statements.
    """
    waiting = [(path, found) for each in imports if isinstance(found := statement(each), Statement)]
    seen = {str(path)}
    for home, node in waiting:  # which grows on the way
        for file in _files(modules, home, node):
            if file in seen or len(seen) > _MOST:
                continue
            seen.add(file)
            data = surroundings.content(Path(file), _BIGGEST)
            if data is None:
                continue
            yield data.decode(errors="replace")
            if file.endswith("__init__.py"):
                waiting += [(Path(file), more) for more in _imports(data)]


def _files(modules: Modules, home: Path, node: Statement) -> Iterator[str]:
    """The files that the names of an import lead to."""
    package = home.name == "__init__.py"
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        base = imported_from(node, modules.name_of(str(home)), package=package)
        names = [f"{base}.{alias.name}" if alias.name != "*" else base for alias in node.names] if base else []
    for name in names:
        found = modules.find(name, os.path.dirname(home))
        if found is not None and found[0].endswith(".py"):
            yield found[0]


def _imports(data: bytes) -> Iterator[Statement]:
    """The imports at the top of a file."""
    try:
        body = ast.parse(data).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    yield from (node for node in body if isinstance(node, Statement))
