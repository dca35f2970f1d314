"""Callbacks that cut a learning rate which another callback sets anew in each epoch."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.trainings import Trainings, given_to
from seqlint.run import Bound, Function, Result

if TYPE_CHECKING:
    from seqlint.run import Call, Object, Run

_CUTS, _SETS = "keras.callbacks.ReduceLROnPlateau", "keras.callbacks.LearningRateScheduler"
_RATES = frozenset({"optimizer", "learning_rate", "lr", "get_value"})


@dataclass(frozen=True, eq=False)
class OverruledCut:
    """A ReduceLROnPlateau whose cuts last for less than an epoch.

    Attributes:
        made: the call that makes it.
        function: the schedule that sets the rate anew; empty for a lambda.
    """

    made: Call
    function: str


class OverruledCuts:
    """Such callbacks of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[OverruledCut, ...]:
        """Those whose every training has a schedule of that kind, each place once."""
        found: dict[object, OverruledCut] = {}
        for callback, fits in self._run.domain(Trainings).of.items():
            made = self._run.call_of.get(callback) if isinstance(callback, Result) else None
            if made is None or made.name != _CUTS or not self._run.is_here(made.context):
                continue
            schedules = [self._schedule(made, fit) for fit in fits]
            if all(each is not None for each in schedules) and schedules[0] is not None:
                found.setdefault(made.node, OverruledCut(made, schedules[0].name))
        return tuple(found.values())

    def _schedule(self, cut: Call, fit: Call) -> Function | None:
        """The function that sets the rate of a training in each epoch, whatever it was before; it must be there whenever the cut is."""
        for each in given_to(self._run, fit):
            made = self._run.call_of.get(each) if isinstance(each, Result) else None
            if made is None or made.name != _SETS or not made.context.guards <= cut.context.guards:
                continue
            value = made.result.argument("schedule", 0)
            function = _function(value.only if value is not None else None)
            if function is not None and _forgets_the_rate(function):
                return function
        return None


def _function(found: Object | None) -> Function | None:
    if isinstance(found, Bound):
        return found.function if found.receiver is not None and not found.args else None
    return found if isinstance(found, Function) else None


def _forgets_the_rate(function: Function) -> bool:
    """Whether what a schedule gives does not depend on the rate so far: its second parameter, or that of an optimizer."""
    places = [each.arg for each in (*function.node.args.posonlyargs, *function.node.args.args)]
    rate = places[1 + (function.owner is not None) :][:1]
    names = {each.id for each in ast.walk(function.node) if isinstance(each, ast.Name)}
    asked = {each.attr for each in ast.walk(function.node) if isinstance(each, ast.Attribute)}
    return not names & set(rate) and not asked & _RATES
