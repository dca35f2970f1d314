"""Imports the module that is driven under its own name, with the code that notes which lines ran."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..entering import import_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

    from ..tape import Tape


def load(tape: Tape) -> ModuleType:
    """The module of the job, imported; a factory that imports it gets the same.

    Raises:
        Exception: what the module raises while it is imported.
    """
    script, folder = Path(tape.job["script"]), Path(tape.job["folder"])
    name = dotted(script, folder)
    _look_in(*map(Path, import_path(tape.job)))
    sys.meta_path.insert(0, _Finder(tape))
    if _is_free(name):
        module = importlib.import_module(name)
        if _same(getattr(module, "__file__", None), script):
            return module
    return _under_another_name(tape, script)


def dotted(script: Path, folder: Path) -> str:
    """The name that the file is imported by: with its packages where it lies in one."""
    parts = [script.stem]
    place = script.parent
    while place != folder and (place / "__init__.py").exists():
        parts.insert(0, place.name)
        place = place.parent
    return ".".join(parts)


def _look_in(*places: Path) -> None:
    """Search the folder of the file first, and then the folder that was copied, as its programs would."""
    for place in reversed(places):
        if str(place) not in sys.path[:1]:
            sys.path.insert(0, str(place))


def _is_free(name: str) -> bool:
    """Whether a name can be imported, and is not that of a module which is there already."""
    return all(part.isidentifier() for part in name.split(".")) and name not in sys.modules


def _under_another_name(tape: Tape, script: Path) -> ModuleType:
    name = "".join(letter if letter.isalnum() else "_" for letter in f"_{script.stem}")
    loader = _Loader(name, str(script), tape)
    spec = importlib.util.spec_from_file_location(name, str(script), loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module


def _same(one: str | None, other: Path) -> bool:
    return one is not None and os.path.realpath(one) == os.path.realpath(other)


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, tape: Tape) -> None:
        super().__init__(name, path)
        self._tape = tape

    def get_code(self, fullname: str) -> CodeType:
        return self._tape.marks.compiled(self.get_data(self.get_filename(fullname)))


class _Finder(importlib.abc.MetaPathFinder):
    """Gives the module of the job to whoever imports it; asks the usual finder for the rest."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> Any:
        script = self._tape.job["script"]
        if fullname.rpartition(".")[2] != Path(script).stem:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or not _same(spec.origin, Path(script)):
            return None
        spec.loader = _Loader(fullname, script, self._tape)
        return spec
