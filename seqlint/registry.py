"""Finds rules: the folder that seqlint ships, folders of a project, and packages that offer entry points.

Nobody imports a rule by name: in a checkout the shipped folder is `rules/` next to the package, once installed it is
`seqlint/rules`. Loading the folder works for both.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from importlib import import_module
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from seqlint.model import LoadedRule, Rule, RuleError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType

_GROUP = "seqlint.rules"
_SHIPPED = "seqlint.rules"
_RULE_FILE = re.compile(r"([a-z]+[0-9]+)_(\w+)\.py")
_LOCAL = "seqlint.local_"


def home() -> Path:
    """The folder of shipped rules: inside the package once installed, next to it in a checkout."""
    here = Path(__file__).parent
    return next(folder for folder in (here / "rules", here.parent / "rules") if folder.is_dir())


@cache
def load(folders: tuple[Path, ...] = ()) -> tuple[LoadedRule, ...]:
    """All rules, in the order of their codes. Those that are shipped are imported when somebody asks what they state.

    Args:
        folders: rule folders of the project that the user trusts, in addition to the shipped one: what is in them runs.

    Raises:
        RuleError: a rule file fails to import or states no rule, or two rules share a code or a name.
    """
    found = list(_folder(_SHIPPED, home()))
    for folder in folders:
        found += _folder(_local(folder), folder)
    for package in packs():
        found += _pack(package)
    return _sorted(found)


def forget() -> None:
    """Load the rules of projects anew when they are asked for: the user has trusted others."""
    load.cache_clear()
    for name in [name for name in sys.modules if name.startswith(_LOCAL)]:
        del sys.modules[name]


def packs() -> list[str]:
    """The packages that offer rules, of those that are installed."""
    places = _installed()
    if not any(map(_may_offer, places)):
        return []  # importlib.metadata takes longer to start than all the rules do
    from importlib.metadata import distributions

    # Of two versions Python imports the first.
    found = {str(one.metadata["Name"]): one for one in reversed(list(distributions(path=places)))}
    entries = (entry for one in found.values() for entry in one.entry_points if entry.group == _GROUP)
    return [entry.value for entry in sorted(entries)]


def _installed() -> list[str]:
    """Where installed packages lie. Python may look into the working directory, too; nobody has installed what lies there."""
    try:
        here = os.getcwd()
    except OSError:  # it was removed
        here = ""
    return [place for place in dict.fromkeys(sys.path) if place not in ("", here)]


def _may_offer(place: str) -> bool:
    try:
        names = os.listdir(place)
    except NotADirectoryError:
        return True  # an archive
    except OSError:
        return False
    folders = [name for name in names if name.endswith((".dist-info", ".egg-info", ".egg"))]
    return any(name.endswith(".egg") or _says(os.path.join(place, name, "entry_points.txt")) for name in folders)


def _says(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return _GROUP.encode() in file.read()
    except OSError:
        return False


def _local(folder: Path) -> str:
    """A package name of the folder's own: projects in one run may have rule files of the same name."""
    from hashlib import blake2b

    return f"{_LOCAL}{blake2b(str(folder).encode('utf-8', 'surrogateescape'), digest_size=8).hexdigest()}"


def _folder(package: str, folder: Path) -> list[LoadedRule]:
    if not os.path.isdir(folder):
        raise RuleError(f"the rule folder {folder} does not exist")
    _package(package, folder)
    found = (
        module for module in iter_modules([str(folder)]) if module.ispkg or os.path.isfile(folder / f"{module.name}.py")
    )
    names = sorted(module.name for module in found)
    read = _named if package == _SHIPPED else _rule
    return [read(f"{package}.{name}", folder) for name in names]


def _pack(package: str) -> list[LoadedRule]:
    module = _imported(package, f"the rule package {package}")
    folder = Path(next(iter(module.__path__)))
    return [_rule(f"{package}.{found.name}", folder) for found in iter_modules([str(folder)])]


def _package(name: str, folder: Path) -> None:
    """Make `folder` importable as the package `name`; rule folders need no `__init__.py`."""
    package = ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package
    if name.startswith(_LOCAL) and _LocalModules not in sys.meta_path:
        sys.meta_path.insert(0, _LocalModules)


class _LocalModules:
    """Finds what the rule folders of projects import of themselves in Python files alone.

    The user has trusted the text of these files. Bytecode or a library next to them may say anything else, and Python would
    take them first.
    """

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if path is None or not name.startswith(_LOCAL):
            return None
        specs = (FileFinder(folder, (_FromText, [".py"])).find_spec(name) for folder in path)
        found = next((spec for spec in specs if spec is not None), None)
        if found is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return found


class _FromText(SourceFileLoader):
    """Compiles the text, whatever bytecode is next to it, and leaves none there."""

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


def words_of(file: str) -> tuple[str, str] | None:
    """The code and the name of the rule in a file, as the name of the file says: `seq201_swallowed_exception.py`."""
    found = _RULE_FILE.fullmatch(file)
    return (found[1].upper(), found[2].replace("_", "-")) if found is not None else None


def _named(name: str, folder: Path) -> LoadedRule:
    """A shipped rule, by its file alone. The tests hold the names of these files to what is in them."""
    file = _file(name, folder)
    words = words_of(file.name)
    return LoadedRule(*words, file, lambda: _rule(name, folder).load()) if words is not None else _rule(name, folder)


def _rule(name: str, folder: Path) -> LoadedRule:
    file = _file(name, folder)
    return _loaded(_imported(name, f"the rule file {file}"), file)


def _imported(name: str, what: str) -> ModuleType:
    try:
        return import_module(name)
    except (Exception, SystemExit) as error:  # a module may do anything, and end the process too
        raise RuleError(f"{what} can't be imported: {type(error).__name__}: {error}") from error


def _file(name: str, folder: Path) -> Path:
    return folder / f"{name.rpartition('.')[2]}.py"


def _loaded(module: ModuleType, path: Path) -> LoadedRule:
    rule, check = getattr(module, "RULE", None), getattr(module, "check", None)
    if not isinstance(rule, Rule) or not callable(check):
        raise RuleError(f"the rule file {path} needs a RULE of type Rule and a function check(facts)")
    return LoadedRule.of(rule, check, module.__doc__ or "", path)


def _sorted(found: list[LoadedRule]) -> tuple[LoadedRule, ...]:
    rules = sorted(found, key=lambda loaded: loaded.code)
    seen: dict[str, Path] = {}
    for loaded in rules:
        for word in (loaded.code, loaded.name):
            if word in seen:
                raise RuleError(f"{word} is stated by {seen[word]} and by {loaded.path}")
            seen[word] = loaded.path
    return tuple(rules)
