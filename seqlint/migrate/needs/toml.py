"""pyproject.toml and Pipfile: the places of demands in the text, so that an edit leaves all else as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.facts.keras.requirements import LONGEST, normalised
from seqlint.facts.keras.translate import poetry as poetry_specifiers
from seqlint.migrate.needs.demand import Demand
from seqlint.migrate.needs.spots import Spot, Style, is_specifier, matters, of_requirement

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)|(?P<long>\"\"\".*?\"\"\"|'''.*?''')|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*')"
    r"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<line>\n)|(?P<equals>=)",
    re.DOTALL,
)
_HEAD = re.compile(r"[ \t]*\[{1,2}[ \t]*([^\]\n]+?)[ \t]*\]{1,2}[ \t]*(?:#[^\n]*)?\r?(?:\n|$)")
_KEY = re.compile(
    r"[ \t]*((?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*'))*)[ \t]*="
)
_PART = re.compile(r"[\w-]+|\"[^\"\n]*\"|'[^'\n]*'")
_ALONE = re.compile(r"[ \t]*,?[ \t]*(?:#[^\n]*)?\r?(?:\n|$)")


@dataclass(frozen=True, slots=True)
class _String:
    """A text in the file: its inner characters, the keys that lead to it, and how deep in brackets it is."""

    start: int
    end: int
    path: tuple[str, ...]
    depth: int
    key: tuple[int, int]


def of_pyproject(text: str) -> Iterator[Spot]:
    """The demands of PEP 621, PEP 735, uv, PDM, Hatch and Poetry."""
    for found in _strings(text):
        if _is_list(found.path) and found.depth:
            yield from _item(text, found)
        elif (name := _of_poetry(found.path)) is not None:
            yield from _entry(text, found, name, "poetry")


def of_pipfile(text: str) -> Iterator[Spot]:
    """The demands of Pipenv."""
    for found in _strings(text):
        if len(found.path) > 1 and found.path[0] in ("packages", "dev-packages"):
            yield from _entry(text, found, found.path[1], "table")


def _is_list(path: tuple[str, ...]) -> bool:
    return (
        path[:2] in (("project", "dependencies"), ("project", "optional-dependencies"))
        or path[:1] == ("dependency-groups",)
        or path[:3] == ("tool", "pdm", "dev-dependencies")
        or (path[:2] == ("tool", "uv") and path[-1].endswith("dependencies"))
        or (path[:3] == ("tool", "hatch", "envs") and path[-1].endswith("dependencies"))
    )


def _of_poetry(path: tuple[str, ...]) -> str | None:
    """The distribution that an entry of Poetry is for."""
    if path[:2] != ("tool", "poetry"):
        return None
    place = 4 if path[2:3] == ("group",) else 2
    is_table = path[place : place + 1] in (("dependencies",), ("dev-dependencies",))
    return path[place + 1] if is_table and len(path) > place + 1 else None


def _item(text: str, found: _String) -> Iterator[Spot]:
    spot = of_requirement(text[found.start : found.end], found.start, _whole_item(text, found))
    if spot is not None:
        yield spot


def _whole_item(text: str, found: _String) -> tuple[int, int]:
    """An item of a list with its comma; with its line where it is alone there."""
    start, end = found.start - 1, found.end + 1
    line = text.rfind("\n", 0, start) + 1
    alone = _ALONE.match(text, end)
    if not text[line:start].strip() and alone is not None:
        return line, alone.end()
    after = re.compile(r"[ \t]*,[ \t]*").match(text, end)
    if after is not None:
        return start, after.end()
    before = re.search(r",\s*$", text[:start])
    return (before.start() if before is not None else start), end


def _entry(text: str, found: _String, name: str, style: Style) -> Iterator[Spot]:
    """The version in an entry such as `keras = "^2.4"` or `keras = {version = "^2.4"}`."""
    is_version = found.path[-1] in (name, "version") and (
        not found.depth or re.search(r"\bversion\s*=\s*[\"']$", text[: found.start]) is not None
    )
    if not matters(name) or not is_version or found.end - found.start > LONGEST:
        return
    old = text[found.start : found.end]
    demands = poetry_specifiers(old) if style == "poetry" else (("" if old == "*" else old),)
    one = demands[0] if len(demands) == 1 and is_specifier(demands[0]) else None
    demand = None if one is None else Demand(normalised(name), one)
    line = text.rfind("\n", 0, found.key[0]) + 1
    end = _ALONE.match(text, found.end + 1)
    gone = (line, end.end()) if not found.depth and end is not None and found.path[-1] == name else None
    shown = text[line : text.find("\n", line) if "\n" in text[line:] else len(text)].strip()
    yield Spot(
        found.start,
        found.end,
        gone,
        demand,
        shown,
        style,
        "",
        old,
        renames=(found.key[0], found.end + 1) if gone else None,
    )


def _strings(text: str) -> Iterator[_String]:
    """The texts in values, with the keys that lead to them."""
    table: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    at, here, depth = (0, 0), 0, 0
    while here < len(text):
        if depth == 0 and (here == 0 or text[here - 1] == "\n"):
            head, named = _HEAD.match(text, here), _KEY.match(text, here)
            if head is not None:
                table, key, here = _parts(head[1]), (), head.end()
                continue
            if named is not None:
                key, at, here = _parts(named[1]), named.span(1), named.end()
                continue
        token = _TOKEN.search(text, here)
        if token is None:
            return
        kind = token.lastgroup
        depth += (kind == "open") - (kind == "close")
        if kind == "string" and key:
            yield _String(token.start() + 1, token.end() - 1, (*table, *key), depth, at)
        here = token.end()


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(text))


def values(text: str) -> list[tuple[str, object]] | None:
    """All that a TOML file says, as keys with plain values, sorted; None where it is not TOML."""
    from importlib import import_module
    from sys import version_info

    try:
        data = import_module("tomllib" if version_info >= (3, 11) else "tomli").loads(text)
    except (ValueError, RecursionError):
        return None
    return sorted(_flat(data, ""), key=repr)


def _flat(value: object, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flat(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from _flat(inner, f"{path}[]")
    else:
        yield path, value
