"""Optimizers that several models are compiled with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.models.made_of import weighted_layers
from seqlint.run import Instance, Result

if TYPE_CHECKING:
    from seqlint.run import Call, Run

_TRAINS = ("fit", "fit_generator", "train_on_batch")


@dataclass(frozen=True, eq=False)
class SharedOptimizer:
    """An optimizer that two models train with.

    Attributes:
        made: the class of the optimizer.
        compiled: the call that gives it to a second model.
        first, second: the trainings of both, the one that comes first and the one that fails.
    """

    made: str
    compiled: Call
    first: Call
    second: Call


class SharedOptimizers:
    """Such optimizers of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def all(self) -> tuple[SharedOptimizer, ...]:
        """One for each call of `compile` with which a model is surely trained that has not the weights of an earlier one."""
        given: dict[Result, list[Call]] = {}
        for call in self._run.methods("compile"):
            optimizer = _optimizer(call)
            if optimizer is not None and isinstance(call.result.receiver, (Result, Instance)):
                given.setdefault(optimizer, []).append(call)
        found: dict[object, SharedOptimizer] = {}
        for optimizer, compiles in given.items():
            for shared in self._shared(optimizer, compiles) if len(compiles) > 1 else ():
                found.setdefault(shared.compiled.node, shared)
        return tuple(found.values())

    def _shared(self, optimizer: Result, compiles: list[Call]) -> list[SharedOptimizer]:
        trained = [(each, fit) for each in compiles if (fit := self._first_training(each)) is not None]
        trained.sort(key=lambda pair: pair[1].context.clock)
        found = []
        for compiled, fit in trained[1:]:
            first = trained[0][1]
            if self._are_separate(first, fit) and not first.context.excludes(fit.context):
                found.append(SharedOptimizer(optimizer.method, compiled, first, fit))
        return found

    def _first_training(self, compiled: Call) -> Call | None:
        """The first training after a `compile` that is as sure as it, and before another one."""
        model = compiled.result.receiver
        for call in self._run.calls:
            if call.result.receiver is not model or call.context.clock <= compiled.context.clock:
                continue
            if call.result.method == "compile":
                return None
            if call.result.method in _TRAINS:
                return call
        return None

    def _are_separate(self, one: Call, other: Call) -> bool:
        """Whether the second of two trained models has a layer with weights that the first has not. What is frozen does not count."""
        first, second = one.result.receiver, other.result.receiver
        if first is None or second is None or first is second:
            return False
        frozen = {store.owner for store in self._run.stores if store.name == "trainable"}
        new = weighted_layers(self._run, second, other.context) - weighted_layers(self._run, first, one.context)
        return bool(new - frozen)


def _optimizer(call: Call) -> Result | None:
    """The optimizer object that `compile` gets."""
    value = call.result.argument("optimizer", 0)
    only = value.only if value is not None else None
    made = isinstance(only, Result) and only.op == "call" and only.name.startswith("keras.optimizers.")
    return only if made and isinstance(only, Result) and only.name.count(".") == 2 else None
