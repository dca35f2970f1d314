"""One model that is fitted several times, on splits of the same rows that are drawn anew."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqlint.domains.parts.counted import Counted
from seqlint.domains.parts.fed import Fed, Feds
from seqlint.domains.parts.part import Part, Take
from seqlint.run import Instance, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Run, Value

_FOLDS = frozenset({
    "KFold", "StratifiedKFold", "GroupKFold", "StratifiedGroupKFold", "ShuffleSplit", "StratifiedShuffleSplit", "GroupShuffleSplit",
    "RepeatedKFold", "RepeatedStratifiedKFold", "LeaveOneOut", "LeaveOneGroupOut", "LeavePOut",
})  # fmt: skip
"""Splitters whose later folds hold out rows that an earlier one trains on. `TimeSeriesSplit` does not."""
_SETS = frozenset({"set_weights", "load_weights", "assign", "from_config", "build", "initialize", "load_state_dict"})
_HARMLESS = frozenset({"plot_model", "print", "id", "type", "isinstance", "len", "print_summary"})


@dataclass(frozen=True, eq=False)
class Anew:
    """A fit whose validation rows an earlier fit of the same model has trained on, in part.

    Attributes:
        folds: whether the splits are folds; else each is drawn by a call.
    """

    before: Fed
    later: Fed
    folds: bool


class AnewSplits:
    """The fits of a run that go on with a model of another split."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._feds = run.domain(Feds)

    def all(self) -> Iterator[Anew]:
        """Each later fit, with the first one before it that has seen its validation rows."""
        earlier: list[Fed] = []
        for fed in self._feds.all:
            if self._goes_through_folds(fed) or self._trains_in_folds(fed):
                yield Anew(fed, fed, folds=True)
                continue
            for held in self._scored(fed):
                seen = (each for each in earlier if self._goes_on(each, fed) and _is_anew(each.train, held))
                found = next(seen, None)
                if found is not None:
                    yield Anew(found, fed, any(take.family[0] == "fold" for take in held.takes))
                    break
            earlier.append(fed)

    def _goes_through_folds(self, fed: Fed) -> bool:
        """Whether a comprehension runs a fit for each fold, with one model: the run goes through it once."""
        model = fed.call.result.receiver
        if not isinstance(model, Result):
            return False
        made = self._run.call_of.get(model)
        own = [each for each in fed.call.context.loops if made is not None and each not in made.context.loops]
        if fed.train is None or not any(isinstance(each.node, ast.comprehension) for each in own):
            return False
        inside = [call.result for call in self._run.calls if set(own) <= set(call.context.loops)]
        if any(each.method in _SETS or self._gets(each, model) for each in inside):
            return False
        folds = {take.family for take in fed.train.takes if take.family[0] == "fold" and _is_drawn(take)}
        return any(take.family in folds for held in self._scored(fed) for take in held.takes)

    def _trains_in_folds(self, fed: Fed) -> bool:
        """Whether a loop over folds trains and scores one model that was made before it, however its rows get there: by files that are moved."""
        model, context = fed.call.result.receiver, fed.call.context
        made = self._run.call_of.get(model) if isinstance(model, Result) and model.op == "call" else None
        own = [each for each in context.loops if made is not None and each not in made.context.loops]
        folds = [each for each in own if isinstance(each.node, ast.For) and _is_over_folds(each.iterable)]
        if not folds or not isinstance(model, Result) or fed.train is None or fed.train.base[:1] != ("folder",):
            return False
        inside = [call.result for call in self._run.calls if folds[0] in call.context.loops]
        if any(each.method in _SETS or self._gets(each, model) for each in inside):
            return False
        scores = any(each.method in ("evaluate", "predict") and each.receiver is model for each in inside)
        return scores or fed.held is not None

    def _scored(self, fed: Fed) -> Iterator[Part]:
        """What a fit is validated on, and what its model is asked for before the next fit."""
        if fed.validation is not None:
            yield fed.validation
        model, start = fed.call.result.receiver, fed.call.context.clock
        fits = [each.call.context.clock for each in self._feds.all if each.call.result.receiver is model]
        end = min((clock for clock in fits if clock > start), default=None)
        for reader in self._run.domain(Counted).readers:
            clock = reader.call.context.clock
            is_next = start < clock and (end is None or clock < end)
            if is_next and reader.role in ("evaluate", "predict") and reader.call.result.receiver is model:
                yield from reader.own[:1]

    def _goes_on(self, before: Fed, later: Fed) -> bool:
        """Whether a fit begins with the weights that another one has left."""
        model = later.call.result.receiver
        if model is None or before.call.result.receiver is not model or not isinstance(model, (Result, Instance)):
            return False
        if isinstance(model, Result) and model.op not in ("call", "parameter"):
            return False
        if before.call.context.excludes(later.call.context):
            return False
        start, end = before.call.context.clock, later.call.context.clock
        between = (call for call in self._run.calls if start < call.context.clock < end)
        return not any(call.result.method in _SETS or self._gets(call.result, model) for call in between)

    def _gets(self, result: Result, model: Result | Instance) -> bool:
        """Whether a function that is not seen gets the model: it may begin it anew."""
        return result.method not in _HARMLESS and any(value.only is model for value in result.args)


def _is_over_folds(iterable: Value | None) -> bool:
    """`for train, held in KFold(5).split(x)`, counted or not."""
    only = iterable.only if iterable is not None else None
    if isinstance(only, Result) and only.name in ("builtins.enumerate", "builtins.zip") and only.args:
        only = only.args[-1].only
    splitter = only.receiver if isinstance(only, Result) and only.method == "split" else None
    return isinstance(splitter, Result) and splitter.method in _FOLDS


def _is_anew(train: Part | None, held: Part | None) -> bool:
    """Whether rows are held out by a split that knows nothing of the one that others were trained by."""
    if train is None or held is None or train.base != held.base:
        return False
    one, other = (
        next((n for n, step in enumerate(part.steps) if isinstance(step, Take)), None) for part in (train, held)
    )
    if one is None or other is None or one != other or train.steps[:one] != held.steps[:other]:
        return False
    left, right = train.steps[one], held.steps[other]
    if not isinstance(left, Take) or not isinstance(right, Take) or left.family == right.family:
        return False
    if left.family[:3] == right.family[:3] and left.family[:2] == ("mask", "=="):
        return (left.side, right.side) == ((False,), (True,))  # `fold != 0`, then `fold == 1`
    return all(_is_drawn(take) for take in (left, right)) and left.family[0] == right.family[0]


def _is_drawn(take: Take) -> bool:
    if take.family[0] == "fold":
        return take.family[1] in _FOLDS
    return take.family[0] in ("split", "sample")
