"""Decides how a file is run."""

from __future__ import annotations

import ast
import re
from contextlib import suppress
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


def program_for(
    path: Path, text: str, argv: tuple[str, ...] = (), factory: str = "", *, script: bool = False
) -> Program:
    """How a file is run.

    Args:
        factory: "module:function", as it was asked for.
        script: whether the user says that it is one.
    """
    if path.suffix.lower() == ".ipynb":
        return Program("notebook", argv)
    if script:
        return Program("script", argv)
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
    return any(_called(node) in known or _runs_on_replicas(node) for node in _outside(tree))


def _runs_on_replicas(node: ast.AST) -> bool:
    """Whether a node is a call such as `strategy.run(step)`."""
    called = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(called, ast.Attribute) and called.attr == "run" and "strategy" in ast.unparse(called.value).lower()
    )


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
