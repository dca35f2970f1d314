"""Whether the disk still says what it said to an earlier run. A file whose state is the same is not read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.sources import surroundings
from seqlint.sources.reading import (
    EXISTS,
    FOLDER,
    NEEDS,
    SUMMARY,
    digest,
    digest_of_names,
    digest_of_presence,
    last_change,
    state,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from seqlint.runner.earlier.store import Known

_RACE = 2_000_000_000  # nanoseconds: the coarsest clock of a file system


class Disk:
    """What the disk says, asked once a run.

    Attributes:
        before: what was changed after this time, in nanoseconds since 1970, may change again without a trace in its state.
        renewed: the states of answers that are the same, though the state is another.
    """

    def __init__(self, now: int) -> None:
        self.before = now - _RACE
        self.renewed: dict[int, str] = {}
        self._states: dict[str, str] = {}
        self._digests: dict[str, bytes] = {}
        self._texts: dict[str, bytes | None] = {}

    def says(self, number: int, known: Known) -> bool:
        """Whether an answer is still the same."""
        question, before, kept = known
        if question[0] == EXISTS:
            return self._digest(question) == before
        here = self._state(_path(question))
        if here == kept:
            return True
        if self._digest(question) != before:
            return False
        if trusted := self.trusted(here):
            self.renewed[number] = trusted
        return True

    def trusted(self, state: str) -> str:
        """The state, if a change would leave a trace in it; else one that is never the same."""
        return state if last_change(state) < self.before else ""

    def has(self, path: str, word: bytes) -> bool:
        """Whether a file has a word in it."""
        if path not in self._texts:
            self._texts[path] = surroundings.content(Path(path))
        data = self._texts[path]
        return data is not None and word in data

    def _state(self, path: str) -> str:
        if path not in self._states:
            self._states[path] = state(path)
        return self._states[path]

    def _digest(self, question: str) -> bytes:
        if question not in self._digests:
            self._digests[question] = _asked(question[0], question[1:])
        return self._digests[question]


def _asked(kind: str, path: str) -> bytes:
    if kind == EXISTS:
        return digest_of_presence(os.path.lexists(path))
    if kind in (FOLDER, NEEDS):
        return digest_of_names(surroundings.names_in(path, kind))
    if kind == SUMMARY:
        return _summary(*path.split("\0"))
    return digest(surroundings.content(Path(path)))


def _summary(path: str, name: str) -> bytes:
    from seqlint.facts.project.kept import digest_of
    from seqlint.facts.project.modules import read_summary

    return digest_of(read_summary(path, name)[0])


def _path(question: str) -> str:
    return question[1:].partition("\0")[0]


class Answers:
    """Numbered answers, and which of them still hold."""

    def __init__(self, known: Mapping[int, Known], disk: Disk) -> None:
        self._known = known
        self._disk = disk
        self._verdicts: dict[int, bool] = {}

    def hold(self, numbers: Iterable[int]) -> bool:
        """Whether all of some answers are still the same."""
        return all(map(self._holds, numbers))

    def lack(self, numbers: Iterable[int], word: bytes) -> bool:
        """Whether files that did not have a word still don't; `numbers` are those of their bytes then."""
        others = (number for number in numbers if not self._holds(number))
        return all(
            number in self._known and not self._disk.has(_path(self._known[number].question), word) for number in others
        )

    def _holds(self, number: int) -> bool:
        verdict = self._verdicts.get(number)
        if verdict is None:
            known = self._known.get(number)
            verdict = self._verdicts[number] = known is not None and self._disk.says(number, known)
        return verdict
