"""Training steps by hand that no graph is made of."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from seqlint.domains.counts.counts import Counts
from seqlint.run import Instance, Result
from seqlint.run.attributes import lineage
from seqlint.run.objects import itself

if TYPE_CHECKING:
    from seqlint.run import Call, Context, Run
    from seqlint.run.objects import Module

_HANDFUL = 64
_OPTIMIZERS = "keras.optimizers."
_FORWARD = ("call", "__call__")
"""A graph of the model alone leaves little to gain."""
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
        self._traced: dict[int, _Graphs] = {}

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
                and self._is_eager(call)
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
        steps = [call for call in self._run.methods("apply_gradients") if _is_of_keras(call)]
        return any(loop.node is inner for call in steps for loop in call.context.loops)

    def _is_eager(self, gradient: Call) -> bool:
        """Whether nothing in the files that take part makes a graph of the step: `tf.function`, or a strategy that runs functions."""
        context = gradient.context
        inside = all(phase.kind in ("script", "import", "entry") for phase in context.phases)
        files = {id(each): each for each in (context.module, self._run.machine.main)}.values()
        return inside and not any(self._makes_graph(each, gradient) for each in files)

    def _makes_graph(self, module: Module, gradient: Call) -> bool:
        graphs = self._graphs(module)
        if graphs.unknown:
            return True
        loop, way = gradient.context.loops[-1].node, {gradient.node, *gradient.context.stack}
        called = {_name(each.func) for each in ast.walk(loop) if isinstance(each, ast.Call)}
        return any(each.name in (*_FORWARD, *called) or way & set(ast.walk(each)) for each in graphs.functions)

    def _graphs(self, module: Module) -> _Graphs:
        if id(module) not in self._traced:
            decorated = [
                each
                for each in ast.walk(module.tree)
                if isinstance(each, ast.FunctionDef) and any(map(_is_decorator, each.decorator_list))
            ]
            own = {part for each in decorated for above in each.decorator_list for part in ast.walk(above)}
            unknown = any(_is_graph(each) for each in ast.walk(module.tree) if each not in own)
            self._traced[id(module)] = _Graphs(tuple(decorated), unknown)
        return self._traced[id(module)]


@dataclass(frozen=True, eq=False)
class _Graphs:
    """What a file makes graphs of: functions with a decorator, and what is not known."""

    functions: tuple[ast.FunctionDef, ...]
    unknown: bool


def _is_of_keras(call: Call) -> bool:
    """Whether an optimizer of Keras is asked, or one of a class that is made from it."""
    owner = itself(call.result.receiver)
    lines = lineage(owner.cls) if isinstance(owner, Instance) else ()
    return call.name.startswith(_OPTIMIZERS) or any(getattr(each, "name", "").startswith(_OPTIMIZERS) for each in lines)


def _is_of_tape(call: Call) -> bool:
    tape = call.result.receiver
    return isinstance(tape, Result) and tape.method == "GradientTape"


def _is_decorator(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == "function" for each in ast.walk(node))


def _name(func: ast.expr) -> str:
    return func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")


def _is_graph(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any(each.name in ("function", "def_function") for each in node.names)
    if not isinstance(node, ast.Attribute):
        return False
    owner = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
    runs = node.attr in ("run", "experimental_run_v2") and "strategy" in owner.lower()
    return node.attr == "function" or runs or node.attr == "train_step"
