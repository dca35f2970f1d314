"""Results of earlier runs, for files around which nothing has changed; and those of this run, for later ones."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.model import UnreadableSource
from seqlint.runner.earlier import scope
from seqlint.runner.earlier.still import Answers, Disk
from seqlint.runner.earlier.store import Change, New, Store
from seqlint.runner.earlier.values import from_text, is_clean, to_text
from seqlint.runner.planned import Job, Known
from seqlint.sources import disk
from seqlint.sources.reading import FILE, Answer, Reading, digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from seqlint.checked import Assumed
    from seqlint.config import Config
    from seqlint.model import Diagnostic

_DAY = 86_400_000_000_000  # nanoseconds
_OFTEN = 3  # days: a result that is used is marked so no more often
_WORTH = 50  # states that are worth a write by themselves


@dataclass(frozen=True)
class Recalled:
    """What an earlier run found in a file.

    Attributes:
        found: as text; empty where the file does not concern seqlint.
        digest: that of the bytes of the file.
    """

    found: str
    digest: bytes

    @property
    def telling(self) -> bool:
        """Whether there is something to say of the file."""
        return self.found != "" and not is_clean(self.found)

    def bytes_of(self, path: str) -> bytes | None:
        """The bytes of the file, if they are still those in which this was found."""
        try:
            data = disk.read(Path(path))
        except UnreadableSource:
            return None
        return data if digest(data) == self.digest else None

    def said(self, path: str) -> tuple[tuple[Diagnostic, ...], Assumed | None]:
        """What there is to say of the file, and of which Keras; nothing where the text that was kept is none."""
        try:
            return from_text(self.found, path)
        except (AttributeError, IndexError, TypeError, ValueError, RecursionError):
            return (), None


class Earlier:
    """The results that are kept in the folder of a project.

    What they depend on in addition to files is looked at first of all: what is found afterwards is found under it, or under
    something newer, which a later run will see.
    """

    def __init__(self, folder: Path) -> None:
        now = time.time_ns()
        self._store = Store(folder)
        self._disk = Disk(now)
        self._change = Change(now // _DAY)
        self._program, self._packs = self._here()
        self._scopes: dict[Config, bytes | None] = {}
        self._screened: list[tuple[str, Reading]] = []
        self._answers: dict[Answer, Answer] = {}
        self._checked: list[tuple[Job, str, Reading]] = []

    def known(self, files: Mapping[str, Config]) -> dict[str, Known | None]:
        """The files that need not be looked at, by their paths; None for one that does not concern seqlint."""
        found: dict[str, Known | None] = {}
        for path, recalled in self._recalled(files).items():
            if not recalled.found:
                found[path] = None
                continue
            diagnostics, keras = recalled.said(path)
            if not recalled.telling:
                found[path] = Known(Job(path, b"", files[path]), (), keras)
            elif diagnostics and (data := recalled.bytes_of(path)) is not None:
                found[path] = Known(Job(path, data, files[path]), diagnostics, keras)
        return found

    def keep_screened(self, path: str, reading: Reading) -> None:
        """Keep that a file does not concern seqlint.

        Args:
            path: as it is shown.
            reading: what was read to know that.
        """
        self._screened.append((path, reading))

    def keep(self, job: Job, diagnostics: Iterable[Diagnostic], reading: Reading, keras: Assumed | None = None) -> None:
        """Keep what was found in a file.

        Args:
            job: the file as it was read.
            diagnostics: what was found.
            reading: what was read on the way.
            keras: the one that the file was checked for.
        """
        if job.reading is not None:
            here = replace(job, data=b"", reading=None)
            self._checked.append((here, to_text(diagnostics, keras), self._small(job.reading.whole(reading))))

    def _small(self, whole: Reading) -> Reading:
        """The same with one object for what many files have read: other processes send a copy for each piece of work."""
        found = Reading(torn=whole.torn)
        found.found = {sys.intern(question): self._same(answer) for question, answer in whole.found.items()}
        found.without = {
            word: {sys.intern(question): self._same(answer) for question, answer in files.items()}
            for word, files in whole.without.items()
        }
        return found

    def _same(self, answer: Answer) -> Answer:
        return self._answers.setdefault(answer, answer)

    def write(self) -> None:
        """Write what is new for later runs, and let go of the database."""
        change = self._change
        if self._packs is not None:
            change.results = [*self._new_screened(), *self._new_checked()]
        change.states = self._disk.renewed
        if change.results or change.used or change.programs or len(change.states) > _WORTH:
            self._store.keep(change)
        self._store.close()

    # -- what is known ------------------------------------------------------------------------------------------------

    def _recalled(self, files: Mapping[str, Config]) -> dict[str, Recalled]:
        configs = {id(config): config for config in files.values()}.values()  # few, and slow to compare
        scopes = {id(config): self._settings(config) for config in configs}
        if self._packs is None:
            return {}
        try:
            found = self._valid(self._scope(self._program), list(files))
            by_settings: dict[bytes, list[str]] = {}
            for path, config in files.items():
                if path not in found and (here := scopes[id(config)]) is not None:
                    by_settings.setdefault(here, []).append(path)
            for here, paths in by_settings.items():
                found |= self._valid(self._scope(here), paths)
        except (LookupError, TypeError, ValueError, RecursionError):  # what is kept makes no sense; it is written anew
            return {}
        return found

    def _valid(self, here: bytes, paths: Sequence[str]) -> dict[str, Recalled]:
        wanted = set(paths)
        rows = [row for row in self._store.results(here, paths) if row.path in wanted]
        searches = {row.path: json.loads(row.searches) for row in rows if row.searches != "[]"}
        groups = self._store.groups(list({group for each in searches.values() for _, group in each}))
        others = {row.path: json.loads(row.answers) for row in rows if row.answers != "[]"}
        numbers = {row.own for row in rows}.union(*others.values(), *groups.values())
        known = self._store.answers(list(numbers))
        answers = Answers(known, self._disk)
        found = {}
        for row in rows:
            if not answers.hold((row.own, *others.get(row.path, ()))):
                continue
            if all(
                group in groups and answers.lack(groups[group], word.encode("utf-8", "surrogateescape"))
                for word, group in searches.get(row.path, ())
            ):
                found[row.path] = Recalled(row.found, known[row.own].digest)
                if row.used < self._change.day - _OFTEN:
                    self._change.used.append((here, row.path))
        return found

    # -- what is new --------------------------------------------------------------------------------------------------

    def _new_screened(self) -> Iterator[New]:
        here = self._scope(self._program)
        for path, reading in self._screened:
            yield from self._new(here, path, reading.whole(), "")

    def _new_checked(self) -> Iterator[New]:
        for job, found, reading in self._checked:
            here = self._scopes.get(job.config)
            if here is not None:
                yield from self._new(self._scope(here), job.path, reading, found)

    def _new(self, here: bytes, path: str, whole: Reading, found: str) -> Iterator[New]:
        own = FILE + os.path.abspath(path)
        answers = {question: self._trusted(answer) for question, answer in whole.found.items()}
        searches = {
            word: {question: self._trusted(answer) for question, answer in files.items() if question not in answers}
            for word, files in whole.without.items()
        }
        if own in answers and not whole.torn:
            yield New(here, path, own, answers, searches, found)

    def _trusted(self, answer: Answer) -> Answer:
        return Answer(answer.digest, self._disk.trusted(answer.state))

    # -- what it depends on ---------------------------------------------------------------------------------------------

    def _settings(self, config: Config) -> bytes | None:
        if config not in self._scopes:
            self._scopes[config] = scope.settings(self._program, config)
        return self._scopes[config]

    def _scope(self, here: bytes) -> bytes:
        return digest(here + self._packs) if self._packs else here

    def _here(self) -> tuple[bytes, bytes | None]:
        """What this program is, and the rules of other packages; None where nobody can tell whether these are the same."""
        surface, newest = scope.surface()
        known = self._store.program(surface)
        if known is not None:
            return known[0], scope.packs() if known[1] else b""
        program, packs = scope.program(), scope.packs()
        if newest < self._disk.before:
            self._change.programs[surface] = program, packs != b""
        return program, packs
