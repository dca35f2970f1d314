"""Has a program find what it would find in the place of the user: its data, its modules, and its name."""

from __future__ import annotations

import ast
import filecmp
import importlib
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from . import setup
from .guard.guard import CALLS

if TYPE_CHECKING:
    from types import ModuleType

    from .guard.guard import Guard
    from .recording import Job

_AT_THE_START = frozenset(
    {"abc", "codecs", "encodings", "genericpath", "importlib", "io", "ntpath", "os", "posixpath", "runpy", "site", "stat",
     "sys", "zipimport"}
)  # fmt: skip
"""Modules that Python has imported before any program starts."""
_PRIVATE = __package__.partition(".")[0]


def enter(job: Job, guard: Guard) -> list[str]:
    """Start where the program starts; what it can't find there of the user's files."""
    left = _link(job, guard)
    os.chdir(job["start"])
    sys.argv = [job["script"], *job["argv"]]
    sys.path[:0] = import_path(job)
    if job["kind"] == "script" and not package_of(job):
        _uncover(sys.path[0])
    setup.temporary_files(job)
    return left


def _link(job: Job, guard: Guard) -> list[str]:
    """Make the links. Where nothing but Python guards the files, only those that the user has asked for."""
    place, left = os.path.dirname(job["folder"]), []
    try:
        with open(os.path.join(place, "links.json"), encoding="utf-8") as file:
            links = json.load(file)
    except OSError:
        return []
    for name, (target, asked) in links.items():
        if guard.kind == CALLS and not asked:
            left += [os.path.relpath(name, "program")] if name.startswith(f"program{os.sep}") else []
            continue
        with suppress(OSError):
            make_link(os.path.join(place, name), target, asked, os.path.realpath(place))
    return left


def make_link(path: str, target: str, asked: bool, place: str) -> None:
    """Make one link. Where the project has such a file or folder, what the user asks for takes its place, or is added to it.

    Args:
        place: of the run, whole: no link is made elsewhere, where another link may lead to.

    Raises:
        OSError: the link can't be made.
    """
    if not os.path.realpath(os.path.dirname(path)).startswith(place):
        return
    if asked and os.path.isdir(path) and os.path.isdir(target) and not os.path.islink(path):
        for entry in os.scandir(target):
            with suppress(OSError):
                make_link(os.path.join(path, entry.name), entry.path, asked, place)
        return
    if asked and (os.path.islink(path) or (os.path.isfile(path) and not filecmp.cmp(path, target, shallow=False))):
        os.remove(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(target, path, target_is_directory=os.path.isdir(target))


def import_path(job: Job) -> list[str]:
    """Where modules of the program are looked for first: next to it, from the folder of its package, and from its project."""
    script, folder = Path(job["script"]), Path(job["folder"])
    top = script.parent
    while (top / "__init__.py").is_file() and top != folder:
        top = top.parent
    own = [] if job["kind"] == "script" and package_of(job) else [script.parent]
    return list(map(str, dict.fromkeys([*own, top, *([folder / "src"] if (folder / "src").is_dir() else []), folder])))


def package_of(job: Job) -> str:
    """The package of a script that is meant to be run as a module of it, as `python -m package.train` does; else empty."""
    script, folder = Path(job["script"]), Path(job["folder"])
    with suppress(SyntaxError, ValueError, OSError):
        nodes = ast.walk(ast.parse(script.read_bytes()))
        if any(isinstance(node, ast.ImportFrom) and node.level for node in nodes):
            top, parts = script.parent, [script.parent.name]
            while (top.parent / "__init__.py").is_file() and top.parent != folder:
                top = top.parent
                parts.insert(0, top.name)
            return "" if script.parent == folder else ".".join(parts)
    return ""


def join_package(job: Job, main: ModuleType) -> None:
    """Make the module `__main__` part of its package.

    Raises:
        Exception: what the package raises when it is imported.
    """
    package = package_of(job)
    if package:
        importlib.import_module(package)
        main.__package__ = package


def _uncover(place: str) -> None:
    """Forget modules that the recorder has imported, and that the program would find next to it under the same names."""
    names = {path.stem for path in Path(place).glob("*.py")}
    for name in names & {module.partition(".")[0] for module in sys.modules} - _AT_THE_START - {"__main__", _PRIVATE}:
        if name not in sys.builtin_module_names:
            for module in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
                del sys.modules[module]
