"""Training steps by hand that no graph is made of."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from seqlint.domains.counts.counts import Counts
from seqlint.run import Result

if TYPE_CHECKING:
    from seqlint.run import Call, Context, Run
    from seqlint.run.objects import Module

_HANDFUL = 64
_WITHOUT_EAGER = ("disable_eager_execution", "disable_v2_behavior", "Session", "run_functions_eagerly")


@dataclass(frozen=True, eq=False)
class EagerStep:
    """A step in a long loop.

    Attributes:
        gradient: the call that asks the tape.
    """

    gradient: Call


class EagerSteps:
    """Such steps of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._counts = run.domain(Counts)
        self._traced: dict[int, bool] = {}

    @cached_property
    def all(self) -> tuple[EagerStep, ...]:
        """One for each loop."""
        if any(True for _ in self._run.methods(*_WITHOUT_EAGER)):
            return ()
        found: dict[object, EagerStep] = {}
        for call in self._run.methods("gradient"):
            loops = call.context.loops
            if (
                _is_of_tape(call)
                and loops
                and self._is_long(call.context)
                and self._is_eager(call.context)
                and self._trains(call)
            ):
                found.setdefault(loops[-1].node, EagerStep(call))
        return tuple(found.values())

    def _is_long(self, context: Context) -> bool:
        rounds = [self._counts.rounds(loop.iterable) for loop in context.loops]
        return None in rounds or prod(each for each in rounds if each is not None) > _HANDFUL

    def _trains(self, gradient: Call) -> bool:
        """Whether an optimizer of Keras takes a step in the same round."""
        inner = gradient.context.loops[-1].node
        steps = [call for call in self._run.methods("apply_gradients") if call.name.startswith("keras.optimizers.")]
        return any(loop.node is inner for call in steps for loop in call.context.loops)

    def _is_eager(self, context: Context) -> bool:
        """Whether nothing in the files that take part makes graphs: `tf.function`, or a strategy that runs functions."""
        inside = all(phase.kind in ("script", "import", "entry") for phase in context.phases)
        return inside and not any(map(self._makes_graphs, (context.module, self._run.machine.main)))

    def _makes_graphs(self, module: Module) -> bool:
        if id(module) not in self._traced:
            self._traced[id(module)] = any(map(_is_graph, ast.walk(module.tree)))
        return self._traced[id(module)]


def _is_of_tape(call: Call) -> bool:
    tape = call.result.receiver
    return isinstance(tape, Result) and tape.method == "GradientTape"


def _is_graph(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any(each.name in ("function", "def_function") for each in node.names)
    if not isinstance(node, ast.Attribute):
        return False
    owner = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
    runs = node.attr in ("run", "experimental_run_v2") and "strategy" in owner.lower()
    return node.attr == "function" or runs or node.attr == "train_step"
