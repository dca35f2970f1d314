"""The fixes that are shown are those that `fix` applies: they are tried before anybody sees them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING

from seqlint.engine.compose import Choice, all_edits, choose
from seqlint.engine.own import OWN
from seqlint.engine.trial import Bench
from seqlint.model import LEVELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seqlint.checked import Checked
    from seqlint.config import Config
    from seqlint.model import Diagnostic, Edit, Fix, LoadedRule

FEW = 8
"""So many fixes of one rule in one text are tried one by one; more are tried together, for a text with hundreds of them would be
checked hundreds of times."""

_OWN = frozenset(loaded.rule.code for loaded in OWN)
_Key = tuple[str, tuple["Edit", ...]]


@dataclass(frozen=True)
class Trial:
    """Fixes of one text, tried without the others.

    Attributes:
        rules: those that were run.
        known: all rules there are, for suppressions.
        tried: whether the edits of a rule can be made.
    """

    checked: Checked
    rules: Sequence[LoadedRule]
    config: Config
    known: Sequence[LoadedRule]
    tried: dict[_Key, bool] = field(default_factory=dict)

    def try_all(self) -> None:
        """Try each fix; of findings with the same edits one. Nearly always all of a text can be made, so they are tried together first."""
        found = [Choice(each, fix) for each in self.checked.diagnostics for fix in each.fixes]
        every = {_key(choice.diagnostic, choice.fix): choice for choice in found}
        together = choose(list(every.values()))
        if len(together) > 1 and self._passes(together):
            self.tried.update({_key(choice.diagnostic, choice.fix): True for choice in together})
        for _, group in groupby(sorted(every.values(), key=_code), key=_code):
            left = [choice for choice in group if _key(choice.diagnostic, choice.fix) not in self.tried]
            while left:
                now = choose(left)
                self._try(now)
                left = [choice for choice in left if choice not in now]

    def offered(self, diagnostic: Diagnostic) -> Diagnostic:
        """The finding with the fixes that can be applied."""
        fixes = tuple(fix for fix in diagnostic.fixes if self.tried[_key(diagnostic, fix)])
        return diagnostic if len(fixes) == len(diagnostic.fixes) else replace(diagnostic, fixes=fixes)

    def _try(self, choices: Sequence[Choice]) -> None:
        alone = len(choices) == 1
        passed = (alone or len(choices) > FEW) and self._passes(choices)
        if passed or alone:
            self.tried.update({_key(choice.diagnostic, choice.fix): passed for choice in choices})
            return
        size = 1 if len(choices) <= FEW else (len(choices) + 1) // 2
        for start in range(0, len(choices), size):
            self._try(choices[start : start + size])

    def _passes(self, choices: Sequence[Choice]) -> bool:
        return Bench(self._asked(choices), self.config, self.known).tried(self.checked, choices).reason is None

    def _asked(self, choices: Sequence[Choice]) -> Sequence[LoadedRule]:
        """The rules whose word counts: those of the fixes, and those that can find something worse than all that is there."""
        codes = {choice.diagnostic.code for choice in choices}
        if codes & _OWN:
            return self.rules
        highest = min(LEVELS.index(found.level) for found in self.checked.diagnostics)
        return [loaded for loaded in self.rules if loaded.code in codes or _can_be_above(highest, loaded)]


def _can_be_above(level: int, loaded: LoadedRule) -> bool:
    """Whether a rule may find something of a higher level; of a project's own rules nobody knows."""
    rule = loaded.rule
    if not rule.code.startswith("SEQ"):
        return level > 0
    said, sometimes = rule.levels, rule.sometimes
    every = (said.keras2, said.early, said.keras3, said.mixed, *sometimes.keras2, *sometimes.early, *sometimes.keras3)
    return any(one in LEVELS[:level] for one in every)


def _code(choice: Choice) -> str:
    return choice.diagnostic.code


def _key(diagnostic: Diagnostic, fix: Fix) -> _Key:
    return diagnostic.code, all_edits(fix)


def guarded(
    checked: Checked,
    rules: Sequence[LoadedRule],
    config: Config,
    known: Sequence[LoadedRule] | None = None,
) -> Checked:
    """The same findings, with those fixes alone that can be applied.

    Args:
        rules: those that were run.
        known: all rules there are, for suppressions.
    """
    if not any(diagnostic.fixes for diagnostic in checked.diagnostics):
        return checked
    trial = Trial(checked, rules, config, rules if known is None else known)
    trial.try_all()
    return replace(checked, diagnostics=tuple(map(trial.offered, checked.diagnostics)))
