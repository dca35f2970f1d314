"""Decides how a file is run, and which folder it needs for that."""

from __future__ import annotations

import ast
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from seqlint.proof.programs import Program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SMOKE = "seqlint_smoke"
"""The module next to a file whose functions make what is driven."""
_TRAINS = frozenset(
    {"fit", "fit_generator", "train_on_batch", "evaluate", "evaluate_generator", "test_on_batch", "predict",
     "predict_generator", "predict_on_batch", "apply_gradients", "minimize"}
)  # fmt: skip
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_ENDS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
_FARTHEST = 5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a program runs: the folder whose small files are copied, and the path of the file in it."""

    folder: Path
    script: str


def program_for(path: Path, text: str, argv: tuple[str, ...] = (), factory: str = "") -> Program:
    """How a file is run.

    Args:
        factory: "module:function", as it was asked for.
    """
    if path.suffix.lower() == ".ipynb":
        return Program("notebook", argv)
    if factory:
        return Program("classes", argv, factory)
    if path.stem != SMOKE and _smokes(path):
        return Program("classes", argv, SMOKE)
    return Program("script" if trains(text) else "classes", argv)


def trains(text: str) -> bool:
    """Whether code runs a model when it is run as a script; what is no Python is left to the run itself."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return True
    known = {"main", *_TRAINS, *_trainers(tree)}
    return any(_called(node) in known for node in _outside(tree))


def place_of(path: Path, text: str, program: Program) -> Place:
    """The folder that a program needs: its own; for a module that others import, that from which its imports are found."""
    folder = path.parent
    if program.kind == "classes":
        while (folder / "__init__.py").is_file() and folder != folder.parent:
            folder = folder.parent
        folder = _wide_enough(path.parent, folder, text)
    return Place(folder, path.relative_to(folder).as_posix())


def _smokes(path: Path) -> bool:
    """Whether factories for a file are next to it."""
    with suppress(OSError, UnicodeDecodeError):
        text = (path.parent / f"{SMOKE}.py").read_text("utf-8")
        return re.search(rf"\b{re.escape(path.stem)}\b", text) is not None
    return False


def _trainers(tree: ast.Module) -> set[str]:
    """Names of functions, methods and classes of a module that run a model, themselves or through each other."""
    called: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            called.setdefault(node.name, set()).update(map(_called, ast.walk(node)))
    # Hooks run when Keras calls them, and not because somebody has such a class.
    found = {name for name, names in called.items() if names & _TRAINS and not name.startswith(("on_", "__"))}
    while (
        more := {name for name, names in called.items() if names & found and not name.startswith(("on_", "__"))} - found
    ):
        found |= more
    return found


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when a module runs."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _DEFINES):
            yield child
            yield from _outside(child)


def _called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _wide_enough(own: Path, folder: Path, text: str) -> Path:
    """The nearest folder above from which the imports of the project are found; the given one where none is."""
    wanted = {name for name in _imported(text) if not _has(own, name) and not _has(folder, name)}
    wanted = {name for name in wanted if name not in sys.stdlib_module_names and not _installed(name)}
    above = folder
    for _ in range(_FARTHEST):
        if not wanted or above == above.parent or any((above / end).exists() for end in _ENDS):
            break
        above = above.parent
        if any(_has(above, name) for name in wanted):
            return above
    return folder


def _imported(text: str) -> set[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {
        node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module and not node.level
    }
    return {name.partition(".")[0] for name in names}


def _has(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or any((folder / name).glob("*.py"))


def _installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False
