"""Which trainings get which callbacks, and with which optimizer their models were compiled."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.domains.callbacks.kinds import is_callback
from seqlint.run import Instance, Result
from seqlint.run.objects import constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.run import Call, Context, Object, Run

_FITS = frozenset({"fit", "fit_generator"})
_CHECKPOINT = "keras.callbacks.ModelCheckpoint"
_EARLY = "keras.callbacks.EarlyStopping"
_SAVES_BEST_PLACE = 3
_TAKES_UP = ("load_weights", "set_weights")
_SETS_RATE = {"keras.callbacks.ReduceLROnPlateau", "keras.callbacks.LearningRateScheduler"}


@dataclass(frozen=True, eq=False)
class ReusedCallback:
    """A callback of Keras that several trainings get, and that does not begin anew.

    Attributes:
        made: the call that makes it.
        name: its class.
    """

    made: Call
    name: str


@dataclass(frozen=True, eq=False)
class FixedRate:
    """A callback that sets the learning rate of a model whose optimizer takes it from a LearningRateSchedule.

    Attributes:
        made: the call that makes the callback.
        schedule: the class of the schedule.
    """

    made: Call
    schedule: str


class Trainings:
    """The calls of a run that train."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cached_property
    def of(self) -> dict[Object, list[Call]]:
        """The trainings that get each callback, in running order."""
        found: dict[Object, list[Call]] = defaultdict(list)
        for call in self._run.calls:
            for each in given_to(self._run, call) if call.result.method in _FITS else ():
                if is_callback(each):
                    found[each].append(call)
        return found

    def again(self, callback: Object) -> bool:
        """Whether more than one training gets a callback: two that do not exclude each other, or one in a loop that did not make it."""
        fits = self.of.get(callback, [])
        if any(not one.context.excludes(other.context) for one in fits for other in fits if one is not other):
            return True
        made = self._made(callback)
        return made is not None and any(len(call.context.loops) > len(made.loops) for call in fits)

    def serves_again(self, span: tuple[int, int]) -> bool | None:
        """Whether an object of a class of this file serves several trainings; None where nobody makes one here, or none trains.

        Args:
            span: that of the class, in bytes.
        """
        objects = self._of_class(span)
        return any(map(self.again, objects)) if objects else None

    def serves_other_models(self, span: tuple[int, int]) -> bool:
        """Whether the objects of a class of this file that serve several trainings surely serve each for another model.

        Args:
            span: that of the class, in bytes.
        """
        objects = [callback for callback in self._of_class(span) if self.again(callback)]
        return bool(objects) and all(map(self._trains_several, objects))

    def _of_class(self, span: tuple[int, int]) -> list[Instance]:
        callbacks = (callback for callback in self.of if isinstance(callback, Instance))
        return [callback for callback in callbacks if self._starts_at(callback, span[0])]

    def _starts_at(self, callback: Instance, start: int) -> bool:
        node = callback.cls.node
        return any(node is each for each in ast.walk(self._run.tree)) and self._run.span(node)[0] == start

    def _made(self, callback: Object) -> Context | None:
        if isinstance(callback, Instance):
            return self._run.machine.births.get(callback)
        call = self._run.call_of.get(callback) if isinstance(callback, Result) else None
        return call.context if call is not None else None

    # -- callbacks that do not begin anew -----------------------------------------------------------------------------

    @cached_property
    def reused(self) -> tuple[ReusedCallback, ...]:
        """The built-in callbacks that several trainings get and that keep the best value of the first, each place once."""
        found: dict[object, ReusedCallback] = {}
        for callback in self.of:
            made = self._run.call_of.get(callback) if isinstance(callback, Result) else None
            if made is None or not self._run.is_here(made.context) or made.node in found:
                continue
            keeps = made.name == _EARLY or (made.name == _CHECKPOINT and _saves_best(made.result))
            if keeps and self.again(callback) and self._trains_several(callback) and not self._is_reset(callback):
                found[made.node] = ReusedCallback(made, made.result.method)
        return tuple(found.values())

    def _trains_several(self, callback: Object) -> bool:
        """Whether several models are trained with it: unlike ones, or one that is made anew in each round."""
        models = [call.result.receiver for call in self.of[callback]]
        if len({id(model) for model in models}) > 1:
            return not self._goes_on(self.of[callback]) and all(
                model is not None and self._is_known(model) for model in models
            )
        made = self._run.call_of.get(models[0]) if isinstance(models[0], Result) else None
        loops = self.of[callback][0].context.loops
        own = self._made(callback)
        return (
            made is not None
            and own is not None
            and len(made.context.loops) > len(own.loops)
            and made.context.loops == loops
        )

    def _goes_on(self, fits: list[Call]) -> bool:
        """Whether a later training takes up what an earlier one has left: `initial_epoch`, weights that are loaded in between."""
        if any(call.result.keyword("initial_epoch") is not None for call in fits[1:]):
            return True
        if any(isinstance(each := call.result.receiver, Result) and each.method == "load_model" for call in fits):
            return True
        span = fits[0].context.clock, fits[-1].context.clock
        between = (call for call in self._run.methods(*_TAKES_UP) if span[0] < call.context.clock < span[1])
        later = {id(call.result.receiver) for call in fits[1:]}
        return any(id(call.result.receiver) in later for call in between)

    def _is_known(self, model: Object) -> bool:
        return isinstance(model, Instance) or (isinstance(model, Result) and model.op == "call")

    def _is_reset(self, callback: Object) -> bool:
        """Whether somebody sets its best value, or lets it begin by hand."""
        stored = any(store.owner is callback for store in self._run.stores)
        return stored or any(call.result.receiver is callback for call in self._run.calls)

    # -- learning rates ---------------------------------------------------------------------------------------------

    @cached_property
    def fixed_rates(self) -> tuple[FixedRate, ...]:
        """The callbacks that set a learning rate which a schedule sets, too, each place once."""
        found: dict[object, FixedRate] = {}
        for callback, fits in self.of.items():
            made = self._run.call_of.get(callback) if isinstance(callback, Result) else None
            if made is None or made.name not in _SETS_RATE or not self._run.is_here(made.context):
                continue
            schedules = [self._schedule(call) for call in fits]
            if schedules and all(schedules):
                found.setdefault(made.node, FixedRate(made, schedules[0]))
        return tuple(found.values())

    def _schedule(self, fit: Call) -> str:
        """The class of the schedule that the model of a training was compiled with, last before it; empty for a plain rate."""
        compiled = [
            call
            for call in self._run.methods("compile")
            if call.result.receiver is not None
            and call.result.receiver is fit.result.receiver
            and call.context.clock < fit.context.clock
        ]
        if not compiled:
            return ""
        result = compiled[-1].result
        given = result.argument("optimizer", 0)
        return next(self._of_optimizer(given.only), "") if given is not None else ""

    def _of_optimizer(self, found: Object | None) -> Iterator[str]:
        if not isinstance(found, Result) or found.op != "call" or not found.name.startswith("keras.optimizers."):
            return
        rate = found.argument("learning_rate", 0)
        only = rate.only if rate is not None else None
        if isinstance(only, Result) and only.op == "call" and only.name.startswith("keras.optimizers.schedules."):
            yield only.method


def given_to(run: Run, call: Call) -> list[Object]:
    """What a call gets as its callbacks, as far as that is known: those of lists one by one."""
    return list(run.machine.given.get(call.result, ()))


def _saves_best(made: Result) -> bool:
    given = made.keyword("save_best_only")
    if given is None and len(made.args) > _SAVES_BEST_PLACE:
        given = made.args[_SAVES_BEST_PLACE]
    return constant(given) is True
