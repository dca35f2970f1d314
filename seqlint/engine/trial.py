"""What becomes of a text, and of other files, with some fixes, and whether a guard speaks against them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from seqlint.engine.check import Checked, check
from seqlint.engine.compose import Choice, apply, edits_of
from seqlint.engine.elsewhere import Others, by_path, changed, texts
from seqlint.engine.guard import objection
from seqlint.sources.surroundings import supposing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from seqlint.config import Config
    from seqlint.model import Edit, LoadedRule
    from seqlint.sources import Source


@dataclass(frozen=True)
class Tried:
    """Fixes as they were tried.

    Attributes:
        after: the text with them, and what is found there.
        reason: why they must not be applied; None where nothing speaks against them.
        others: the other files with all fixes so far.
    """

    after: Checked
    reason: str | None
    others: Others = field(default_factory=dict)


@dataclass(frozen=True)
class Bench:
    """Where fixes are tried.

    Attributes:
        rules: those that are run on the text.
        known: all rules there are.
    """

    rules: Sequence[LoadedRule]
    config: Config
    known: Sequence[LoadedRule]

    def check(self, source: Source, others: Others) -> Checked:
        """What is found in a text where other files have been fixed, too."""
        if not others:
            return check(source, self.rules, self.config, self.known)
        with supposing(texts(others)):
            return check(source, self.rules, self.config, self.known)

    def tried(self, checked: Checked, choices: Sequence[Choice], others: Others | None = None) -> Tried:
        """The text after some fixes.

        Args:
            others: other files that fixes have changed already.
        """
        before, edits = others or {}, edits_of(choices)
        wanted = [each for choice in choices for each in choice.fix.elsewhere]
        try:
            text = apply(checked.source.utf8, edits)
            if text == checked.source.text:
                return Tried(checked, "the fix changes nothing", before)
            source = checked.source.edited(text, edits)
            now = changed(before, wanted)
        except ValueError as error:
            return Tried(checked, str(error), before)
        if not wanted:
            after = self.check(source, before)
            return Tried(after, objection(checked, after, tuple(choices), edits), before)
        with supposing(texts(now, source)):
            after = check(source, self.rules, self.config, self.known)
        reason = objection(checked, after, tuple(choices), edits) or self._objection(
            (before, now), (checked.source, source), by_path(wanted)
        )
        return Tried(after, reason, now)

    def _objection(
        self, others: tuple[Others, Others], own: tuple[Source, Source], edits: Mapping[str, tuple[Edit, ...]]
    ) -> str | None:
        """Why the other files must not be changed: they must parse, comments must stay, and nothing new may be found in them.

        Args:
            others: the files before and after.
            own: the text of the findings before and after.
            edits: those of each other file.
        """
        for path, some in edits.items():
            other = others[1][path]
            was = others[0][path].after if path in others[0] else other.before
            first, last = self._found(was, others[0], own[0]), self._found(other.after, others[1], own[1])
            if reason := objection(first, last, (), some) or _new(first, last):
                return f"in {Path(path).name}: {reason}"
        return None

    def _found(self, source: Source, others: Others, own: Source) -> Checked:
        rules = self.config.rules_for(Path(source.path), self.known)
        with supposing(texts(others, own)):
            return check(source, rules, self.config, self.known)


def _new(first: Checked, last: Checked) -> str | None:
    """What is found more often than before, whatever its level."""
    was, now = (Counter(found.code for found in checked.diagnostics) for checked in (first, last))
    code = min(now - was, default=None)
    return None if code is None else f"{code} would be new"
