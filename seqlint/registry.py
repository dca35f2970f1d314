"""Finds rules: the folder that seqlint ships, folders of a project, and packages that offer entry points.

Nobody imports a rule by name: in a checkout the shipped folder is `rules/` beside the package, once installed it is
`seqlint/rules`. Loading the folder works for both.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

from seqlint.model import LoadedRule, Rule, RuleError

_GROUP = "seqlint.rules"


def home() -> Path:
    """The folder of shipped rules: inside the package once installed, beside it in a checkout."""
    here = Path(__file__).parent
    return next(folder for folder in (here / "rules", here.parent / "rules") if folder.is_dir())


@cache
def load(folders: tuple[Path, ...] = ()) -> tuple[LoadedRule, ...]:
    """All rules, in the order of their codes.

    Args:
        folders: rule folders of the project, beside the shipped one.

    Raises:
        RuleError: a rule file fails to import or states no rule, or two rules share a code or a name.
    """
    found = list(_folder("seqlint.rules", home()))
    for folder in folders:
        found += _folder(_local(folder), folder)
    for package in packs():
        found += _pack(package)
    return _sorted(found)


def packs() -> list[str]:
    """The packages that offer rules, of those that are installed."""
    if not any(_may_offer(place) for place in dict.fromkeys(sys.path)):
        return []  # importlib.metadata takes longer to start than all the rules do
    from importlib.metadata import entry_points

    return [entry.value for entry in sorted(entry_points(group=_GROUP))]


def _may_offer(place: str) -> bool:
    try:
        names = os.listdir(place or os.curdir)
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

    return f"seqlint.local_{blake2b(str(folder).encode('utf-8', 'surrogateescape'), digest_size=8).hexdigest()}"


def _folder(package: str, folder: Path) -> list[LoadedRule]:
    if not os.path.isdir(folder):
        raise RuleError(f"the rule folder {folder} does not exist")
    _package(package, folder)
    names = sorted(module.name for module in iter_modules([str(folder)]))
    return [_rule(f"{package}.{name}", folder) for name in names]


def _pack(package: str) -> list[LoadedRule]:
    module = _imported(package, f"the rule package {package}")
    folder = Path(next(iter(module.__path__)))
    return [_rule(f"{package}.{found.name}", folder) for found in iter_modules([str(folder)])]


def _package(name: str, folder: Path) -> None:
    """Make `folder` importable as the package `name`; rule folders need no `__init__.py`."""
    package = ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package


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
    return LoadedRule(rule, check, module.__doc__ or "", path)


def _sorted(found: list[LoadedRule]) -> tuple[LoadedRule, ...]:
    rules = sorted(found, key=lambda loaded: loaded.rule.code)
    seen: dict[str, Path] = {}
    for loaded in rules:
        for word in (loaded.rule.code, loaded.rule.name):
            if word in seen:
                raise RuleError(f"{word} is stated by {seen[word]} and by {loaded.path}")
            seen[word] = loaded.path
    return tuple(rules)
