"""Code on its way to Keras 3: fixes of all files, round after round, until nothing changes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint import engine, registry
from seqlint.model import UnreadableSource
from seqlint.sources import Source, surroundings
from seqlint.sources.reading import FILE, SUMMARY, recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from seqlint.config import Config
    from seqlint.engine import Applied, Checked, Fixed, Refused
    from seqlint.migrate.values import Aim
    from seqlint.model import Diagnostic, Fix
    from seqlint.runner.plan import Job
    from seqlint.sources.reading import Reading

ROUNDS = 6
"""A file may need what another one says after its fixes; a chain of more files than this is left as it is then."""


@dataclass
class File:
    """A file on the way.

    Attributes:
        data: its bytes as they were read.
        before, source: its text as it was read, and as it is now.
        checked: what is found in the text as it is now.
        late: a round took too long; the file is left as it was.
        partners: the absolute paths of the files that a fix has changed together with this one. They are written together, or not at all.
        read: the absolute paths of what its last check has read of the project.
        unwritable: why its encoding can't hold what the fixes write; it is left as it was.
    """

    data: bytes
    config: Config
    before: Source
    source: Source
    applied: list[Applied] = field(default_factory=list)
    refused: dict[tuple[str, str, int], Refused] = field(default_factory=dict)
    checked: Checked | None = None
    late: bool = False
    unwritable: str = ""
    partners: set[str] = field(default_factory=set)
    read: frozenset[str] = frozenset()

    @property
    def path(self) -> str:
        """As the user wrote it."""
        return self.before.path

    @property
    def changed(self) -> bool:
        """Whether there is something to write."""
        return self.source.text != self.before.text


def opened(job: Job, aim: Aim) -> File:
    """A file as it is read.

    Raises:
        UnreadableSource: it can't be decoded.
    """
    source = Source.from_bytes(job.data, job.path).together()
    # What else a project selects is about other things than the way to Keras 3; what it ignores, it ignores here as well.
    config = replace(job.config, select=(), unsafe=False, cache=None, keras=aim.keras, migrating=True)
    return File(job.data, config, source, source)


def settle(files: Sequence[File], aim: Aim, needs: Mapping[str, bytes], done: Callable[[int], object]) -> bool:
    """Fix all files until nothing changes.

    Args:
        needs: what requirement files are going to hold, by their absolute paths.
        done: is told how many more files are done for the first time.

    Returns:
        Whether they have come to rest.
    """
    by_path = {os.path.abspath(file.path): file for file in files}
    waiting, said = list(by_path), done
    for _ in range(ROUNDS):
        engine.forget()
        planned = {path: file.source.to_bytes() for path, file in by_path.items() if file.changed}
        a_round = _Round(aim, by_path, said)
        with surroundings.supposing({**needs, **planned}):
            for path in waiting:
                a_round.look_at(path)
        # What a file says depends on itself, which has come to rest, and on what was read for it.
        waiting = [path for path in by_path if path in a_round.again or by_path[path].read & a_round.changed]
        said = _nobody
        if not waiting:
            engine.forget()
            return True
    return False


def _nobody(more: int) -> None:
    pass


@dataclass
class _Round:
    """One look at each file.

    Attributes:
        files: by their absolute paths.
        changed: those that are no longer what the others of this round take them for.
        again: those that a fix of another file has changed, or may have wanted to.
    """

    aim: Aim
    files: Mapping[str, File]
    done: Callable[[int], object]
    changed: set[str] = field(default_factory=set)
    again: set[str] = field(default_factory=set)

    def look_at(self, path: str) -> None:
        """Apply the fixes of a file."""
        file = self.files[path]
        if file.late or file.unwritable or path in self.again:
            return
        with recorded() as reading:
            fixed = engine.within(file.config.time_limit, lambda: self._fixed(path))
        file.read = _paths(reading)
        self.done(1)
        if fixed is None:
            engine.forget()  # what was read of the project may be half done
            file.late = True
            self._take_back(path)
            return
        file.checked = fixed.checked
        _note(file.refused, fixed.refused)
        if fixed.applied:
            self._take(path, fixed)

    def _fixed(self, path: str) -> Fixed:
        file = self.files[path]
        rules = registry.load(file.config.rules)
        selected = file.config.rules_for(Path(file.path), rules)
        return engine.fix(
            file.source, selected, file.config, unsafe=True, wanted=partial(self._wants, path), known=rules
        )

    def _wants(self, path: str, diagnostic: Diagnostic, fix: Fix) -> bool:
        """Whether a fix brings nearer to Keras 3, and changes no file that is not to be migrated, or that has just changed."""
        if not self.aim.wants(diagnostic, fix):
            return False
        if any(each.path in self.changed for each in fix.elsewhere):
            self.again.add(path)
            return False
        return all(self._is_open(each.path) for each in fix.elsewhere)

    def _is_open(self, path: str) -> bool:
        file = self.files.get(path)
        return file is not None and not file.late and not file.unwritable

    def _take(self, path: str, fixed: Fixed) -> None:
        file = self.files[path]
        after = {path: fixed.source, **{other.path: other.after for other in fixed.others}}
        for each, source in after.items():
            try:
                _writable(self.files[each], source)
            except UnreadableSource as error:
                file.unwritable = str(error)
                self._take_back(path)
                return
        for each, source in after.items():
            if source.text != self.files[each].source.text:
                self.files[each].source = replace(source, path=self.files[each].path)
                self.changed.add(each)
        others = {other.path for other in fixed.others}
        self.again |= others
        if others:
            for each in after:
                self.files[each].partners |= after.keys() - {each}
        file.applied += fixed.applied

    def _take_back(self, path: str) -> None:
        """Leave a file as it was. Files that its fixes have changed, too, begin anew."""
        for each in _together(path, self.files):
            file = self.files[each]
            if file.changed:
                self.changed.add(each)
            self.again.add(each)
            file.source, file.applied, file.partners = file.before, [], set()


def partners(file: File, files: Iterable[File]) -> frozenset[str]:
    """The other files that have to be written with a file, as the user wrote them."""
    by_path = {os.path.abspath(each.path): each for each in files}
    own = os.path.abspath(file.path)
    return frozenset(by_path[each].path for each in _together(own, by_path) if each != own)


def _together(path: str, files: Mapping[str, File]) -> frozenset[str]:
    """A file and those that fixes have linked to it, also through others."""
    found, open_ = {path}, [path]
    while open_:
        more = files[open_.pop()].partners - found
        found |= more
        open_ += more
    return frozenset(found)


def _paths(reading: Reading) -> frozenset[str]:
    """The files that were read."""
    whole = reading.whole()
    asked = (*whole.found, *(question for files in whole.without.values() for question in files))
    return frozenset(one[1:].partition("\0")[0] for one in asked if one[:1] in (FILE, SUMMARY))


def _note(known: dict[tuple[str, str, int], Refused], more: Iterable[Refused]) -> None:
    for one in more:
        known[one.code, one.title, one.start.line] = one


def _writable(file: File, source: Source) -> None:
    """See to it that nothing but the fixes changes in the bytes of a file.

    Raises:
        UnreadableSource: it would.
    """
    source.to_bytes()
    if file.before.to_bytes() != file.data:
        raise UnreadableSource(f"{file.before.encoding} would write other lines in another way, too")
