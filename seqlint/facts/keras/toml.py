"""What pyproject.toml, a Pipfile and lock files ask for."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from seqlint.facts.keras.ranges import TENSORFLOW
from seqlint.facts.keras.requirements import (
    LONGEST,
    Requirement,
    line_of,
    normalised,
    requirement,
    translated,
    wanted,
)
from seqlint.facts.keras.translate import poetry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# The tools write every package as two such lines; reading them is a hundred times cheaper than reading TOML.
_LOCKED = re.compile(
    rf"^name = \"({'|'.join(('keras', 'tf[-_]keras', 'numpy', 'pandas', *sorted(TENSORFLOW)))})\"\r?\nversion = \"([^\"]+)\"",
    re.MULTILINE | re.IGNORECASE,
)


def from_lock(text: str) -> Iterator[Requirement]:
    """uv.lock, poetry.lock, pdm.lock, pylock.toml. A package that is locked twice gives alternatives."""
    line, seen, position = 1, list[str](), 0
    for found in _LOCKED.finditer(text):
        line += text.count("\n", position, found.start())
        position = found.start()
        name = normalised(found[1])
        seen.append(name)
        yield from translated(name, (f"=={found[2]}",), line, f"version {seen.count(name)}")


def from_pipfile_lock(text: str) -> Iterator[Requirement]:
    """Pipfile.lock."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return
    for section in ("default", "develop"):
        for name, entry in _table(_table(data).get(section)).items():
            if isinstance(version := _table(entry).get("version"), str):
                yield from translated(name, (version,), line_of(text, f'"{name}"'), _group(section, "default"))


def from_pipfile(text: str) -> Iterator[Requirement]:
    """Pipfile."""
    data = _load(text)
    yield from _poetry_table(text, data.get("packages"), "")
    yield from _poetry_table(text, data.get("dev-packages"), "group dev")


def from_pyproject(text: str) -> Iterator[Requirement]:
    """pyproject.toml: the dependencies, extras and groups of PEP 621, PEP 735, Poetry, uv and PDM."""
    data = _load(text)
    project, tool = _table(data.get("project")), _table(data.get("tool"))
    yield from _items(text, project.get("dependencies"), "")
    for extra, items in _table(project.get("optional-dependencies")).items():
        yield from _items(text, items, f"extra {extra}")
    groups = {**_table(_table(tool.get("pdm")).get("dev-dependencies")), **_table(data.get("dependency-groups"))}
    for group, items in {**groups, "dev of uv": _table(tool.get("uv")).get("dev-dependencies")}.items():
        yield from _items(text, items, f"group {group}")
    yield from _items(text, _table(tool.get("uv")).get("constraint-dependencies"), "")
    yield from _poetry(text, _table(tool.get("poetry")))


def _poetry(text: str, table: Mapping[str, object]) -> Iterator[Requirement]:
    yield from _poetry_table(text, table.get("dependencies"), "")
    yield from _poetry_table(text, table.get("dev-dependencies"), "group dev")
    for group, content in _table(table.get("group")).items():
        yield from _poetry_table(text, _table(content).get("dependencies"), f"group {group}")


def _poetry_table(text: str, table: object, variant: str) -> Iterator[Requirement]:
    for name, entry in _table(table).items():
        if not wanted(normalised(name)):
            continue
        choices = entry if isinstance(entry, list) else [entry]
        for number, choice in enumerate(choices):
            version = choice if isinstance(choice, str) else _table(choice).get("version")
            if isinstance(version, str) and len(version) <= LONGEST:
                under = f"{variant} choice {number}" if len(choices) > 1 else variant or _condition(choice)
                yield from translated(name, poetry(version), _line_of_key(text, name), under)


def _condition(choice: object) -> str:
    """The marker, or the Python, that a demand of Poetry holds under."""
    found = (_table(choice).get(key) for key in ("markers", "python", "platform"))
    return "; ".join(value for value in found if isinstance(value, str))


def _items(text: str, items: object, variant: str) -> Iterator[Requirement]:
    for item in items if isinstance(items, list) else ():
        if isinstance(item, str):
            for found in requirement(item, 1, variant):
                yield replace(found, line=_line_of_item(text, item))


def _line_of_item(text: str, item: str) -> int:
    """The line of an item of a list, not of the same words in a comment or a longer item."""
    found = re.search(rf"[\"']{re.escape(item)}[\"']", text)
    return text.count("\n", 0, found.start()) + 1 if found else line_of(text, item)


def _line_of_key(text: str, name: str) -> int:
    found = re.search(rf"^\s*[\"']?{re.escape(name)}[\"']?\s*=", text, re.MULTILINE)
    return text.count("\n", 0, found.end()) + 1 if found else line_of(text, name)


def _group(section: str, main: str) -> str:
    return "" if section == main else f"group {section}"


def _load(text: str) -> Mapping[str, object]:
    loads = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli").loads
    try:
        return _table(loads(text))
    except (ValueError, RecursionError):
        return {}


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
