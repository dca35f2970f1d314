"""What other files of a project give the instances of a class to be loaded with: workers, processes."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.sources import surroundings
from seqlint.sources.syntax import neighbour

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.facts.project.project import Project

_BIGGEST = 500_000  # bytes
_MOST_FILES = 200
_TRAINERS = frozenset({
    "fit", "fit_generator", "evaluate", "evaluate_generator", "predict", "predict_generator",
})  # fmt: skip


def loaded_with(project: Project, path: Path, name: str) -> frozenset[str]:
    """The settings, of "workers" and "use_multiprocessing", that a file next to this one, or above it, turns on.

    Only what is written out counts: a literal at the constructor, or at the trainer call that an instance is given to.

    Args:
        path: the file that defines the class.
        name: the class, as it is imported.
    """
    own = os.path.abspath(path)
    folder = os.path.dirname(own)
    files = [
        os.path.join(root, file)
        for root in dict.fromkeys((folder, *project.modules.roots(folder)))
        for file in sorted(surroundings.names(Path(root)))
        if file.endswith(".py")
    ]
    found: set[str] = set()
    for file in [each for each in dict.fromkeys(files) if os.path.abspath(each) != own][:_MOST_FILES]:
        data = surroundings.mentioning(Path(file), name.encode(), _BIGGEST)
        if data is not None and (b"workers" in data or b"use_multiprocessing" in data):
            found |= _in(data, Path(own).stem, name)
    return frozenset(found)


def _in(data: bytes, module: str, name: str) -> set[str]:
    tree = neighbour(data)
    if tree is None:
        return set()
    nodes = list(ast.walk(tree))
    names = set(_imported(nodes, module, name))
    made = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) in names] if names else []
    instances = {
        ast.unparse(target)
        for node in nodes
        if isinstance(node, ast.Assign) and node.value in made
        for target in node.targets
    }
    fits = (node for node in nodes if isinstance(node, ast.Call) and _trains(node, made, instances))
    return {setting for call in (*made, *fits) for setting in _settings(call)}


def _imported(nodes: list[ast.AST], module: str, name: str) -> Iterator[str]:
    """What the class is called there: `Feed`, `loaders.Feed`."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if (node.module or "").rpartition(".")[2] == module and alias.name in (name, "*"):
                    yield alias.asname or name
                elif alias.name == module:
                    yield f"{alias.asname or module}.{name}"
        elif isinstance(node, ast.Import):
            ours = (alias for alias in node.names if alias.name.rpartition(".")[2] == module)
            yield from (f"{alias.asname or alias.name}.{name}" for alias in ours)


def _trains(call: ast.Call, made: list[ast.Call], instances: set[str]) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _TRAINERS:
        return False
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg in ("x", "generator", "validation_data"))]
    return any(value in made or ast.unparse(value) in instances for value in given)


def _settings(call: ast.Call) -> Iterator[str]:
    for keyword in call.keywords:
        value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
        if keyword.arg == "use_multiprocessing" and value is True:
            yield keyword.arg
        if keyword.arg == "workers" and isinstance(value, int) and value > 1:
            yield keyword.arg
