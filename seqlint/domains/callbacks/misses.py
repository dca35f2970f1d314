"""Names that a fit does not log, and what it logs in their place."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.fit_logs import FitLogs
from seqlint.domains.models.logged import VALIDATION
from seqlint.knowledge.metrics import are_the_same

if TYPE_CHECKING:
    from collections.abc import Iterable

    from seqlint.model import KerasLine
    from seqlint.run import Call, Run
    from seqlint.run.objects import Guards

LINES: tuple[KerasLine, ...] = ("2", "3.0-3.9", "3.10+")
_ALIKE = 0.85
_LONG_ENOUGH = 6
_MOST_SHOWN = 6


@dataclass(frozen=True)
class Miss:
    """A name that a fit does not log.

    Attributes:
        lines: the lines of Keras on which it surely is not logged.
        instead: what is logged in its place, by line; lines where nothing comes near are left out.
        logged: all that the newest of these lines surely logs.
        has_others: whether it may log more.
    """

    name: str
    lines: tuple[KerasLine, ...]
    instead: tuple[tuple[KerasLine, str], ...]
    logged: tuple[str, ...]
    has_others: bool = False

    @property
    def shown(self) -> str:
        """What is logged, for a reader; empty where nothing surely is."""
        names = ", ".join(f"`{name}`" for name in self.logged[:_MOST_SHOWN])
        return f"{names}, and what else `fit` prints" if names and self.has_others else names

    @property
    def name_instead(self) -> str:
        """What is logged in its place on the newest line that has something; empty where there is nothing."""
        return self.instead[-1][1] if self.instead else ""

    @property
    def lines_of_instead(self) -> tuple[KerasLine, ...]:
        """The lines on which that is logged, and the name is not."""
        return tuple(line for line, name in self.instead if name == self.name_instead)


class Misses:
    """Which names the fits of a run do not log."""

    def __init__(self, run: Run) -> None:
        self._logs = run.domain(FitLogs)

    def of(self, name: str, fit: Call, way: Guards = frozenset()) -> Miss | None:
        """What is to be said of a name; None where a fit logs it, or may."""
        return self.of_all(name, [fit], way)

    def of_all(self, name: str, fits: Iterable[Call], way: Guards = frozenset()) -> Miss | None:
        """The same for several fits: None where one of them logs it, or may."""
        calls = tuple(fits)
        found = [line for line in LINES if all(self._logs.of(fit, line, way).has(name) == "no" for fit in calls)]
        if not found or not calls:
            return None
        instead = [(line, self._instead(name, calls, line, way)) for line in found]
        logged = self._logs.of(calls[0], found[-1], way)
        others = tuple((line, text) for line, text in instead if text)
        return Miss(name, tuple(found), others, in_order(logged.names), not logged.complete)

    def _instead(self, name: str, fits: tuple[Call, ...], line: KerasLine, way: Guards) -> str:
        """The one name that every fit logs and that means the same; empty where there is none, or are several."""
        every = frozenset.intersection(*(self._logs.of(fit, line, way).names for fit in fits))
        prefix = VALIDATION if name.startswith(VALIDATION) else ""
        if prefix and any(self._logs.validates(fit, way) == "no" for fit in fits):
            return ""
        known = [each for each in every if not each.startswith(VALIDATION)]  # each comes with "val_", too
        bare = name.removeprefix(prefix)
        same = [text for text in known if are_the_same(text, bare)]
        close = same or [text for text in known if _is_slip(text, bare)]
        return prefix + close[0] if len(close) == 1 else ""


def _is_slip(one: str, other: str) -> bool:
    """Whether one name is the other with a slip of the pen: "val_los" for "val_loss" does not count as long names do."""
    if min(len(one), len(other)) < 3 or one[:1] != other[:1]:
        return False
    if {one, other} == {"los", "loss"}:
        return True
    return min(len(one), len(other)) >= _LONG_ENOUGH and difflib.SequenceMatcher(None, one, other).ratio() >= _ALIKE


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Names as a reader wants them: the loss first, those of the validation last."""
    return tuple(sorted(names, key=lambda name: (name.startswith(VALIDATION), not name.endswith("loss"), name)))
