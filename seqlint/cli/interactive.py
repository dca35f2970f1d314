"""`fix --interactive`: each fix with its diff, and a question."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from seqlint.baseline import Key, key_of
from seqlint.cli import console
from seqlint.engine import Applied, Fixed, forget, hide
from seqlint.model import Contract, UnreadableSource
from seqlint.output import text as shown
from seqlint.output.fixes import file_diff
from seqlint.runner import text
from seqlint.sources import several
from seqlint.sources.discovery import Problem
from seqlint.sources.edits import apply
from seqlint.sources.several import Change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.engine import Checked, Other
    from seqlint.model import Diagnostic, Fix
    from seqlint.output.paint import Paint
    from seqlint.runner.planned import Job
    from seqlint.sources import Source

_QUESTION = "Apply? [y]es, [n]o, [a]ll of {code}, [i]gnore here, [q]uit: "
_HELP = "y applies this fix, n leaves it, a applies this one and all others of the rule, i writes a comment that ignores the finding, q ends\n"


class _Over(Exception):
    """The user has had enough."""


@dataclass
class Session:
    """What the user has answered so far.

    Attributes:
        rules: those of which all fixes are applied.
        written: what files hold since a fix of another one has changed them, by absolute paths.
    """

    paint: Paint
    rules: set[str] = field(default_factory=set)
    written: dict[str, bytes] = field(default_factory=dict)

    def run(self, jobs: Sequence[Job]) -> tuple[list[Fixed], list[Problem]]:
        """Ask for each fix of each file. A fix is written as soon as it is wanted, so that nothing is lost at the end.

        Returns:
            What became of each file, and which could not be read or written.
        """
        files: list[Fixed] = []
        problems: list[Problem] = []
        for job in jobs:
            try:
                files.append(_File(self, job).fixed())
            except UnreadableSource as error:
                problems.append(Problem(job.path, str(error)))
            except _Over:
                break
        return files, problems

    def answer(self, diagnostic: Diagnostic, before: Source, after: Source, others: Sequence[Other]) -> str:
        """What the user wants of a fix: y, n or i.

        Args:
            others: the other files that it changes.

        Raises:
            _Over: they want no more questions.
        """
        if diagnostic.code in self.rules:
            return "y"
        diffs = "".join(file_diff(*pair) for pair in ((before, after), *((one.before, one.after) for one in others)))
        console.say(f"{shown.finding(diagnostic, before, self.paint)}\n{self.paint.diff(diffs)}\n")
        while True:
            word = console.ask(_QUESTION.format(code=diagnostic.code))
            if word is None or word in ("q", "quit"):
                raise _Over
            if word in ("a", "all"):
                self.rules.add(diagnostic.code)
                return "y"
            if word in ("y", "yes", "n", "no", "i", "ignore"):
                return word[0]
            console.say(_HELP)


class _File:
    """One file while its fixes are asked for."""

    def __init__(self, session: Session, job: Job) -> None:
        self._session = session
        self._job = job
        self._data = session.written.get(os.path.abspath(job.path), job.data)
        self._job = replace(job, data=self._data)
        self._before = self._job.source()
        self._applied: list[Applied] = []
        self._left: Counter[Key] = Counter()  # what the user has said no to

    def fixed(self) -> Fixed:
        """The file once each of its fixes was asked for."""
        checked = text.check(self._before, self._job.config)
        while (after := self._next(checked)) is not None:
            checked = after
        return Fixed(checked.source, self._before, tuple(self._applied), (), checked)

    def _next(self, checked: Checked) -> Checked | None:
        """The file after one more answer that changes it; None where nothing is left to ask."""
        passed = Counter(self._left)
        for diagnostic in checked.diagnostics:
            key = key_of(diagnostic, checked.source)
            if passed[key] > 0:
                passed[key] -= 1
                continue
            if not diagnostic.fixes:
                continue
            after = self._asked(checked, diagnostic, diagnostic.fixes[0])
            if after is not None:
                return after
            self._left[key] += 1
        return None

    def _asked(self, checked: Checked, diagnostic: Diagnostic, fix: Fix) -> Checked | None:
        tried = text.attempt(checked, diagnostic, fix, self._job.config)
        if tried.reason is not None:
            return None
        after, others = tried.after, tuple(tried.others.values())
        answer = self._session.answer(diagnostic, checked.source, after.source, others)
        if answer == "y":
            self._write(after.source, others)
            contract, files = fix.contract or Contract(), tuple(other.path for other in others)
            self._applied.append(
                Applied(diagnostic.code, diagnostic.name, fix.title, contract, diagnostic.start, files)
            )
            return text.check(after.source, self._job.config)
        return self._ignored(checked, diagnostic) if answer == "i" else None

    def _ignored(self, checked: Checked, diagnostic: Diagnostic) -> Checked | None:
        source = checked.source
        edit = hide(source, diagnostic)
        if edit is None or not source.takes([edit]):
            console.say("no comment fits there\n")
            return None
        source = source.edited(apply(source.utf8, [edit]), [edit])
        self._write(source)
        return text.check(source, self._job.config)

    def _write(self, source: Source, others: Sequence[Other] = ()) -> None:
        data = source.to_bytes()
        changes = [Change(other.path, other.after.to_bytes(), other.data) for other in others]
        several.write([Change(self._job.path, data, self._data), *changes])
        self._data = data
        self._session.written.update({change.path: change.data for change in changes})
        if others:
            forget()
