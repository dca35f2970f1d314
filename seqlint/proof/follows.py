"""What only passes on numbers that a contract declares as changed: variables that hold them, lines and files that show them."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from seqlint.proof.compare import Noise, differing, first_difference
from seqlint.proof.observables import observe
from seqlint.proof.outputs import steady
from seqlint.proof.recorder.recording import DATA, MADE_UP, VARIABLES
from seqlint.proof.values import Vector

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from seqlint.model import Contract, Observable
    from seqlint.proof.observables import Entry
    from seqlint.proof.run import Run
    from seqlint.proof.values import Value

_FIGURE = re.compile(r"([-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|\b(?:nan|inf)\b)")
_SINGLE = 6e-8
"""The relative error of a number of 32 bits, which is how Keras computes what a program may print."""
_ACTS: frozenset[Observable] = frozenset({"hooks", "stop"})
_BATCHES: frozenset[Observable] = frozenset({"samples", "order", "grouping", "spec", "hooks"})
"""What follows from the attributes of data, or fills them."""
_TOLD: tuple[Observable, ...] = ("history", "weights")


def settings_follow(contract: Contract, before: Run, after: Run, noise: Noise) -> str:
    """Why settings may differ: only in what callbacks do by made-up values, where they may act otherwise; empty where they may not."""
    if contract.changes.isdisjoint(_ACTS):
        return ""
    found = differing(observe("settings", before), observe("settings", after))
    return "its callbacks decide otherwise" if all(MADE_UP in one.where for one in found) else ""


def state_follows(contract: Contract, before: Run, after: Run, noise: Noise) -> str:
    """Why the state may differ: only in values that were taken from the history of each run, or in what makes other batches; empty where it may not."""
    (was, old), (now, new) = ((observe("state", run), _floats(run)) for run in (before, after))
    found = dict(now.entries)
    known = old if "history" in contract.changes else set()
    taken = {name for name, value in was.entries if value in known and found.get(name) in new}
    if "history" in contract.changes:
        taken |= {name for name in (*dict(was.entries), *found) if VARIABLES in name}
    if not contract.changes.isdisjoint(_BATCHES):
        taken |= {name for name in (*dict(was.entries), *found) if name.removeprefix("len(").startswith(DATA)}
    if not taken:
        return ""
    rest = replace(noise, unstable=noise.unstable | taken)
    what = "values of the history" if known else "what batches are made of"
    return f"it holds {what}" if first_difference("state", was, now, rest) is None else ""


def output_follows(contract: Contract, before: Run, after: Run, noise: Noise) -> str:
    """Why the output may differ: only in numbers that each run took from its history or weights; empty where it may not.

    The lines must be the same but for such numbers, which are shown with a decimal point; a count is none of them.
    """
    sources = [name for name in _TOLD if name in contract.changes]
    old, new = (_told(sources, run) for run in (before, after))
    one, other = (_text(steady(observe("output", run).entries, noise.unstable)) for run in (before, after))
    return f"it shows values of the {' and the '.join(sources)}" if sources and _passes_on(one, other, old, new) else ""


def _text(entries: Iterable[Entry]) -> str:
    """An output as one text: an array of other numbers is cut into lines and filled up with blanks in another way."""
    return "\n".join(str(value) if place.startswith("line ") else f"{place}\n{value}" for place, value in entries)


def _floats(run: Run) -> set[Value]:
    return {value for _, value in observe("history", run).entries if isinstance(value, float)}


@dataclass(frozen=True, slots=True)
class _Told:
    """The numbers that a run may show: the finite ones in order, and whether there are others."""

    finite: list[float]
    broken: bool

    def has(self, figure: str) -> bool:
        """Whether a number that is shown is one of these, rounded to as many places as are shown."""
        number = float(figure)
        if not math.isfinite(number):
            return self.broken
        digits, _, exponent = figure.lower().partition("e")
        if "." not in digits and not exponent:
            return False
        places = len(digits.partition(".")[2])
        rounded = 10.0 ** (int(exponent or 0) - places) / 2 if places > 1 else 0.0
        gap = abs(number) * _SINGLE + rounded
        at = bisect_left(self.finite, number - gap)
        return at < len(self.finite) and self.finite[at] <= number + gap


def _told(sources: Iterable[Observable], run: Run) -> _Told:
    values = (value for source in sources for _, value in observe(source, run).entries)
    numbers = [number for value in values for number in _numbers(value)]
    finite = sorted(filter(math.isfinite, numbers))
    return _Told(finite, broken=len(finite) < len(numbers))


def _numbers(value: Value) -> Iterator[float]:
    if isinstance(value, Vector):
        yield from value.numbers
    elif isinstance(value, float):
        yield value


def _passes_on(one: str, other: str, old: _Told, new: _Told) -> bool:
    """Whether two texts differ in numbers and white space alone, and each of these is one that its run has made."""
    parts, others = _FIGURE.split(one), _FIGURE.split(other)
    if ["".join(part.split()) for part in parts[::2]] != ["".join(part.split()) for part in others[::2]]:
        return False
    figures = zip(parts[1::2], others[1::2], strict=True)
    return all(a == b or (old.has(a) and new.has(b)) for a, b in figures)
