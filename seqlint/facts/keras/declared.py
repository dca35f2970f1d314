"""The files in a folder that say which Keras a project asks for, in the order in which they are believed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from seqlint.facts.keras.code import usage
from seqlint.facts.keras.ranges import Range, either, possible
from seqlint.facts.keras.requirements import (
    Requirement,
    from_conda,
    from_pip,
    from_setup_cfg,
    from_setup_py,
    is_for_work,
    sets_legacy,
)
from seqlint.facts.keras.toml import from_lock, from_pipfile, from_pipfile_lock, from_pyproject
from seqlint.sources import surroundings

if TYPE_CHECKING:
    from pathlib import Path

Read = Callable[[str], Iterator[Requirement]]

_LOCKS: tuple[tuple[str, Read], ...] = (
    ("uv.lock", from_lock),
    ("poetry.lock", from_lock),
    ("pdm.lock", from_lock),
    ("pylock.toml", from_lock),
    ("Pipfile.lock", from_pipfile_lock),
)
_MANIFESTS: tuple[tuple[str, Read], ...] = (
    ("pyproject.toml", from_pyproject),
    ("Pipfile", from_pipfile),
    ("setup.cfg", from_setup_cfg),
    ("setup.py", from_setup_py),
)
_INIT = "__init__.py"
_DEPTH = 8  # of requirement files that include each other


@dataclass(frozen=True)
class Declared:
    """What one file asks for, or several of a kind that are alternatives.

    Attributes:
        folder: the folder that was looked at.
        requirements: all that matter here.
        legacy: the file that sets TF_USE_LEGACY_KERAS for the whole environment; "" if none does.
    """

    folder: Path
    requirements: tuple[Requirement, ...]
    legacy: str = ""

    def range_of(self, names: frozenset[str]) -> Range:
        """The range that the demands on some distributions leave; empty if they leave everything.

        What always holds is not narrowed by an extra or a group, because a user without it is not bound.
        """
        found = [requirement for requirement in self.requirements if requirement.name in names]
        fixed = tuple(_demand(requirement) for requirement in found if not requirement.variant)
        speaking = tuple(demand for demand in fixed if demand[1])
        if speaking:
            return possible((tuple(dict.fromkeys(speaking)),))
        variants = dict.fromkeys(requirement.variant for requirement in found if requirement.variant)
        alternatives: list[Range] = [_speaking(found, variant) for variant in variants]
        return possible(either(alternatives)) if alternatives and not fixed else ()

    def names(self, name: str) -> bool:
        """Whether a distribution is asked for at all."""
        return any(requirement.name == name for requirement in self.requirements)

    def place(self, names: frozenset[str]) -> tuple[str, int]:
        """The file, as seen from the folder, and the line of the first demand on one of the distributions."""
        found = [requirement for requirement in self.requirements if requirement.name in names]
        first = next((requirement for requirement in found if requirement.specifier), found[0])
        return first.file, first.line


def _speaking(found: list[Requirement], variant: str) -> Range:
    demands = (_demand(requirement) for requirement in found if requirement.variant == variant)
    speaking = tuple(dict.fromkeys(demand for demand in demands if demand[1]))
    return (speaking,) if speaking else ()


def _demand(requirement: Requirement) -> tuple[str, str]:
    return requirement.name, requirement.specifier


def declared(folder: Path) -> tuple[Declared, ...]:
    """What the files in a folder ask for: locks, requirement files, manifests, environments of conda."""
    present = surroundings.names_of_needs(folder)
    found = _switch(folder)
    found += [_read(folder, name, read) for name, read in _LOCKS if name in present]
    found += _requirement_files(folder, present)
    found += [_read(folder, name, read) for name, read in _MANIFESTS if name in present]
    found += [_read(folder, name, from_conda) for name in sorted(present) if is_conda(name)]
    return tuple(one for one in found if one.requirements or one.legacy)


def _switch(folder: Path) -> list[Declared]:
    """The `__init__.py` of a package, which runs before its modules, where it sets TF_USE_LEGACY_KERAS."""
    data = surroundings.mentioning(folder / _INIT, b"TF_USE_LEGACY_KERAS")
    legacy = data is not None and usage(data.decode(errors="replace")).legacy
    return [Declared(folder, (), _INIT)] if legacy else []


def is_conda(name: str) -> bool:
    """Whether a file is an environment of conda that the code is run in, by its name."""
    return name.startswith(("environment", "conda")) and name.endswith((".yml", ".yaml")) and not is_for_work(name)


def locked(name: str, text: str) -> Iterator[Requirement]:
    """What a lock file locks.

    Args:
        name: such as "uv.lock".
        text: what is in it.
    """
    read = dict(_LOCKS).get(name)
    return iter(()) if read is None else read(text)


def _read(folder: Path, name: str, read: Read) -> Declared:
    text = surroundings.text(folder / name) or ""
    found = tuple(replace(requirement, file=name) for requirement in read(text) if not _is_for_work(requirement))
    return Declared(folder, found, name if is_conda(name) and sets_legacy(text) else "")


def _is_for_work(requirement: Requirement) -> bool:
    """Whether those alone install it who work on the project: its extra or group is for tests, say."""
    kind, _, name = requirement.variant.partition("; ")[0].partition(" ")
    return kind in ("extra", "group") and is_for_work(name)


def _requirement_files(folder: Path, present: frozenset[str]) -> list[Declared]:
    """requirements.txt; after it all others together, each an alternative, because one of them is installed.

    Those for tests, documentation and development say nothing of what the code is run with.
    """
    named = sorted(name for name in present if "requirements" in name and name.endswith((".txt", ".in")))
    others = [name for name in named if name != "requirements.txt"]
    if "requirements" in present:
        inside = surroundings.names_of_needs(folder / "requirements")
        others += [f"requirements/{name}" for name in sorted(inside) if name.endswith((".txt", ".in"))]
    found = [_read_pip(folder, "requirements.txt")] if "requirements.txt" in present else []
    others = [name for name in others if not is_for_work(name)]
    alternatives = tuple(item for name in others for item in _alternative(folder, name))
    return [*found, Declared(folder, alternatives)] if alternatives else found


def _alternative(folder: Path, name: str) -> Iterator[Requirement]:
    for requirement in _read_pip(folder, name).requirements:
        variant = "; ".join(filter(None, (name, requirement.variant)))
        yield replace(requirement, variant=variant)


def _read_pip(folder: Path, name: str) -> Declared:
    return Declared(folder, tuple(_pip(folder, name, ())))


def _pip(folder: Path, name: str, above: tuple[str, ...]) -> Iterator[Requirement]:
    if name in above or len(above) > _DEPTH:
        return
    text = surroundings.text(folder / name)
    home = name.rpartition("/")[0]
    include = partial(_included, folder, home, (*above, name))
    for found in from_pip(text or "", include):
        yield replace(found, file=found.file or name)


def _included(folder: Path, home: str, above: tuple[str, ...], target: str) -> Iterator[Requirement]:
    if "://" not in target:
        yield from _pip(folder, _tidy(f"{home}/{target}" if home else target), above)


def _tidy(name: str) -> str:
    """A relative path without the detours, so that a file that includes itself is seen."""
    parts: list[str] = []
    for part in name.replace("\\", "/").split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
