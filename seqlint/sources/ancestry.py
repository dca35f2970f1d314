"""What the bytes of a module say of its classes: their bases, where these come from, and methods that may call those of subclasses."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Each begins with a newline, which is faster to look for than a place after one.
_IMPORT = re.compile(
    rb"\n[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\([^)]*\)?|[^\n]*)|import[ \t]+([\w.]+)([^\n]*))"
)
_CLASS = re.compile(rb"\n[ \t]*class (\w+)\(([^)]*)\)\s*:")
_METHOD = re.compile(rb"\n[ \t]+def \w+\(\s*(?:self|cls)\b")
_GIVES = re.compile(rb"\n[ \t]+def (?:__getitem__|__len__|on_epoch_end|on_epoch_begin)\b")
_WORD = re.compile(rb"[^\W\d]\w*")
_NO_BASES = frozenset({
    b"ABC", b"ABCMeta", b"BaseModel", b"Enum", b"Exception", b"Generic", b"IntEnum", b"NamedTuple", b"Protocol", b"RuntimeError",
    b"TestCase", b"TypedDict", b"ValueError", b"abc", b"dict", b"int", b"list", b"metaclass", b"object", b"str", b"tuple", b"typing",
})  # fmt: skip


@dataclass(frozen=True)
class Ancestry:
    """What the bytes of a module say.

    Attributes:
        folder: where it is.
        screened: whether it names Keras.
        gives: whether it has a method that Keras calls for a batch or an epoch.
        classes: its classes with the words of their bases.
        imports: each module that it imports, as it is written, with the names that it takes from it, and all words of the import.
    """

    folder: str
    screened: bool
    gives: bool
    classes: Mapping[bytes, frozenset[bytes]]
    imports: tuple[tuple[str, tuple[str, ...], frozenset[bytes]], ...]


def bases(data: bytes) -> frozenset[bytes]:
    """The words of the bases of all classes, if one of these may be made from a class of another file and has methods."""
    if b"import" not in data or b"class " not in data:
        return frozenset()
    lines = b"\n" + data
    if not _METHOD.search(lines):
        return frozenset()
    return frozenset().union(*_classes(lines).values())


def ancestry(path: str, data: bytes, *, screened: bool) -> Ancestry:
    """What the bytes of a module say of its classes."""
    lines = b"\n" + data
    found = []
    for match in _IMPORT.finditer(lines):
        words = _WORD.findall(match[2] or b"")
        home = match[1] or match[3]
        taken = frozenset(words) if match[3] is None else frozenset((*_WORD.findall(home), *_WORD.findall(match[4])))
        star = match[2] is not None and not words
        members = tuple(word.decode() for word in words if word != b"as")
        found.append((home.decode(), members, frozenset() if star else taken))
    gives = b"def " in data and bool(_GIVES.search(lines))
    return Ancestry(os.path.dirname(path), screened, gives, _classes(lines), tuple(found))


def brings(words: frozenset[bytes], names: frozenset[bytes]) -> bool:
    """Whether an import with some words, or with a star, may bring one of some names."""
    return not words or not words.isdisjoint(names)


def _classes(lines: bytes) -> dict[bytes, frozenset[bytes]]:
    return {name: frozenset(_WORD.findall(inside)) - _NO_BASES for name, inside in _CLASS.findall(lines)}
