"""Applies fixes pass after pass until nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seqlint.engine.check import Checked
from seqlint.engine.compose import Choice, apply, choose, edits_of
from seqlint.engine.elsewhere import Other, Others, changed
from seqlint.engine.own import UNSETTLED
from seqlint.engine.trial import Bench, Tried
from seqlint.model import Contract, Diagnostic, Fix, LoadedRule, Observable, Position

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from seqlint.config import Config
    from seqlint.sources import Source

MAX_PASSES = 10

Wanting = Callable[["Diagnostic", "Fix"], bool]
"""Whether a fix of a finding is to be applied."""


@dataclass(frozen=True)
class Applied:
    """A fix that was applied; `start` is the place of its finding in the text of that pass, `files` what else it changes."""

    code: str
    name: str
    title: str
    contract: Contract
    start: Position
    files: tuple[str, ...] = ()

    @property
    def safe(self) -> bool:
        """Whether no working program changes."""
        return self.contract.safe

    @property
    def changes(self) -> tuple[Observable, ...]:
        """The observables that the fix changes, sorted."""
        return tuple(sorted(self.contract.changes))


@dataclass(frozen=True)
class Refused:
    """A fix that a guard refused, and why: a fault of the rule, not of the user."""

    code: str
    title: str
    reason: str
    start: Position


@dataclass(frozen=True)
class Fixed:
    """What became of one file.

    Attributes:
        source: the file after the fixes.
        before: the file as it was.
        checked: what is still found in the text after.
        others: other files that the fixes change, too, sorted by path; where they are written, all are or none.
    """

    source: Source
    before: Source
    applied: tuple[Applied, ...]
    refused: tuple[Refused, ...]
    checked: Checked
    others: tuple[Other, ...] = ()

    @property
    def text(self) -> str:
        """The text after the fixes; where none was applied, the one that was handed in."""
        return self.source.whole


@dataclass(frozen=True)
class Alone:
    """One fix of a text, and the text with this fix and no other; other files that it changes, too."""

    diagnostic: Diagnostic
    fix: Fix
    source: Source
    others: tuple[Other, ...] = ()

    @property
    def contract(self) -> Contract:
        """What the fix changes."""
        return self.fix.contract or Contract()


@dataclass
class _Run:
    """The state of one `fix`: what is refused stays refused.

    Attributes:
        others: the other files with the fixes so far.
    """

    bench: Bench
    unsafe: bool
    wanting: Wanting
    applied: list[Applied] = field(default_factory=list)
    refused: dict[tuple[str, str, int], Refused] = field(default_factory=dict)
    others: Others = field(default_factory=dict)

    def check(self, source: Source) -> Checked:
        return self.bench.check(source, self.others)

    def wanted(self, diagnostics: Iterable[Diagnostic]) -> tuple[Choice, ...]:
        found = (self._first(diagnostic) for diagnostic in diagnostics)
        return tuple(choice for choice in found if choice is not None and self._is_wanted(choice))

    def _first(self, diagnostic: Diagnostic) -> Choice | None:
        """The first fix of a finding that no guard has refused: the one that a check shows first."""
        choices = (Choice(diagnostic, fix) for fix in diagnostic.fixes)
        return next((choice for choice in choices if _key(choice) not in self.refused), None)

    def _is_wanted(self, choice: Choice) -> bool:
        if not choice.fix.safe and not self.unsafe:
            return False
        return self.wanting(choice.diagnostic, choice.fix)

    def advance(self, checked: Checked) -> Checked | None:
        """One pass; None where nothing is left to do."""
        choices = choose(self.wanted(checked.diagnostics))
        if not choices:
            return None
        tried = self.attempt(checked, choices)
        if tried.reason is None:
            self._note(choices, tried)
            return tried.after
        return self._one_by_one(checked, choices)

    def attempt(self, checked: Checked, choices: tuple[Choice, ...]) -> Tried:
        return self.bench.tried(checked, choices, self.others)

    def _one_by_one(self, checked: Checked, choices: tuple[Choice, ...]) -> Checked | None:
        """Together they failed a guard: take the first that passes alone, refuse those that fail alone."""
        for choice in choices:
            tried = self.attempt(checked, (choice,))
            if tried.reason is None:
                self._note((choice,), tried)
                return tried.after
            diagnostic = choice.diagnostic
            self.refused[_key(choice)] = Refused(diagnostic.code, choice.fix.title, tried.reason, diagnostic.start)
        return checked if choose(self.wanted(checked.diagnostics)) else None

    def _note(self, choices: tuple[Choice, ...], tried: Tried) -> None:
        self.others = tried.others
        for choice in choices:
            diagnostic, fix = choice.diagnostic, choice.fix
            contract = fix.contract or Contract()
            files = tuple(each.path for each in fix.elsewhere)
            self.applied.append(Applied(diagnostic.code, diagnostic.name, fix.title, contract, diagnostic.start, files))


def _of(codes: frozenset[str] | None) -> Wanting:
    """Wants the fixes of some codes; None: of all."""
    return lambda diagnostic, fix: codes is None or diagnostic.code in codes


def _key(choice: Choice) -> tuple[str, str, int]:
    return choice.diagnostic.code, choice.fix.title, choice.diagnostic.start.line


def fix(
    source: Source,
    rules: Sequence[LoadedRule],
    config: Config,
    *,
    unsafe: bool = False,
    only: frozenset[str] | None = None,
    wanted: Wanting | None = None,
    known: Sequence[LoadedRule] | None = None,
) -> Fixed:
    """Apply the first fix of every finding that can be applied, pass after pass, until nothing changes.

    Args:
        rules: those that are selected for this file.
        unsafe: also the fixes that change a working program, on purpose.
        only: fix these codes alone.
        wanted: says which fixes of which findings to apply; None: all.
        known: all rules there are, for suppressions.
    """
    run = _Run(_bench(rules, config, known), unsafe, wanted or _of(only))
    checked = run.check(source)
    seen = {source.text}
    for _ in range(MAX_PASSES):
        after = run.advance(checked)
        if after is None:
            break
        if after is not checked and after.source.text in seen:
            checked = _unsettled(checked, run)
            break
        seen.add(after.source.text)
        checked = after
    else:
        if run.wanted(checked.diagnostics):
            checked = _unsettled(checked, run)
    others = _sorted(run.others)
    return Fixed(checked.source, source, tuple(run.applied), tuple(run.refused.values()), checked, others)


def alone(
    source: Source,
    rules: Sequence[LoadedRule],
    config: Config,
    *,
    unsafe: bool = False,
    known: Sequence[LoadedRule] | None = None,
) -> tuple[Alone, ...]:
    """The first fix of every finding, each applied to the text as it is. Those that a guard refuses are left out."""
    run = _Run(_bench(rules, config, known), unsafe, _of(None))
    checked = run.check(source)
    found = ((choice, run.attempt(checked, (choice,))) for choice in run.wanted(checked.diagnostics))
    return tuple(
        Alone(choice.diagnostic, choice.fix, tried.after.source, _sorted(tried.others))
        for choice, tried in found
        if tried.reason is None
    )


def _bench(rules: Sequence[LoadedRule], config: Config, known: Sequence[LoadedRule] | None) -> Bench:
    return Bench(rules, config, rules if known is None else known)


def _sorted(others: Others) -> tuple[Other, ...]:
    return tuple(others[path] for path in sorted(others))


def attempt(
    checked: Checked,
    diagnostic: Diagnostic,
    fix: Fix,
    rules: Sequence[LoadedRule],
    config: Config,
    known: Sequence[LoadedRule] | None = None,
) -> Tried:
    """The text after one fix of one finding, and why it must not be applied; None where nothing speaks against it."""
    return _bench(rules, config, known).tried(checked, (Choice(diagnostic, fix),))


def together(source: Source, fixes: Iterable[Alone]) -> tuple[Source, tuple[Other, ...]]:
    """The text with those of the fixes that can be applied at once; of two that touch the same bytes, the first; and other files."""
    choices = choose(Choice(one.diagnostic, one.fix) for one in fixes)
    edits = edits_of(choices)
    others = changed({}, [each for choice in choices for each in choice.fix.elsewhere])
    return source.edited(apply(source.utf8, edits), edits), _sorted(others)


def _unsettled(checked: Checked, run: _Run) -> Checked:
    codes = ", ".join(sorted({choice.diagnostic.code for choice in run.wanted(checked.diagnostics)}))
    at = Position(1, 1, 0)
    rule = UNSETTLED.rule
    found = Diagnostic(
        rule.code, rule.name, "error", f"the fixes of {codes} do not settle", checked.source.path, at, at,
        note="they undo each other, or never end; the text of the last pass that made progress is kept",
        help="apply the fixes of one rule only, with `--select`",
    )  # fmt: skip
    return Checked(checked.source, (found, *checked.diagnostics), True, checked.keras)
