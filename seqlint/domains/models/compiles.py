"""Which calls of `compile` hold when a model is trained."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from seqlint.run import Result
from seqlint.run.objects import itself

if TYPE_CHECKING:
    from seqlint.model import KerasLine
    from seqlint.run import Call, Object, Run, Value
    from seqlint.run.objects import Guards

PARAMETERS: dict[KerasLine, tuple[str, ...]] = {
    "2": ("optimizer", "loss", "metrics", "loss_weights", "weighted_metrics", "run_eagerly", "steps_per_execution",
          "jit_compile"),
    "3.0-3.9": ("optimizer", "loss", "loss_weights", "metrics", "weighted_metrics", "run_eagerly", "steps_per_execution",
                "jit_compile", "auto_scale_loss"),
    "3.10+": ("optimizer", "loss", "loss_weights", "metrics", "weighted_metrics", "run_eagerly", "steps_per_execution",
              "jit_compile", "auto_scale_loss"),
}  # fmt: skip
"""The parameters of `compile` in order. The third differs: metrics on Keras 2, loss weights on Keras 3."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """A call of `compile` that can hold."""

    call: Call
    guards: Guards

    @property
    def hides_arguments(self) -> bool:
        """Whether `**options` may hold more."""
        return any(name in ("*", "**") for name, _ in self.call.result.keywords)

    def arguments(self, line: KerasLine) -> dict[str, Value]:
        """What it is given, by the parameters of a line of Keras."""
        found = dict(zip(PARAMETERS[line], self.call.result.args, strict=False))
        found.update(self.call.result.keywords)
        return found


class Compiles:
    """The `compile` calls of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def at(self, fit: Call, way: Guards) -> tuple[Compiled | None, ...]:
        """The calls of which one holds when a trainer call runs; None stands for one that is not seen.

        Args:
            way: the conditions that hold.
        """
        found: list[Compiled | None] = []
        model = fit.result.receiver
        for call in reversed(self._of(model) if model is not None else ()):
            guards = call.context.guards
            if call.context.clock > fit.context.clock or any((key, not came) in way for key, came in guards):
                continue
            found.append(Compiled(call, guards - way))
            if guards <= way and len(call.context.loops) <= len(fit.context.loops):
                return tuple(found)
        return (*found, None)

    def is_compiled(self, model: Object) -> bool:
        """Whether this run compiles a model anywhere."""
        return bool(self._of(model))

    def _of(self, model: Object) -> list[Call]:
        return [
            call
            for call in self._by_term.get((itself(model) or model).term, ())
            if is_one(itself(call.result.receiver), itself(model))
        ]

    @cached_property
    def _by_term(self) -> dict[int, list[Call]]:
        found: dict[int, list[Call]] = defaultdict(list)
        for call in self._run.methods("compile"):
            receiver = itself(call.result.receiver)
            if receiver is not None:
                found[receiver.term].append(call)
        return found


def is_one(one: Object | None, other: Object | None) -> bool:
    """Whether two objects are one: two calls that are spelled alike make two models, but `self.model` is the same twice."""
    if one is other:
        return True
    if not isinstance(one, Result) or not isinstance(other, Result) or one.op != other.op or one.term != other.term:
        return False
    return one.op in ("attribute", "item") and not one.fresh and is_one(one.receiver, other.receiver)
