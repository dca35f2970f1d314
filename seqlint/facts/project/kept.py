"""Summaries of modules that were read before, from a cache on the disk."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqlint.facts.project.reading import summarise
from seqlint.facts.project.summary import ClassSummary, ModuleSummary, Parameter
from seqlint.knowledge import dataset_functions
from seqlint.sources import reading, surroundings
from seqlint.version import __version__

if TYPE_CHECKING:
    from seqlint.facts.project.modules import Summarise
    from seqlint.sources.cache import Cache

_KEY_SIZE = 20  # bytes


@dataclass(eq=False)
class Kept:
    """Summaries by what they are made from: the bytes of the module, its name, this Python and this code.

    Attributes:
        cache: where they are kept; `flush` is the affair of its owner.
        read: makes a summary that is not kept.
    """

    cache: Cache
    read: Summarise = summarise
    _versions: bytes = field(default_factory=lambda: _versions())

    def summarise(self, data: bytes, name: str, package: bool) -> ModuleSummary | None:
        """As `read` says. What is no Python, or too deep for this run, is not kept."""
        key = self._key(data, name, package)
        text = self.cache.get(key)
        found = from_text(text) if text is not None else None
        if found is None:
            found = self.read(data, name, package)
            if found is not None:
                self.cache.put(key, to_text(found))
        return found

    def _key(self, data: bytes, name: str, package: bool) -> bytes:
        head = b"\0".join((self._versions, name.encode("utf-8", "surrogateescape"), b"01"[package : package + 1], b""))
        found = blake2b(head, digest_size=_KEY_SIZE)
        found.update(data)
        return found.digest()


def _versions() -> bytes:
    """Changes with all that a summary depends on besides the module: the code that makes it, as it is on the disk, and Python."""
    found = blake2b(f"{__version__} {sys.version}".encode(), digest_size=_KEY_SIZE)
    for path in (*sorted(Path(__file__).parent.glob("*.py")), Path(dataset_functions.__file__)):
        found.update(surroundings.read(path, surroundings.LIMIT)[0] or b"")
    return found.hexdigest().encode()


def to_text(summary: ModuleSummary) -> str:
    """A summary as lines of JSON: the module, then for each path in it the classes there; of values their fields."""
    head = [getattr(summary, name) for name in summary.__slots__ if name != "classes"]
    parts = ([*head, list(summary.classes)], *summary.classes.values())
    return "\n".join(json.dumps(part, default=_fields, separators=(",", ":")) for part in parts)


def digest_of(summary: ModuleSummary | None) -> bytes:
    """Changes with all that a module says but the lines of its classes: who asks for these reads the file."""
    if summary is None:
        return reading.NOTHING
    head = [getattr(summary, name) for name in summary.__slots__ if name != "classes"]
    classes = [(path, [_fields(each)[:-1] for each in found]) for path, found in summary.classes.items()]
    return reading.digest(json.dumps([head, classes], default=_fields).encode())


def _fields(value: ClassSummary | Parameter) -> list[object]:
    return [getattr(value, name) for name in value.__slots__]


def from_text(text: str) -> ModuleSummary | None:
    """The summary that `to_text` was given; None for a text that it never gave."""
    head, *classes = text.split("\n")
    try:
        name, package, bindings, stars, exports, returns, paths = json.loads(head)
        return ModuleSummary(
            name,
            package,
            {key: tuple(names) for key, names in bindings.items()},
            tuple(stars),
            tuple(exports) if exports is not None else None,
            _Classes(dict(zip(paths, classes, strict=True))),
            {path: tuple(names) for path, names in returns.items()},
        )
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


class _Classes(Mapping[str, tuple[ClassSummary, ...]]):
    """Classes that are made from their text when they are asked for: of most modules that is one, or none."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._made: dict[str, tuple[ClassSummary, ...]] = {}

    def __getitem__(self, path: str) -> tuple[ClassSummary, ...]:
        if path not in self._made:
            text = self._texts[path]
            try:
                self._made[path] = tuple(map(_class, json.loads(text)))
            except (ValueError, TypeError):
                raise KeyError(path) from None
        return self._made[path]

    def __contains__(self, path: object) -> bool:
        return path in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def _class(fields: list[Any]) -> ClassSummary:
    name, bases, methods, init, line = fields
    parameters = tuple([Parameter(*each) for each in init]) if init is not None else None
    return ClassSummary(name, tuple(map(tuple, bases)), tuple(methods), parameters, line)
