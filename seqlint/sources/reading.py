"""What was asked of the disk on the way to an answer, so that a later run can tell whether it would be told the same."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Key = TypeVar("Key")
Value = TypeVar("Value")

FILE, SUMMARY, FOLDER, NEEDS, EXISTS = "f", "s", "d", "r", "e"
"""What a question is about, the first letter of its key before the path: the bytes of a file; what it says as a module, of which
the import name follows the path and a null byte; the names of modules in a folder, or those of files that say what a
project needs; whether there is anything at all."""

NOTHING = b""
"""The digest of what is not there, or can't be read."""

ABSENT = "-"
"""The state of what is not there."""

_SIZE = 12  # bytes of a digest


class Answer(NamedTuple):
    """What the disk said.

    Attributes:
        digest: of the bytes of a file, or of the names in a folder; NOTHING where there are none.
        state: what the disk said about the file or folder right before, as `state` gives it.
    """

    digest: bytes
    state: str


@dataclass(eq=False, slots=True)
class Reading:
    """Questions to the disk, with the answers.

    Attributes:
        found: the answers by the keys of the questions.
        without: for each word the files that were searched for it in vain, by the keys of the questions for their bytes.
        parts: what was read on the way to earlier answers that were used again, by identity.
        torn: a question was answered in two ways, because something has changed meanwhile.
    """

    found: dict[str, Answer] = field(default_factory=dict)
    without: dict[bytes, dict[str, Answer]] = field(default_factory=dict)
    parts: dict[int, Reading] = field(default_factory=dict)
    torn: bool = False

    def add(self, question: str, answer: Answer) -> None:
        """Note an answer."""
        known = self.found.setdefault(question, answer)
        if known.digest != answer.digest:
            self.torn = True

    def whole(self, *others: Reading) -> Reading:
        """The same, and what others read, without parts."""
        found, seen, waiting = Reading(), set[int](), [self, *others]
        while waiting:
            here = waiting.pop()
            if id(here) in seen:
                continue
            seen.add(id(here))
            found.torn |= here.torn
            for question, answer in here.found.items():
                found.add(question, answer)
            for word, files in here.without.items():
                found.without.setdefault(word, {}).update(files)
            waiting += here.parts.values()
        return found


_now: Reading | None = None


@contextmanager
def recorded() -> Iterator[Reading]:
    """What is read inside of the block, which also counts as read for a block around it."""
    global _now
    outer, inner = _now, Reading()
    _now = inner
    try:
        yield inner
    finally:
        _now = outer
        if outer is not None:
            outer.parts[id(inner)] = inner


@contextmanager
def recorded_without(paths: Iterable[str]) -> Iterator[None]:
    """What is read inside of the block counts for a block around it, but for what some files, by absolute paths, are said to hold."""
    global _now
    outer, inner = _now, Reading()
    _now = inner
    try:
        yield
    finally:
        _now = outer
        if outer is not None:
            part = inner.whole()
            supposed = frozenset(paths)
            part.found = {key: value for key, value in part.found.items() if _path(key) not in supposed}
            for word, files in part.without.items():
                part.without[word] = {key: value for key, value in files.items() if _path(key) not in supposed}
            outer.parts[id(part)] = part


def _path(question: str) -> str:
    return question[1:].partition("\0")[0]


def listening() -> bool:
    """Whether anybody wants to know what is read."""
    return _now is not None


def note_file(path: str, data: bytes | None, state: str) -> None:
    """Say what a file holds; None where it can't be read."""
    if _now is not None:
        _now.add(FILE + path, Answer(digest(data), state))


def note_summary(path: str, name: str, digest: bytes, state: str) -> None:
    """Say what a file says as a module of a name."""
    if _now is not None:
        _now.add(f"{SUMMARY}{path}\0{name}", Answer(digest, state))


def note_without(word: bytes, path: str, data: bytes, state: str) -> None:
    """Say that a file was searched for a word, and does not have it."""
    if _now is not None:
        _now.without.setdefault(word, {})[FILE + path] = Answer(digest(data), state)


def note_folder(kind: str, path: str, names: Iterable[str], state: str) -> None:
    """Say which names are in a folder."""
    if _now is not None:
        _now.add(kind + path, Answer(digest_of_names(names), state))


def note_presence(path: str, there: bool) -> None:
    """Say whether there is anything at a path."""
    if _now is not None:
        _now.add(EXISTS + path, Answer(digest_of_presence(there), ""))


def note_unsure() -> None:
    """Say that something was looked at which no later run can tell to be the same, such as whether a file may be written."""
    if _now is not None:
        _now.torn = True


class Memo(Generic[Key, Value]):
    """Answers that are worked out once. What was read on the way counts for everybody who asks."""

    def __init__(self) -> None:
        self._known: dict[Key, tuple[Value, Reading | None]] = {}

    def get(self, key: Key, make: Callable[[Key], Value]) -> Value:
        """The answer under a key; `make` gives it the first time, and again for the first who wants to know what is read."""
        known = self._known.get(key)
        if known is not None and (_now is None or known[1] is not None):
            if _now is not None and known[1] is not None:
                _now.parts[id(known[1])] = known[1]
            return known[0]
        if _now is None:
            value = make(key)
            self._known[key] = value, None
            return value
        with recorded() as reading:
            value = make(key)
        self._known[key] = value, reading
        return value

    def __iter__(self) -> Iterator[Key]:
        return iter(self._known)


def digest(data: bytes | None) -> bytes:
    """A short name of some bytes."""
    return NOTHING if data is None else blake2b(data, digest_size=_SIZE).digest()


def digest_of_names(names: Iterable[str]) -> bytes:
    """The same of the names in a folder."""
    return digest("\0".join(sorted(names)).encode("utf-8", "surrogateescape"))


def digest_of_presence(there: bool) -> bytes:
    """The same of whether there is something."""
    return b"1" if there else NOTHING


def state(path: str) -> str:
    """What the disk says about a file or folder without reading it: while that stays, so does what is in it.

    But for a change right after another, within what the clock of the file system can distinguish.
    """
    try:
        return state_of(os.stat(path))
    except (OSError, ValueError):
        return ABSENT


def state_of(found: os.stat_result) -> str:
    """The same of what `os.stat` gave: the change time tells of what was renamed, or dated back."""
    return f"{found.st_mtime_ns} {found.st_ctime_ns} {found.st_size} {found.st_ino}"


def last_change(state: str) -> int:
    """When something was changed last, in nanoseconds since 1970; 0 for what is not there."""
    modified, _, rest = state.partition(" ")
    return max(int(modified), int(rest.partition(" ")[0])) if rest else 0
