"""What bases in other files make for the attributes of their instances."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from seqlint.facts.project.bases import down_to_keras
from seqlint.knowledge.canonical_names import canonical

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.facts.project.project import Project


def makers_in_bases(project: Project, base: str, attribute: str) -> frozenset[str]:
    """The canonical names of what is called for an attribute in the `__init__` of a base: "numpy.random.default_rng".

    None at all where another method, or anything but a call, gives it a value, or a base can't be read.

    Args:
        base: the nearest base in another file, by its canonical name.
    """
    found: set[str] = set()
    for node, path in down_to_keras(project, base, lambda _: True):
        for method in node.body:
            for line in ast.walk(method):
                if isinstance(line, ast.Attribute) and line.attr == attribute and not isinstance(line.ctx, ast.Load):
                    name = _maker(project, path, method, line)
                    if name is None:
                        return frozenset()
                    found.add(name)
    return frozenset(found)


def _maker(project: Project, path: Path, method: ast.stmt, target: ast.Attribute) -> str | None:
    """What is called for an attribute, by its one assignment in `__init__`."""
    if not isinstance(method, ast.FunctionDef) or method.name != "__init__":
        return None
    lines = [each for each in ast.walk(method) if isinstance(each, (ast.Assign, ast.AnnAssign))]
    given = [
        each.value for each in lines if target in (each.targets if isinstance(each, ast.Assign) else [each.target])
    ]
    value = given[0] if len(given) == 1 else None
    if not isinstance(value, ast.Call):
        return None
    view = project.at(path)
    origins = view.origins(f"{view.module_name(path)}.{ast.unparse(value.func)}")
    return canonical(origins[0]) if len(origins) == 1 else None
