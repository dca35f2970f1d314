"""Code on its way to Keras 3: fixes of all files, round after round, until nothing changes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint import engine, registry
from seqlint.model import UnreadableSource
from seqlint.sources import Source, surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from seqlint.config import Config
    from seqlint.engine import Applied, Checked, Fixed, Refused
    from seqlint.migrate.values import Aim
    from seqlint.model import Diagnostic, Fix
    from seqlint.runner.plan import Job

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
    source = Source.from_bytes(job.data, job.path)
    # What else a project selects is about other things than the way to Keras 3; what it ignores, it ignores here as well.
    config = replace(job.config, select=(), unsafe=False, cache=None, keras=aim.keras)
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
    for number in range(ROUNDS):
        engine.forget()
        planned = {path: file.source.to_bytes() for path, file in by_path.items() if file.changed}
        with surroundings.supposing({**needs, **planned}):
            a_round = _Round(aim, by_path, done if number == 0 else _nobody)
            changed = [a_round.of(path) for path in by_path]
        if not any(changed):
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
        changed: those that are no longer what the others of this round take them for; they come again in the next one.
    """

    aim: Aim
    files: Mapping[str, File]
    done: Callable[[int], object]
    changed: set[str] = field(default_factory=set)

    def of(self, path: str) -> bool:
        """Whether fixes have changed a file, or wait for the next round."""
        file = self.files[path]
        if file.late or file.unwritable:
            return False
        if path in self.changed:
            return True
        fixed = engine.within(file.config.time_limit, lambda: self._fixed(file))
        self.done(1)
        if fixed is None:
            engine.forget()  # what was read of the project may be half done
            file.late, file.source, file.applied = True, file.before, []
            return False
        file.checked = fixed.checked
        _note(file.refused, fixed.refused)
        return bool(fixed.applied) and self._take(path, fixed)

    def _fixed(self, file: File) -> Fixed:
        rules = registry.load(file.config.rules)
        selected = file.config.rules_for(Path(file.path), rules)
        return engine.fix(file.source, selected, file.config, unsafe=True, wanted=self._wants, known=rules)

    def _wants(self, diagnostic: Diagnostic, fix: Fix) -> bool:
        """Whether a fix brings nearer to Keras 3, and changes no file that is not to be migrated, or that has just changed."""
        return self.aim.wants(diagnostic, fix) and all(self._is_open(each.path) for each in fix.elsewhere)

    def _is_open(self, path: str) -> bool:
        file = self.files.get(path)
        return file is not None and path not in self.changed and not file.late and not file.unwritable

    def _take(self, path: str, fixed: Fixed) -> bool:
        file = self.files[path]
        after = {path: fixed.source, **{other.path: other.after for other in fixed.others}}
        for each, source in after.items():
            try:
                _writable(self.files[each], source)
            except UnreadableSource as error:
                file.unwritable, file.source, file.applied = str(error), file.before, []
                return False
        for each, source in after.items():
            if source.text != self.files[each].source.text:
                self.files[each].source = replace(source, path=self.files[each].path)
                self.changed.add(each)
        file.applied += fixed.applied
        return True


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
