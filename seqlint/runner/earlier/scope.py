"""What every result depends on in addition to its file and the files around it: this program, its rules, and the settings."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import seqlint
from seqlint import registry
from seqlint.sources import surroundings
from seqlint.sources.reading import digest, last_change, state_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.config import Config

_INSTALLED = (".dist-info", ".egg-info", ".egg-link", ".pth")
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+([.\w]+)|import[ \t]+([\w., \t]+))|__import__|import_module", re.MULTILINE)
_OURS = frozenset({"libcst", "seqlint"})


def surface() -> tuple[bytes, int]:
    """Changes with the states of all that makes this program, and so with all that `program` tells of; read from no file.

    Returns:
        The digest, and when one of the files was changed last, in nanoseconds since 1970.
    """
    paths = [*_marks(), *_code()]
    states = [_state(path) for path in paths]
    return _digest([*_circumstances(), *sys.path, *paths, *states]), max(map(last_change, states))


def program() -> bytes:
    """Changes with this program, with what is installed next to it, with Python, and with the folder that it runs in.

    It stays where the same is installed anew, as CI does, or for another machine that has its checkout in the same place.
    """
    files = [path for path in _marks() if os.path.isfile(path)]
    names = [os.path.basename(path) for path in _marks()]
    return _digest([*_circumstances(), *names, *map(_said, (*files, *_code()))])


def _circumstances() -> list[str]:
    return [sys.version, sys.platform, os.getcwd(), str(getattr(os, "getuid", int)()), ""]


def _digest(parts: list[str]) -> bytes:
    return digest("\0".join(parts).encode("utf-8", "surrogateescape"))


def _said(path: str) -> str:
    return f"{os.path.basename(path)} {digest(surroundings.content(Path(path))).hex()}"


def _code() -> list[str]:
    """The modules of this program."""
    return [path for home in (Path(seqlint.__file__).parent, registry.home()) for path in _files(str(home))]


def _marks() -> list[str]:
    """What says which distributions are installed, in which versions."""
    found = []
    for folder in dict.fromkeys(map(os.path.abspath, sys.path)):
        with suppress(OSError), os.scandir(folder) as entries:  # a zip file, or nothing
            found += sorted(entry.path for entry in entries if entry.name.endswith(_INSTALLED))
    return found


def settings(program: bytes, config: Config) -> bytes | None:
    """Changes with the settings of a file, too; None where nobody can tell whether its rules are the same."""
    found = blake2b(program, digest_size=len(program))
    # Whether a walk takes pages, and what is fixed, says nothing of what is found in a file; which files may be changed does.
    told = replace(config, docs=False, unsafe=False, time_limit=0.0, cache=None)
    found.update(repr(told).encode("utf-8", "surrogateescape"))
    for folder in config.rules:
        for path in _files(str(folder), all_of_them=True):
            data = surroundings.content(Path(path))
            if data is None or (path.endswith(".py") and not _stands_alone(data)):
                return None
            found.update(path.encode("utf-8", "surrogateescape") + b"\0" + digest(data))
    return found.digest()


def packs() -> bytes | None:
    """Changes with the rules of packages that offer them; None where nobody can tell."""
    from importlib.util import find_spec

    found = []
    for package in registry.packs():
        spec = find_spec(package.partition(".")[0])
        if spec is None or not spec.submodule_search_locations:
            return None
        found += [package, *(state for folder in spec.submodule_search_locations for state in _states(folder))]
    return "\0".join(found).encode("utf-8", "surrogateescape")


def _state(path: str) -> str:
    try:
        return state_of(os.stat(path))
    except OSError:
        return ""


def _states(folder: str) -> Iterator[str]:
    for path in _files(folder):
        yield f"{path} {_state(path)}"


def _files(folder: str, *, all_of_them: bool = False) -> Iterable[str]:
    """The modules in a folder and below, or all files, sorted."""
    found, waiting = [], [folder]
    seen = set()
    while waiting:
        here = waiting.pop()
        if (real := os.path.realpath(here)) in seen:  # a link may lead back
            continue
        seen.add(real)
        with os.scandir(here) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    found.append(entry.path)
                elif entry.name != "__pycache__" and (all_of_them or "." not in entry.name):
                    (waiting if entry.is_dir() else found).append(entry.path)
    return sorted(found)


def _stands_alone(data: bytes) -> bool:
    """Whether a rule file imports nothing but Python's own modules, seqlint, libcst, and what is next to it."""
    for match in _IMPORT.finditer(data):
        names = (match[1] or match[2] or b"").decode()
        tops = [name.strip().partition(".")[0].partition(" ")[0] for name in names.split(",")]
        relative = names.startswith(".") and not names.startswith("..")
        if not relative and not all(top in _OURS or top in sys.stdlib_module_names for top in tops):
            return False
    return True
