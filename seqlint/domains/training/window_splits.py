"""Windows that overlap and are dealt at random to training and held-out rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.pipelines.draws import contents
from seqlint.domains.training.feeds import argument
from seqlint.knowledge.scalings import NEUTRAL
from seqlint.run import Container, Result, Tuple
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Object, Run, Value

_SPLIT = "sklearn.model_selection.train_test_split"
_DEEPEST = 12
_FORMS = NEUTRAL | {"values", "iloc", "loc", "T", "concatenate", "mean"}


@dataclass(frozen=True, eq=False)
class WindowSplit:
    """A `train_test_split` of windows, one of whose parts a model trains on.

    Attributes:
        fit: that training.
    """

    call: Call
    fit: Call


class WindowSplits:
    """Such splits of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[WindowSplit, ...]:
        """In running order."""
        splits = [call for call in self._run.called(_SPLIT) if _shuffles(call.result)]
        trained = self._trained if splits else {}
        return tuple(
            WindowSplit(call, trained[call.result])
            for call in splits
            if call.result in trained and self._is_of_windows(call)
        )

    @cached_property
    def _trained(self) -> dict[Object, Call]:
        """What the data of all trainings are made of, with the first of these."""
        found: dict[Object, Call] = {}
        for call in self._run.methods("fit", "fit_generator"):
            given = argument(call, "x")
            for each in contents(self._run, given) if given is not None else ():
                found.setdefault(each, call)
        return found

    def _is_of_windows(self, call: Call) -> bool:
        with self._run.machine.under(call.context.guards):
            return any(True for value in call.result.args for _ in self._windows(value, 0))

    def _windows(self, value: Value, depth: int) -> Iterator[Result]:
        """The slices that rows are, where each is one of neighbours that overlap."""
        only = value.only
        if depth > _DEEPEST:
            return
        if isinstance(only, Container) and only.kind == "list":
            for piece in self._run.pieces(only):
                found = _slice(piece.value) if piece.how == "append" and piece.loops else None
                if found is not None and _overlaps(found):
                    yield found
        elif isinstance(only, Result) and only.op in ("call", "attribute") and only.method in _FORMS:
            inner = only.args[:1] if only.receiver is None else ()
            for each in inner:
                yield from self._windows(each, depth + 1)
            if only.receiver is not None:
                yield from self._windows(type(value).of(only.receiver), depth + 1)


def _shuffles(split: Result) -> bool:
    given = split.keyword("shuffle")
    return split.keyword("**") is None and (given is None or constant(given) is True)


def _slice(value: Value) -> Result | None:
    """The `[i : i + n]` that a row is, whatever its form."""
    only = value.only
    for _ in range(_DEEPEST):
        if not isinstance(only, Result):
            return None
        if only.op == "item" and only.args:
            index = only.args[0].only
            first = index.items[0].only if isinstance(index, Tuple) and index.items else index
            return first if isinstance(first, Result) and first.name == "slice" else None
        if only.method not in _FORMS:
            return None
        only = only.receiver if only.receiver is not None else only.args[0].only if only.args else None
    return None


def _overlaps(window: Result) -> bool:
    """Whether a slice goes from one number of a range to another, and the next one begins before it ends."""
    if len(window.args) < 3 or constant(window.args[2]) is not None:
        return False
    low, high = (_place(value) for value in window.args[:2])
    if low is None or high is None or low[0] is not high[0]:
        return False
    length = _difference(low[1], high[1])
    step = _step(low[0])
    return step is not None and (length is None or length > step)


def _place(value: Value) -> tuple[Result, int | None] | None:
    """The number of a loop, and what is added to it: None where that is not known."""
    only = value.only
    if not isinstance(only, Result):
        return None
    if only.op == "each":
        return only, 0
    if only.op != "operator" or only.name not in ("+", "-") or len(only.args) != 2:
        return None
    left, right = only.args
    number = left.only
    if isinstance(number, Result) and number.op == "each":
        added = constant(right)
        return number, (added if only.name == "+" else -added) if isinstance(added, int) else None
    if only.name == "+" and isinstance(right.only, Result) and right.only.op == "each":
        added = constant(left)
        return right.only, added if isinstance(added, int) else None
    return None


def _difference(low: int | None, high: int | None) -> int | None:
    return high - low if isinstance(low, int) and isinstance(high, int) else None


def _step(number: Result) -> int | None:
    """How far the numbers of a `range` are from each other; None where that is not known."""
    made = number.receiver
    if not isinstance(made, Result) or made.name != "builtins.range":
        return None
    step = constant(made.args[2]) if len(made.args) > 2 else 1
    return step if isinstance(step, int) and step > 0 else None
